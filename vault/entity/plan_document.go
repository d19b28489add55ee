package entity

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/position"
)

// A TextEdit replaces what stands between two places of a text.
type TextEdit struct {
	Start, End Spot
	Text       string
}

// A Spot is a place in a text, as package position counts.
type Spot struct {
	Line, Column int
	UTF16        bool // the column counts code units of UTF-16; else bytes
}

// PlanCreateDocument plans a document of a text, as it is. It returns ErrInvalidPath, also
// for where kist or others keep what is no document, ErrExists and ErrNotText.
func PlanCreateDocument(v *vault.Vault, p, text string) (vault.Step, error) {
	if err := goodName(p); err != nil {
		return vault.Step{}, err
	}
	clean, err := documentPath(v, p)
	if err != nil {
		return vault.Step{}, err
	}
	if v.Ignored(clean) {
		return vault.Step{}, fmt.Errorf("%w %q: .gitignore or .kistignore leave it out, so that it would be no document", vault.ErrInvalidPath, clean)
	}
	if v.Exists(clean) {
		return vault.Step{}, fmt.Errorf("%w: %s", vault.ErrExists, clean)
	}
	if there, ok := v.OtherCase(clean); ok {
		return vault.Step{}, fmt.Errorf("%w: %s, which other systems take for the same", vault.ErrExists, there)
	}
	if err := textFits(clean, text); err != nil {
		return vault.Step{}, err
	}
	after := []byte(text)
	return vault.Step{Type: vault.OpCreate, Entity: v.EntityOf(clean, after), Changes: []vault.Change{{Path: clean, After: after}}}, nil
}

// PlanEditDocument plans to replace ranges of the text with a hash, all of which count in
// that text. What is in front matter need not parse, before or after. It returns ErrConflict
// where the document holds another text by now, and ErrInvalid for ranges that overlap.
func PlanEditDocument(v *vault.Vault, p string, expect vault.Hash, edits []TextEdit) (vault.Step, error) {
	clean, before, err := documentSeen(v, p, expect)
	if err != nil {
		return vault.Step{}, err
	}
	if err := vault.CheckText(clean, before); err != nil {
		return vault.Step{}, err
	}
	after, err := edited(before, edits)
	if err != nil {
		return vault.Step{}, fmt.Errorf("edit %s: %w", clean, err)
	}
	if len(after) > vault.MaxDocument {
		return vault.Step{}, fmt.Errorf("%w: %s would have %d bytes", vault.ErrTooLarge, clean, len(after))
	}
	return vault.Step{
		Type: vault.OpUpdate, Entity: v.EntityOf(clean, before),
		Changes: []vault.Change{{Path: clean, Before: before, After: after, Expect: expect}},
	}, nil
}

// PlanDeleteDocument plans to delete the document with a hash. It returns ErrConflict where
// it holds another text by now.
func PlanDeleteDocument(v *vault.Vault, p string, expect vault.Hash) (vault.Step, error) {
	clean, before, err := documentSeen(v, p, expect)
	if err != nil {
		return vault.Step{}, err
	}
	return vault.Step{
		Type: vault.OpDelete, Entity: v.EntityOf(clean, before),
		Changes: []vault.Change{{Path: clean, Before: before, Expect: expect}},
	}, nil
}

// documentPath is the path of a document that may be written as a whole. A conversation is
// a record of what was said.
func documentPath(v *vault.Vault, p string) (string, error) {
	clean, err := v.WritablePath(p)
	if err != nil {
		return "", err
	}
	if !documents.IsMarkdown(clean) {
		return "", fmt.Errorf("%w %q: documents are Markdown, and end with .md", vault.ErrInvalidPath, clean)
	}
	if v.TypeOf(clean) == "conversation" {
		return "", fmt.Errorf("%w %q: conversations are kist's own records", vault.ErrInvalidPath, clean)
	}
	return clean, nil
}

// maxName is how long the name of a file or folder may be on most file systems, in bytes.
const maxName = 255

// goodName wants of a path that is new that it can be typed and made.
func goodName(p string) error {
	if strings.ContainsFunc(p, unicode.IsControl) {
		return fmt.Errorf("%w %q: it has control characters", vault.ErrInvalidPath, p)
	}
	for name := range strings.SplitSeq(p, "/") {
		if len(name) > maxName {
			return fmt.Errorf("%w: the name %.40s... is longer than %d bytes", vault.ErrInvalidPath, name, maxName)
		}
	}
	return nil
}

// documentSeen reads a document, which has to be as the caller saw it.
func documentSeen(v *vault.Vault, p string, expect vault.Hash) (clean string, text []byte, err error) {
	if p, err = v.Locate(p); err == nil {
		clean, err = documentPath(v, p)
	}
	if err != nil {
		return "", nil, err
	}
	if text, err = v.Read(clean); err != nil {
		return "", nil, err
	}
	if vault.HashOf(text) != expect {
		return "", nil, &vault.ConflictError{Path: clean, Reason: "it was edited since it was read", Now: text}
	}
	return clean, text, nil
}

// textFits wants of what is written that it is text. What is there already may be anything.
func textFits(what, text string) error {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fmt.Errorf("%w: %s would have a NUL at offset %d", vault.ErrInvalid, what, i)
	}
	return vault.CheckText(what, []byte(text))
}

// A span is a TextEdit in bytes of the text.
type span struct {
	start, end, nth int
	text            string
}

// edited makes edits in a text, whose own bytes stay as they are.
func edited(text []byte, edits []TextEdit) ([]byte, error) {
	table := position.New(text)
	spans, size := make([]span, len(edits)), len(text)
	for i, e := range edits {
		spans[i] = span{offset(table, e.Start), offset(table, e.End), i, e.Text}
		if spans[i].start > spans[i].end {
			return nil, vault.Hinted(fmt.Errorf("%w: the range of edit %d ends before it starts", vault.ErrInvalid, i+1), "exchange start and end")
		}
		if err := textFits(fmt.Sprintf("the text of edit %d", i+1), e.Text); err != nil {
			return nil, err
		}
		size += len(e.Text)
	}
	// What is inserted where another range starts stands before that range.
	compare := func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return min(1, a.end-a.start) - min(1, b.end-b.start)
	}
	sort.SliceStable(spans, func(i, j int) bool { return compare(spans[i], spans[j]) < 0 })
	out, at := make([]byte, 0, size), 0
	for i, s := range spans {
		if s.start < at {
			return nil, vault.Hinted(fmt.Errorf("%w: the ranges of edits %d and %d overlap", vault.ErrInvalid, spans[i-1].nth+1, s.nth+1), "make one edit of the two; all ranges count in the text as it is before any of them")
		}
		out = append(append(out, text[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, text[at:]...), nil
}

func offset(t *position.Table, s Spot) int {
	if s.UTF16 {
		return t.OffsetUTF16(s.Line, s.Column)
	}
	return t.Offset(s.Line, s.Column)
}
