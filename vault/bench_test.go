package vault_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// BenchmarkOperation measures one durable operation on a 10 KB file, and beside
// it, in the same run, its floor: temporary file, fsync, rename, fsync of the
// folder.
func BenchmarkOperation(b *testing.B) {
	body := strings.Repeat("a line of a note, neither short nor long\n", 250)
	v := vaulttest.New(b, "-- a.md --\n"+body+"end 0\n")
	vaulttest.Watch(b, v)
	vaulttest.Compared(b, v)
	floor := time.Duration(0)
	dir := b.TempDir()
	i := 0
	for b.Loop() {
		before := fmt.Sprintf("%send %d\n", body, i)
		i++
		after := fmt.Sprintf("%send %d\n", body, i)
		_, err := v.Apply(ctx, batch(update("a.md", before, after)))
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		start := time.Now()
		if err := bareReplace(filepath.Join(dir, "a.md"), []byte(after)); err != nil {
			b.Fatal(err)
		}
		floor += time.Since(start)
		b.StartTimer()
	}
	per := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(floor.Nanoseconds())/float64(b.N), "floor-ns/op")
	b.ReportMetric(float64(per)/(float64(floor)/float64(b.N)), "x-floor")
}

func bareReplace(p string, text []byte) error {
	f, err := os.Create(p + ".tmp")
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(p+".tmp", p); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(p))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
