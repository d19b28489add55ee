package manifest

import (
	"fmt"
	"testing"

	"kist/index/page"
)

// What it takes to write and to read what is known of 100,000 files.
func BenchmarkStoredForm(b *testing.B) {
	dir, m := b.TempDir(), New("id", "/root")
	for i := range 100_000 {
		m.Files[fmt.Sprintf("notes/of some year/a note with a name %d.md", i)] = Entry{
			Size: int64(i * 37), Mtime: int64(i) * 1_000_000_007, Ctime: int64(i) * 1_000_000_009, Inode: uint64(i), Hash: HashOf(fmt.Append(nil, i)),
			Entries: 1, Sections: i % 9, Tokens: [page.NumFields]int{i % 7, i % 50, i % 900}, Lang: []string{"en", "de"}[i%2],
		}
	}
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			if err := m.Save(dir, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Load(dir); err != nil {
				b.Fatal(err)
			}
		}
	})
}
