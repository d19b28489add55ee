package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tempPattern names the folders that everything happens in.
const tempPattern = "kist-bench-*"

// copyNotes copies what a vault would index from a folder to another, which it
// makes: Markdown files and the rules of what to ignore, without what is hidden and
// without links. It refuses a folder without any Markdown.
func copyNotes(ctx context.Context, from, to string) error {
	notes := 0
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		name := d.Name()
		rules := name == ".gitignore" || name == ".kistignore"
		switch {
		case p != from && strings.HasPrefix(name, ".") && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular() || !rules && (strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".md")):
			return nil
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		if !rules {
			notes++
		}
		return copyFile(p, filepath.Join(to, rel))
	})
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	if notes == 0 {
		return fmt.Errorf("%s holds no Markdown", from)
	}
	return nil
}

// makeTemp makes the folder that everything happens in. It refuses one that would
// lie in the folder from, if that isn't empty.
func makeTemp(from string) (string, error) {
	if from != "" {
		inside, err := within(from, os.TempDir())
		if err != nil {
			return "", err
		}
		if inside {
			return "", fmt.Errorf("the folder for temporary files, %s, lies in %s, which must not be written to: set TMPDIR to another one", os.TempDir(), from)
		}
	}
	dir, err := os.MkdirTemp("", tempPattern)
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}

// within reports whether a folder is another one or lies in it, links followed.
func within(outer, inner string) (bool, error) {
	var real [2]string
	for i, dir := range []string{outer, inner} {
		p, err := filepath.EvalSymlinks(dir)
		if err == nil {
			p, err = filepath.Abs(p)
		}
		if err != nil {
			return false, fmt.Errorf("read %s: %w", dir, err)
		}
		real[i] = p
	}
	rel, err := filepath.Rel(real[0], real[1])
	if err != nil {
		return false, nil // on two volumes
	}
	return rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)), nil
}

// copyFile copies a file with its modification time: an index takes a file that
// was written just now for one that may change unseen.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
