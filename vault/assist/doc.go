/*
Package assist answers what an editor asks while a person writes: a [Desk] completes links,
tags, headings, front matter and dates, says what a place in a document leads to and who leads
to it, lists a document's symbols and its faults, and plans renames of documents, headings and
tags over all files ([Renaming]).

Each question may bring the texts that its editor hasn't saved ([names.Buffer]); they count
instead of the files'. A plan leaves their files out and gives the edits back, for the editor
to make. Everything is planned here and applied by who asks.
*/
package assist

import (
	"context"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
	"kist/vault/names"
)

// A Desk answers questions about one vault.
type Desk struct {
	Vault   *vault.Vault
	Catalog *names.Catalog
}

// New returns the desk of a vault; without one it can't be asked anything.
func New(v *vault.Vault) *Desk {
	if v == nil {
		return &Desk{}
	}
	return &Desk{Vault: v, Catalog: names.Of(v)}
}

// A Question is about a document, and a place in it.
type Question struct {
	Path    string
	At      int // offset, held to the text
	Buffers []names.Buffer
}

// An open question has what it is about.
type open struct {
	*names.View
	desk *Desk
	path string
	doc  *markdown.Document
	at   int

	last     *markdown.Document
	lastPath string
	places   *places
}

// open gets a view and the document. The caller must call Close.
func (d *Desk) open(ctx context.Context, q Question) (*open, error) {
	p, err := d.locate(q.Path, q.Buffers)
	if err != nil {
		return nil, err
	}
	for i := range q.Buffers {
		if q.Buffers[i].Path, err = d.locate(q.Buffers[i].Path, q.Buffers); err != nil {
			return nil, err
		}
	}
	view, err := d.Catalog.View(ctx, q.Buffers)
	if err != nil {
		return nil, err
	}
	doc, err := view.Document(p)
	if err != nil {
		view.Close()
		return nil, err
	}
	return &open{View: view, desk: d, path: p, doc: doc, at: max(0, min(q.At, len(doc.Source())))}, nil
}

// locate returns a document's own path; a buffer may be of one that isn't there yet.
func (d *Desk) locate(p string, buffers []names.Buffer) (string, error) {
	clean, err := d.Vault.Locate(p)
	if err != nil {
		return "", err
	}
	if !documents.IsMarkdown(clean) {
		return "", notMarkdown(clean)
	}
	return clean, nil
}
