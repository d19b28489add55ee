package sift

import (
	"strings"
	"testing"
)

func BenchmarkFold(b *testing.B) {
	f := NewFolder()
	for name, text := range map[string]string{"english": "The Boats are studying in the Café. ", "russian": "Большая книга стоит в Доме. ", "japanese": "日本語の文章、東京タワー。"} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat(text, 100))
			var out []byte
			b.SetBytes(int64(len(text)))
			for range b.N {
				out = f.Fold(out[:0], text)
			}
		})
	}
}
