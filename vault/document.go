package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"kist/vault/markdown"
)

// property is a front-matter key with its value as plain text.
type property struct{ key, value string }

// yaml returns the value as YAML. Dates and times stay plain, as other programs
// that know them write them; everything else reads back as the same text.
func (p property) yaml() string {
	switch p.key {
	case "created", "start", "due", "deadline", "target_date", "end_date", "end", "expires":
		if !parseTime(p.value).IsZero() {
			return p.value
		}
	case "question_count":
		if _, err := strconv.Atoi(p.value); err == nil {
			return p.value
		}
	}
	return markdown.Quote(p.value)
}

// frontMatter writes a new front-matter block. Properties without a value are
// left out.
func frontMatter(fm []property, tags []string) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, p := range fm {
		if p.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", p.key, p.yaml())
		}
	}
	if len(tags) > 0 {
		fmt.Fprintf(&b, "tags: %s\n", markdown.QuoteList(tags))
	}
	b.WriteString("---\n")
	return b.String()
}

// stamp is now as front matter holds it.
func (v *Vault) stamp() string { return v.now().UTC().Format(time.RFC3339) }

// planSplice plans one edit of an existing document. An entity without a type is
// named by what its path and front matter say.
func (v *Vault) planSplice(e Entity, edit func(*markdown.Document) (markdown.Edit, error)) (Step, error) {
	clean, err := v.writablePath(e.Path)
	if err != nil {
		return Step{}, err
	}
	if !isMarkdown(clean) {
		return Step{}, fmt.Errorf("%w %q: kist edits Markdown only", ErrInvalidPath, clean)
	}
	doc, err := v.Document(clean)
	if err != nil {
		return Step{}, err
	}
	text := doc.Source()
	if err := checkText(clean, text); err != nil {
		return Step{}, err
	}
	if err := doc.Editable(); err != nil {
		return Step{}, fmt.Errorf("edit %s: %w", clean, err)
	}
	if e.Type == "" {
		e = v.entityOf(clean, text)
	}
	ed, err := edit(doc)
	if err != nil {
		return Step{}, fmt.Errorf("edit %s: %w", clean, err)
	}
	after := ed.Apply(text)
	// A line "---" in the new text may close a fence that stood open at the top,
	// and so turn half the document into front matter.
	if ed.Start > 0 && ed.Start >= doc.BodyStart() && markdown.Parse(after).BodyStart() != doc.BodyStart() {
		return Step{}, fmt.Errorf("edit %s: %w: the text would end an unclosed --- at the top of the file", clean, ErrInvalid)
	}
	e.Path = clean
	return Step{Type: OpUpdate, Entity: e, Changes: []Change{{Path: clean, Before: text, After: after}}}, nil
}

// entityOf names the entity that a document is, by its path and front matter.
func (v *Vault) entityOf(p string, text []byte) Entity {
	e := Entity{Type: cmp.Or(v.TypeOf(p), "document"), Path: p}
	if len(text) > maxEdit {
		return e
	}
	if fm, err := markdown.Parse(text).FrontMatter(); err == nil && fm != nil {
		e.ID = oneLine(fm.String("id"))
	}
	return e
}

// planSet plans to set several front-matter keys; an empty value removes the key.
func (v *Vault) planSet(e Entity, set []property) (Step, error) {
	if len(set) == 0 {
		return Step{}, fmt.Errorf("%w: nothing to set", ErrInvalid)
	}
	return v.planSplice(e, func(doc *markdown.Document) (markdown.Edit, error) {
		var settings []markdown.Setting
		for _, p := range set {
			settings = append(settings, markdown.Setting{Key: p.key, Value: p.yaml(), Unset: p.value == ""})
		}
		return doc.SetProperties(settings)
	})
}

// PlanSetProperty plans to set a front-matter key to a value in YAML.
func (v *Vault) PlanSetProperty(p, key, yamlValue string) (Step, error) {
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.SetProperty(key, yamlValue)
	})
}

// PlanUnsetProperty plans to remove a front-matter key. It returns ErrNotFound for
// a key that isn't there.
func (v *Vault) PlanUnsetProperty(p, key string) (Step, error) {
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		fm, err := doc.FrontMatter()
		if err != nil {
			return markdown.Edit{}, err
		}
		if fm == nil || !fm.Has(key) {
			return markdown.Edit{}, &NotFoundError{Kind: "front-matter key", Ref: key}
		}
		return doc.UnsetProperty(key)
	})
}

// PlanEditSection plans to replace, append to or prepend to a section's own text.
func (v *Vault) PlanEditSection(p, heading string, how markdown.How, text string) (Step, error) {
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.EditSection(heading, how, []byte(text))
	})
}

// A NewSection is a section to be put beside another one.
type NewSection struct {
	Beside  string // a heading, or heading path such as "Plan > Costs"
	Before  bool   // before that section instead of behind it and all below it
	Heading string
	Level   int // 1 to 6; 0: that of the section beside it
	Text    string
}

// PlanInsertSection plans a new section in an existing document.
func (v *Vault) PlanInsertSection(p string, n NewSection) (Step, error) {
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		if n.Before {
			return doc.InsertSectionBefore(n.Beside, n.Level, n.Heading, []byte(n.Text))
		}
		return doc.InsertSection(n.Beside, n.Level, n.Heading, []byte(n.Text))
	})
}

// PlanAppendItem plans to add a list item at the end of a section's list, as that
// list is written; section "" is the document's last one. With task it gets a
// checkbox whatever the other items have.
func (v *Vault) PlanAppendItem(p, section, text string, task bool) (Step, error) {
	if text = strings.TrimSpace(text); task && text != "" && !ownBox.MatchString(text) {
		text = "[ ] " + text
	}
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.AppendItem(section, text)
	})
}

// ownBox is how a text begins that brings its checkbox along.
var ownBox = regexp.MustCompile(`^\[.\](\s|$)`)

// PlanEditItem plans to give the checkbox on a 1-based line another text.
func (v *Vault) PlanEditItem(p string, line int, text string) (Step, error) {
	return v.planSplice(Entity{Type: "task", Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.EditItem(line, text)
	})
}

// PlanCheckItem plans to set or clear the checkbox on a 1-based line.
func (v *Vault) PlanCheckItem(p string, line int, checked bool) (Step, error) {
	return v.planSplice(Entity{Type: "task", Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.CheckItem(line, checked)
	})
}

// PlanCreateNote plans a new note in a project, or at the top of the vault.
func (v *Vault) PlanCreateNote(ctx context.Context, n NewNote, createdBy Actor) (Step, error) {
	title := oneLine(n.Title)
	if title == "" {
		return Step{}, fmt.Errorf("%w: a note needs a title", ErrInvalid)
	}
	dir := "."
	if n.Project != "" {
		p, err := v.Project(ctx, n.Project)
		if err != nil {
			return Step{}, err
		}
		dir = path.Join(v.layout.Projects, p.Slug, notesDir)
	}
	id := v.NewID()
	text := frontMatter([]property{{"id", id}, {"type", "note"}, {"created", v.stamp()}, {"created_by", string(createdBy)}}, nil)
	text += "\n# " + title + "\n"
	if body := strings.TrimRight(n.Text, "\n"); body != "" {
		text += "\n" + body + "\n"
	}
	p, err := v.freePath(dir, Slug(title))
	if err != nil {
		return Step{}, err
	}
	return Step{Type: OpCreate, Entity: Entity{Type: "note", ID: id, Path: p}, Changes: []Change{{Path: p, After: []byte(text)}}}, nil
}

// PlanAppendNote plans to add text at the end of an existing document.
func (v *Vault) PlanAppendNote(p, text string) (Step, error) {
	if strings.TrimSpace(text) == "" {
		return Step{}, fmt.Errorf("%w: nothing to append", ErrInvalid)
	}
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.AppendText([]byte(text)), nil
	})
}

// freePath returns dir/slug.md, or the first of slug-2, slug-3, ... that is free.
func (v *Vault) freePath(dir, slug string) (string, error) {
	return v.freeName(dir, slug, ".md", nil)
}

// freeName is freePath for any extension. What is taken, in lower case, is not free
// either; the name returned is taken then.
func (v *Vault) freeName(dir, stem, ext string, taken map[string]bool) (string, error) {
	for n := 1; n < 10000; n++ {
		name := stem + ext
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		p, err := v.writablePath(path.Join(dir, name))
		if err != nil {
			return "", err
		}
		if taken[strings.ToLower(p)] {
			continue
		}
		if _, err = v.lstat(p); err == nil || errors.Is(err, ErrNotDownloaded) {
			continue
		}
		if err := v.pathError("file", p, err); !errors.Is(err, ErrNotFound) {
			return "", err
		}
		if taken != nil {
			taken[strings.ToLower(p)] = true
		}
		return p, nil
	}
	return "", fmt.Errorf("%w: every name for %s", ErrExists, stem)
}

// maxEdit is the largest document that kist parses and edits, in bytes. Larger
// files are searched, as far as the index goes, but are hardly notes.
const maxEdit = 16 << 20

// checkText refuses what can't be edited as text.
func checkText(p string, text []byte) error {
	if !utf8.Valid(text) {
		at := 0
		for at < len(text) {
			r, n := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		return fmt.Errorf("%w: %s has a byte at offset %d that isn't", ErrNotText, p, at)
	}
	return nil
}

// FromOutside reports whether a document's text came from elsewhere, so that nobody
// here may have read it: another machine's commits brought it, its front matter says
// that it was clipped from the web (a source or url that is an address), or it is a
// note or a memory of a conversation in which such text was read. What can't be found
// out, for want of time or of a log that can be read, counts as from elsewhere.
func (v *Vault) FromOutside(ctx context.Context, p string) bool {
	if v.brought(ctx, p) {
		return true
	}
	head, _, err := v.ReadHead(p, maxFrontMatterHead)
	if err != nil {
		return !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNotRegular)
	}
	fm, err := markdown.Parse(head).FrontMatter()
	if err != nil || fm == nil {
		return false
	}
	for _, key := range []string{"source", "url"} {
		if s := strings.ToLower(fm.String(key)); strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
			return true
		}
	}
	return false
}

// maxFrontMatterHead is enough of a file to hold its front matter, in bytes.
const maxFrontMatterHead = 65 << 10

// brought reports whether the log says that a document's text came from elsewhere. A
// change by the user, or in an editor, ends that; what kist does with the document in
// a conversation doesn't, nor does giving it another name: else the text would only
// have to ask for that.
func (v *Vault) brought(ctx context.Context, p string) bool {
	if v.ops.refresh() != nil {
		return true
	}
	before := Seq(math.MaxInt64)
	for range maxRenames {
		from := ""
		for e, err := range v.ops.db.Operations(pathKey(p), "") {
			if err != nil || ctx.Err() != nil {
				return true
			}
			op, err := decodeOp(e.Value)
			if err != nil {
				return true
			}
			i := slices.IndexFunc(op.Changes, func(c FileChange) bool { return c.Path == p })
			if !op.took() || op.Seq >= before || i < 0 {
				continue
			}
			if op.Actor == ActorSync || op.Outside && (op.Entity.Type == "note" || op.Entity.Type == "memory") {
				return true
			}
			if from = op.Changes[i].From; from != "" {
				p, before = from, op.Seq
				break
			}
			if op.Turn == "" && (op.Actor == ActorUser || op.Actor == ActorEditor) {
				return false
			}
		}
		if from == "" {
			return false
		}
	}
	return true // renamed too often to tell
}

// maxRenames is how many earlier names of a document are looked at.
const maxRenames = 20
