package intake

import (
	"context"
	"runtime"

	"kist/index/analyze"
	"kist/index/frugal"
	"kist/index/page"
	"kist/vault"
	"kist/vault/canvas"
)

// A Source is what files are read through.
type Source interface {
	List(ctx context.Context, since vault.Seq) (*vault.Listing, error)
	ReadHead(path string, limit int64) ([]byte, vault.Info, error)
	Stat(path string) (vault.Info, error)
	Ignored(path string) bool
}

// Files are the vault's files as the index reads them.
type Files struct {
	Source Source
	Vault  *vault.Vault // which tells what paths stand for
	Langs  *analyze.Languages

	Held frugal.Budget // of text that was read; see [Files.Hold]
	Gone func()        // is called when a long file's text was let go
}

// Cards reads canvases as what is written on their cards: see [canvas.Text].
func Cards(s Source) Source { return cards{s} }

type cards struct{ Source }

func (s cards) ReadHead(path string, limit int64) ([]byte, vault.Info, error) {
	text, info, err := s.Source.ReadHead(path, limit)
	if err == nil && canvas.Is(path) {
		text = canvas.Text(text)
	}
	return text, info, err
}

// Reader reads the vault's files.
func (s *Files) Reader() page.Reader {
	return page.Reader{Head: s.Source.ReadHead, Vault: s.Vault, Langs: s.Langs}
}

// Hold makes room for reading a file of so many bytes, for a search or for vectors.
func (s *Files) Hold(ctx context.Context, bytes int64) (release func(), err error) {
	give, err := s.Held.Take(ctx, bytes)
	if err != nil || bytes < BatchBytes {
		return give, err
	}
	end := frugal.Be()
	return func() {
		runtime.GC() // before the next one comes
		end()
		give()
		s.Gone()
	}, nil
}

// HoldPath is Hold for a file that is indexed, or else for as much as there may be.
func (s *Files) HoldPath(ctx context.Context, path string) (release func(), err error) {
	info, err := s.Source.Stat(path)
	if err != nil {
		return func() {}, ctx.Err() // who reads it is told
	}
	return s.Hold(ctx, min(info.Size, page.MaxFile))
}
