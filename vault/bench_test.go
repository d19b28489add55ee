package vault_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault"
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

// BenchmarkDeepStart measures a start to where all folders are watched and listed, in a
// tree of one folder in another, 1,900 levels down, and as its floor a start of as many
// folders side by side.
func BenchmarkDeepStart(b *testing.B) {
	const levels = 1900
	start := func(b *testing.B, dir string) {
		for b.Loop() {
			v, err := vault.Open(ctx, dir, vault.Options{})
			if err != nil {
				b.Fatal(err)
			}
			running, stop := context.WithCancel(ctx)
			done := make(chan error, 1)
			go func() { done <- v.Run(running) }()
			for v.Watching() == nil {
				time.Sleep(time.Millisecond)
			}
			<-v.Watching()
			if _, err := v.List(ctx, 0); err != nil {
				b.Fatal(err)
			}
			stop()
			<-done
			if err := v.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("deep", func(b *testing.B) {
		dir := b.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", levels)), 0o777); err != nil {
			b.Fatal(err)
		}
		start(b, dir)
	})
	b.Run("flat", func(b *testing.B) {
		dir := b.TempDir()
		for i := range levels {
			if err := os.Mkdir(filepath.Join(dir, fmt.Sprint("d", i)), 0o777); err != nil {
				b.Fatal(err)
			}
		}
		start(b, dir)
	})
}
