package assist

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/documents"
)

// Attachments are the files of a vault that are no documents. Nothing follows them: they are
// listed when somebody asks, and again when that was longer ago than the list took 20 times over.
type attachments struct {
	mu    sync.Mutex
	files map[string][]string // paths by the file's name in lower case
	at    time.Time
	took  time.Duration
	whole bool // nothing was left out
}

const (
	maxAttachments = 200_000
	leastFresh     = time.Second
)

// list returns what there is as of a moment ago; whole: nothing was left out.
func (a *attachments) list(ctx context.Context, v *vault.Vault) (files map[string][]string, whole bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.files != nil && time.Since(a.at) < max(leastFresh, 20*a.took) {
		return a.files, a.whole, nil
	}
	began := time.Now()
	w := gathering{vault: v, files: map[string][]string{}, whole: true}
	if err := w.folder(ctx, "."); err != nil {
		return nil, false, err
	}
	a.files, a.whole, a.at, a.took = w.files, w.whole, time.Now(), time.Since(began)
	return a.files, a.whole, nil
}

type gathering struct {
	vault *vault.Vault
	files map[string][]string
	found int
	whole bool
}

// folder adds the files of a folder, also those that rules leave out: pictures often are.
func (w *gathering) folder(ctx context.Context, dir string) error {
	entries, err := w.vault.ReadDir(dir)
	w.whole = w.whole && err == nil
	for _, e := range entries {
		p, name := path.Join(dir, e.Name()), strings.ToLower(e.Name())
		switch {
		case strings.HasPrefix(name, "."):
		case e.IsDir():
			if err := w.folder(ctx, p); err != nil {
				return err
			}
		case w.found == maxAttachments || e.Type()&fs.ModeSymlink != 0:
			w.whole = false // nobody knows what is behind a link
		case path.Ext(name) != ".md":
			w.files[name] = append(w.files[name], p)
			w.found++
		}
	}
	return ctx.Err()
}

// attached are the files that a wiki link's name may mean, be they there or not any more: one in
// any folder, by the end of its path.
func attached(files map[string][]string, name string) (paths []string) {
	name = strings.ToLower(strings.TrimPrefix(path.Clean(name), "/"))
	for _, p := range files[path.Base(name)] {
		if strings.HasSuffix("/"+strings.ToLower(p), "/"+name) {
			paths = append(paths, p)
		}
	}
	return paths
}

// own reports whether a file is kist's, which no document shows.
func own(l documents.Layout, p string) bool {
	return p == "kist.yaml" || strings.HasPrefix(p, l.Operations+"/") || strings.HasPrefix(p, l.Sessions+"/")
}

// offered are attachments with a text in their name, for what shows them (![[), but for kist's own
// files: those that begin so come first. The text of one is its name where no other file is called so.
func offered(l documents.Layout, files map[string][]string, text string, limit int) (list []Candidate) {
	text = strings.ToLower(strings.TrimSpace(text))
	var found []string
	for name, paths := range files {
		for _, p := range paths {
			if own(l, p) {
				continue
			}
			if strings.Contains(name, text) || strings.Contains(text, "/") && strings.Contains(strings.ToLower(p), text) {
				found = append(found, p)
			}
		}
	}
	behind := func(p string) int {
		if strings.HasPrefix(strings.ToLower(path.Base(p)), text) {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b string) int {
		if d := behind(a) - behind(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, p := range found[:min(limit, len(found))] {
		c := Candidate{Text: path.Base(p), Label: path.Base(p), Detail: p}
		if len(files[strings.ToLower(c.Text)]) > 1 {
			c.Text = p
		}
		list = append(list, c)
	}
	return list
}
