package assist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"kist/vault"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/position"
)

// A Fault is something about a document that its writer should know.
type Fault struct {
	Code    string // see Codes
	Grave   bool   // it keeps kist from reading or writing the document
	Where   Spot
	Message string
	Hint    string
	Target  string // of a link: what it names
}

// The codes of faults.
const (
	DeadLink      = "dead_link"
	AmbiguousLink = "ambiguous_link"
	DeadAnchor    = "dead_anchor"
	FrontMatter   = "front_matter"
	UnknownStatus = "unknown_status"
	ConflictMark  = "conflict_markers"
	ExpiredDraft  = "expired_draft"
	DuplicateID   = "duplicate_id"
)

// Check lists the faults of a document by their places.
func (d *Desk) Check(ctx context.Context, q Question) (list []Fault, degraded string, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return nil, "", err
	}
	defer o.Close()
	c := &checker{open: o, table: position.New(o.doc.Source())}
	c.front()
	c.markers()
	for l := range markdown.EachLink(o.doc) {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		if err := c.link(ctx, l); err != nil {
			return nil, "", err
		}
	}
	compare := func(a, b Fault) int {
		return cmp.Or(a.Where.Start.Line-b.Where.Start.Line, a.Where.Start.Column-b.Where.Start.Column)
	}
	sort.SliceStable(c.faults, func(i, j int) bool { return compare(c.faults[i], c.faults[j]) < 0 })
	return c.faults, o.Degraded, nil
}

type checker struct {
	*open
	table  *position.Table
	faults []Fault
}

func (c *checker) add(code string, at markdown.Span, message, hint string) *Fault {
	c.faults = append(c.faults, Fault{Code: code, Where: spot(c.path, c.table, at), Message: message, Hint: hint})
	return &c.faults[len(c.faults)-1]
}

func (c *checker) link(ctx context.Context, l markdown.Link) error {
	t := c.lead(l)
	switch {
	case t.Outside && l.Kind == markdown.WikiLink:
		return c.attachedByName(ctx, l)
	case t.Outside:
		c.attachment(l)
	case t.Path == "":
		c.add(DeadLink, l.All, fmt.Sprintf("no document is called %q", vault.OneLine(l.Name)), "create it, or correct the name").Target = l.Name
	case t.Missing:
		c.add(DeadAnchor, l.All, fmt.Sprintf("%s has no %s", t.Path, anchorName(l.Anchor)), "").Target = l.Name
	case len(t.Others) > 0 && !strings.Contains(l.Name, "/"):
		others := t.Others[:min(3, len(t.Others))]
		c.add(AmbiguousLink, l.All, fmt.Sprintf("means %s; so are called: %s", t.Path, strings.Join(others, ", ")), "write the path to say which").Target = l.Name
	}
	return nil
}

func anchorName(anchor string) string {
	if name, block := strings.CutPrefix(anchor, "^"); block {
		return fmt.Sprintf("block %q", name)
	}
	return fmt.Sprintf("heading %q", vault.OneLine(anchor))
}

// attachedByName looks for the file of a wiki link, which may be in any folder, or a document with
// a dot in its name.
func (c *checker) attachedByName(ctx context.Context, l markdown.Link) error {
	v := c.desk.Vault
	for _, p := range []string{path.Clean(strings.TrimPrefix(l.Name, "/")), path.Join(path.Dir(c.path), l.Name)} {
		if strings.HasPrefix(p, "../") || strings.HasPrefix(path.Base(p), ".") || v.Exists(p) {
			return nil
		}
	}
	if link.ResolveName(c.View, l.Name, c.path).Path != "" {
		return nil
	}
	files, whole, err := vault.Kept[attachments](v).list(ctx, v)
	if err == nil && whole && !slices.ContainsFunc(attached(files, l.Name), v.Exists) {
		c.add(DeadLink, l.All, fmt.Sprintf("no file is called %q", vault.OneLine(l.Name)), "")
	}
	return err
}

// attachment looks for the file of a Markdown link.
func (c *checker) attachment(l markdown.Link) {
	for _, p := range []string{path.Join(path.Dir(c.path), l.Name), strings.TrimPrefix(path.Clean(l.Name), "/")} {
		if p == "." || strings.HasPrefix(p, "../") || c.desk.Vault.Exists(p) || strings.HasPrefix(path.Base(p), ".") {
			return // out of the vault and what is hidden isn't looked at
		}
	}
	c.add(DeadLink, l.All, fmt.Sprintf("there is no file %q", vault.OneLine(l.Name)), "")
}

// front checks the front matter.
func (c *checker) front() {
	front, err := c.doc.FrontMatter()
	var fault *markdown.SyntaxError
	if errors.As(err, &fault) {
		at := c.table.Offset(fault.Line-1, 0)
		line := c.table.Line(fault.Line - 1)
		for range fault.Column - 1 {
			_, size := utf8.DecodeRune(line)
			at, line = at+size, line[size:]
		}
		f := c.add(FrontMatter, markdown.Span{Start: at, End: at + len(line)}, "front matter: "+fault.Message, "correct it; until then nothing writes into the file")
		f.Grave = true
		return
	}
	if front == nil || err != nil {
		return
	}
	typ := c.typeOf()
	if status := front.String("status"); status != "" {
		for _, k := range knownKeys() {
			if k.key == "status" && slices.Contains(k.types, typ) && !slices.Contains(k.values, status) {
				c.add(UnknownStatus, valueSpan(front, "status"), fmt.Sprintf("%q is no status of a %s", vault.OneLine(status), typ), "one of "+strings.Join(k.values, ", "))
			}
		}
	}
	if typ == "draft" && (front.String("status") == "" || front.String("status") == "in_progress") {
		if end := vault.ParseTime(front.String("expires")); !end.IsZero() && end.Before(c.desk.Vault.Now()) {
			c.add(ExpiredDraft, valueSpan(front, "expires"), "the draft has expired", "finalize it, or give it another date")
		}
	}
	if id := front.String("id"); id != "" {
		if others := slices.DeleteFunc(slices.Clone(c.WithID(id)), func(p string) bool { return p == c.path }); len(others) > 0 {
			c.add(DuplicateID, valueSpan(front, "id"), "the same id is in "+strings.Join(others[:min(3, len(others))], ", "), "remove it from the copy")
		}
	}
}

func valueSpan(front *markdown.FrontMatter, key string) markdown.Span {
	_, value, _ := front.Value(key)
	return value
}

// markers finds what a merge by hand has left.
func (c *checker) markers() {
	for _, at := range markdown.Unresolved(c.doc) {
		f := c.add(ConflictMark, at, "a merge was left half done here", "keep one of the two versions and remove the markers")
		f.Grave = true
	}
}

// link.Names is what a checker resolves by.
var _ link.Names = (*checker)(nil)
