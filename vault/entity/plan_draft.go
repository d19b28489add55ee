package entity

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/dimension"
	"kist/vault/markdown"
)

// PlanCreateDraft plans drafts/<slug>.md, which expires seven days from now. It returns
// ErrExists when a draft of that name is in progress.
func PlanCreateDraft(ctx context.Context, v *vault.Vault, n NewDraft, createdBy vault.Actor) (vault.Step, error) {
	name := vault.OneLine(n.Name)
	if name == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a draft needs a name", vault.ErrInvalid), "say how the project is to be called that the draft is of")
	}
	open, err := Drafts(ctx, v, draftInProgress)
	if err != nil {
		return vault.Step{}, err
	}
	for _, d := range open {
		if strings.EqualFold(d.Name, name) {
			return vault.Step{}, fmt.Errorf("%w: draft %s", vault.ErrExists, d.Slug)
		}
	}
	p, err := v.FreePath(v.Layout().Drafts, vault.Slug(name))
	if err != nil {
		return vault.Step{}, err
	}
	id, now := v.NewID(), v.Now().UTC()
	text := frontMatter([]property{
		{"id", id}, {"type", "draft"}, {"name", name}, {"status", draftInProgress}, {"question_count", "0"},
		{"expires", now.Add(draftLife).Format(time.RFC3339)}, {"session", vault.OneLine(n.Session)},
		{"created", now.Format(time.RFC3339)}, {"created_by", string(createdBy)},
	}, nil) + "\n# " + name + "\n"
	d, err := sectionText(n.Description)
	if err != nil {
		return vault.Step{}, err
	}
	if d = strings.TrimSpace(d); d != "" {
		text += "\n" + d + "\n"
	}
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "draft", ID: id, Path: p}, Changes: []vault.Change{{Path: p, After: []byte(text)}}}, nil
}

// A DraftText is what is written into a draft's sections.
type DraftText struct {
	Dimension, Text, How string // as of [PlanSetDimension]; no Text: nothing
	Tasks                []NewTask
	Unsorted             []string // sentences that belong to none of the other sections
}

// PlanWriteDraft plans to set what the update names and to write into the sections, as
// one change of the file.
func PlanWriteDraft(ctx context.Context, v *vault.Vault, ref string, u DraftUpdate, t DraftText) (vault.Step, error) {
	d, err := draftIn(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	edits, err := draftEdits(d, u)
	if err != nil {
		return vault.Step{}, err
	}
	if t.Text != "" {
		more, err := draftDimensionEdits(t.Dimension, t.Text, t.How)
		if err != nil {
			return vault.Step{}, err
		}
		edits = append(edits, more...)
	}
	if len(t.Tasks) > 0 {
		edit, err := draftTaskEdit(t.Tasks)
		if err != nil {
			return vault.Step{}, err
		}
		edits = append(edits, edit)
	}
	if len(t.Unsorted) > 0 {
		text, err := sectionText(listOf(t.Unsorted, ""))
		if err != nil {
			return vault.Step{}, err
		}
		edits = append(edits, editStandard(unsortedHeading, markdown.Append, text))
	}
	if len(edits) == 0 {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: nothing to write", vault.ErrInvalid), "give the text of the section")
	}
	return planSplices(v, draftEntity(d), edits...)
}

func draftEdits(d Draft, u DraftUpdate) ([]splice, error) {
	var edits []splice
	if u.Name != nil {
		if vault.OneLine(*u.Name) == "" {
			return nil, vault.Hinted(fmt.Errorf("%w: a draft needs a name", vault.ErrInvalid), "say how the project is to be called that the draft is of")
		}
		edits = append(edits, renamed("name", d.Name, vault.OneLine(*u.Name))...)
	}
	if u.Description != nil {
		text, err := sectionText(*u.Description)
		if err != nil {
			return nil, err
		}
		edits = append(edits, describe(text))
	}
	if u.Status != nil {
		switch *u.Status {
		case draftInProgress, draftCompleted, draftAbandoned:
		default:
			return nil, fmt.Errorf("%w: %q is not one of in_progress, completed and abandoned", vault.ErrInvalid, vault.OneLine(*u.Status))
		}
		edits = append(edits, setKeys(property{"status", *u.Status}))
	}
	if u.Questions != nil {
		edits = append(edits, setKeys(property{"question_count", strconv.Itoa(max(0, *u.Questions))}))
	}
	for _, f := range u.AddFollowUp {
		edits = append(edits, addToList("follow_up", f))
	}
	for _, f := range u.RemoveFollowUp {
		edits = append(edits, removeFromList("follow_up", f))
	}
	return edits, nil
}

// setKeys is the splice that sets front-matter keys; an empty value removes the key.
func setKeys(set ...property) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		var settings []markdown.Setting
		for _, p := range set {
			settings = append(settings, markdown.Setting{Key: p.key, Value: p.yaml(), Unset: p.value == ""})
		}
		return doc.SetProperties(settings)
	}
}

func addToList(key, value string) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		if value = vault.OneLine(value); value == "" {
			return markdown.Edit{}, nil
		}
		return doc.AddToProperty(key, markdown.Quote(value))
	}
}

func removeFromList(key, value string) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		if value = vault.OneLine(value); value == "" {
			return markdown.Edit{}, nil
		}
		return noProperty(doc.RemoveFromProperty(key, markdown.Quote(value)))
	}
}

// describe is the splice that replaces the first paragraph below the title, or puts
// the text there. What else the document begins with stays behind it.
func describe(text string) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		src, start, end := doc.Source(), doc.BodyStart(), len(doc.Source())
		for _, s := range doc.Sections() {
			if s.Level <= 1 {
				start, end = max(s.ContentStart, doc.BodyStart()), s.End
			}
			if s.Level >= 1 {
				if s.Level > 1 && end == len(src) {
					end = s.Start
				}
				break
			}
		}
		nl := "\n"
		if strings.Contains(string(src), "\r\n") {
			nl = "\r\n"
		}
		own := string(src[start:end])
		lead := len(own) - len(strings.TrimLeft(own, "\r\n \t"))
		first, rest := own[lead:], ""
		if i := strings.Index(first, nl+nl); i >= 0 {
			first, rest = first[:i], first[i:]
		} else {
			rest = first[len(strings.TrimRight(first, "\r\n \t")):]
			first = first[:len(first)-len(rest)]
		}
		if squeeze(markdown.Parse([]byte("\n"+first)).FirstParagraph()) != squeeze(doc.FirstParagraph()) || doc.FirstParagraph() == "" {
			if strings.TrimSpace(first+rest) != "" {
				rest = nl + nl + first + rest // a list or such: it stays below
			}
		}
		out := nl + strings.ReplaceAll(text, "\n", nl) + rest
		if !strings.HasSuffix(out, nl) {
			out += nl
		}
		if end < len(src) && !strings.HasSuffix(out, nl+nl) {
			out += nl
		}
		ed := markdown.Edit{Start: start, End: end, Text: []byte(out)}
		after := markdown.Parse(ed.Apply(src))
		if len(after.Sections()) < len(doc.Sections()) || text != "" && squeeze(after.FirstParagraph()) != squeeze(markdown.Parse([]byte("\n"+text)).FirstParagraph()) {
			return markdown.Edit{}, fmt.Errorf("%w: the description has no place before the first section", markdown.ErrUnsupported)
		}
		return ed, nil
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func draftDimensionEdits(key, text, how string) ([]splice, error) {
	dim, edit, err := dimensionSplice(key, text, how)
	if err != nil {
		return nil, err
	}
	return []splice{edit, func(doc *markdown.Document) (markdown.Edit, error) {
		fm, err := doc.FrontMatter()
		if err != nil {
			return markdown.Edit{}, err
		}
		listed := ""
		if fm != nil {
			for _, name := range fm.Strings("dimensions_covered") {
				if other, ok := dimension.Of(name); ok && other == dim {
					listed = name
				}
			}
		}
		covered := strings.TrimSpace(wholeText(doc, dim.Heading)) != ""
		switch {
		case covered && listed == "":
			return doc.AddToProperty("dimensions_covered", dim.Key)
		case !covered && listed != "":
			return doc.RemoveFromProperty("dimensions_covered", markdown.Quote(listed))
		}
		return markdown.Edit{}, nil
	}}, nil
}

func draftTaskEdit(tasks []NewTask) (splice, error) {
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%w: no task to add", vault.ErrInvalid)
	}
	for _, t := range tasks {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	text, err := sectionText(box.Lines(tasks, ""))
	if err != nil {
		return nil, err
	}
	return editStandard(tasksHeading, markdown.Append, text), nil
}

// PlanAbandonDraft plans to give a draft up. Its file stays.
func PlanAbandonDraft(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	d, err := draftIn(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	return planSplices(v, draftEntity(d), setKeys(property{"status", draftAbandoned}))
}

// PlanExpireDraft is [PlanAbandonDraft] for a draft of [Vault.ExpiredDrafts].
func PlanExpireDraft(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	step, err := PlanAbandonDraft(ctx, v, ref)
	step.Reason = "nobody went on with this draft in time"
	return step, err
}
