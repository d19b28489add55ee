package intake

import (
	"errors"
	"io/fs"

	"kist/index/analyze"
	"kist/index/manifest"
	"kist/index/page"
	"kist/vault"
	"kist/vault/documents"
)

// A File is ready to be committed.
type File struct {
	Path     string
	Gone     bool // no such file, or an ignored one: its entries go
	Err      error
	Page     *page.File
	Hash     manifest.Hash
	Same     bool // the text is what is indexed already; only its stat changed
	Analyzer analyze.Analyzer
	Count    int          // of entries
	Parts    []page.Known // by ordinal of the entries; nil: the file is short
	Ahead    int64        // bytes of the budget for reading ahead

	Holding   manifest.Holding     // what the store has of a long file; known once it is committed
	Tokens    [page.NumFields]int  // of the entries that were written
	Embedding *Embedding           // of these; nil: there are no vectors
	Other     *documents.OtherName // it is gone because it is one
}

// Long reports whether a file is written in several portions.
func (p *File) Long() bool { return p.Weight() > BatchBytes || p.Count > BatchEntries }

// Weight is the length of its text in bytes.
func (p *File) Weight() int {
	if p.Page == nil {
		return 0
	}
	return len(p.Page.Text)
}

// Prepare reads a file and finds its entries.
func (s *Files) Prepare(path string) File {
	p := s.Load(path)
	if p.Gone || p.Err != nil {
		return p
	}
	return s.LayOut(p)
}

// Load reads a file.
func (s *Files) Load(path string) File {
	p := File{Path: path}
	if s.Source.Ignored(path) {
		p.Gone = true
		return p
	}
	info, err := s.Source.Stat(path)
	if err == nil {
		p.Page, err = s.Reader().Read(path)
	}
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
		p.Gone = true
		errors.As(err, &p.Other)
	case err != nil:
		p.Err = err
		p.Page = &page.File{Path: path, Info: info}
	default:
		p.Hash = manifest.HashOf(p.Page.Raw)
	}
	return p
}

// LayOut finds the entries of a file that was loaded.
func (s *Files) LayOut(p File) File {
	p.Page.FindLinks()
	p.Analyzer = s.Langs.Of(p.Page.Lang)
	p.Count = p.Page.Count()
	p.Parts = p.Page.Parts(p.Analyzer)
	return p
}

// Fresh reports whether the disk still holds what was prepared.
func (s *Files) Fresh(p File) bool {
	info, err := s.Source.Stat(p.Path)
	ignored := s.Source.Ignored(p.Path)
	if p.Gone || p.Err != nil {
		return err != nil || ignored
	}
	return err == nil && !ignored && info.Size == p.Page.Info.Size && info.Inode == p.Page.Info.Inode && info.ModTime.Equal(p.Page.Info.ModTime)
}

// measure adds the lengths of one of a prepared file's entries to those of the file, and
// completes its part.
func (p *File) measure(ordinal int, l [page.NumFields]int) {
	if p.Parts != nil {
		p.Parts[ordinal].Headings, p.Parts[ordinal].Body = uint32(l[page.FieldHeadings]), uint32(l[page.FieldBody])
	}
	for f, n := range l {
		p.Tokens[f] += n
	}
}
