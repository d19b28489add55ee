package bench

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kist/vault"
)

// notesOf returns the paths of all documents of a vault, as the vault lists them.
func notesOf(ctx context.Context, dir string) (paths []string, err error) {
	v, err := vault.Open(ctx, dir, vault.Options{})
	if err != nil {
		return nil, err
	}
	err = v.Walk(ctx, func(i vault.Info) error { paths = append(paths, i.Path); return nil }, nil)
	slices.Sort(paths)
	return paths, errors.Join(err, v.Close())
}

// walkMarkdown is the plainest walk: fn is called for every Markdown file.
func walkMarkdown(dir string, fn func(p string, d fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != dir && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(d.Name(), ".md"):
			return fn(p, d)
		}
		return nil
	})
}

func walkNames(dir string) error {
	return walkMarkdown(dir, func(string, fs.DirEntry) error { return nil })
}

func walkStat(dir string) error {
	return walkMarkdown(dir, func(_ string, d fs.DirEntry) error { _, err := d.Info(); return err })
}

func readAll(dir string, paths []string) (n int64, err error) {
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			return 0, err
		}
		n += int64(len(text))
	}
	return n, nil
}

// A noted file is what a program without an index would have to remember of it, by
// columns, which gob handles fastest.
type noted struct {
	Paths        []string
	Sizes, Times []int64
}

// note writes what there is now to a file.
func note(dir, name string) error {
	var n noted
	err := walkMarkdown(dir, func(p string, d fs.DirEntry) error {
		info, err := d.Info()
		if err == nil {
			n.Paths = append(n.Paths, p)
			n.Sizes = append(n.Sizes, info.Size())
			n.Times = append(n.Times, info.ModTime().UnixNano())
		}
		return err
	})
	var buf bytes.Buffer
	if err == nil {
		err = gob.NewEncoder(&buf).Encode(n)
	}
	if err == nil {
		err = os.WriteFile(name, buf.Bytes(), 0o644)
	}
	return err
}

// compareNoted loads what was noted, walks and compares.
func compareNoted(dir, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var n noted
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&n); err != nil {
		return err
	}
	at := make(map[string]int, len(n.Paths))
	for i, p := range n.Paths {
		at[p] = i
	}
	return walkMarkdown(dir, func(p string, d fs.DirEntry) error {
		info, err := d.Info()
		if err != nil {
			return err
		}
		if i, ok := at[p]; !ok || n.Sizes[i] != info.Size() || n.Times[i] != info.ModTime().UnixNano() {
			return fmt.Errorf("%s has changed meanwhile", p)
		}
		return nil
	})
}

// replaceFile is the least that a durable change takes: temporary file, fsync,
// rename, fsync of the folder.
func replaceFile(p string, text []byte) error {
	f, err := os.Create(p + ".tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(p+".tmp", p); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(p))
}

// ripgrep measures how long it takes to find a word without any index. ok is false
// where it isn't installed.
func ripgrep(ctx context.Context, dir, word string, runs int) (t Timing, ok bool, err error) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		return t, false, nil
	}
	var took []time.Duration
	for range runs {
		began := time.Now()
		cmd := exec.CommandContext(ctx, rg, "--no-config", "-l", "-i", "-w", "-g", "*.md", "--", word, dir)
		if out, err := cmd.Output(); err != nil || len(out) == 0 {
			return t, false, fmt.Errorf("run rg: found %q nowhere: %w", word, err)
		}
		took = append(took, time.Since(began))
	}
	return timing(took), true, nil
}
