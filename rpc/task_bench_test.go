package rpc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kistv1 "kist/proto/kist/v1"
	"kist/vault/catalog"
	"kist/vault/vaulttest"
)

// BenchmarkListTasks is a page of the tasks of 12,000 documents, 5,000 of which have one.
// What of it is the catalog, which waits for what was saved before, is the floor.
func BenchmarkListTasks(b *testing.B) {
	dir := b.TempDir()
	for i := range 12_000 {
		text := fmt.Sprintf("# Note %d\n\n%s", i, strings.Repeat("Some words of a note.\n\n", 30))
		if i%12 < 5 {
			text += fmt.Sprintf("- [ ] Do thing %d 📅 2026-12-%02d ⏫ #home\n", i, 1+i%28)
		}
		file := filepath.Join(dir, fmt.Sprintf("Folder %d", i%40), fmt.Sprintf("Note %d.md", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	v := vaulttest.Open(b, dir)
	vaulttest.Watch(b, v)
	s := &taskService{Deps{Vault: v}}
	if _, err := catalog.List(b.Context(), v); err != nil {
		b.Fatal(err)
	}
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			if _, err := catalog.List(b.Context(), v); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, req := range map[string]*kistv1.ListTasksRequest{"all": {}, "due": {DueFrom: "2026-12-03", DueTo: "2026-12-05"}, "count": {CountOnly: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if res, err := s.ListTasks(b.Context(), req); err != nil || res.TotalSize == 0 {
					b.Fatal(res, err)
				}
			}
		})
	}
}
