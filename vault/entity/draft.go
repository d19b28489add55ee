package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/dimension"
	"kist/vault/markdown"
	"kist/vault/spelling"
)

// draftLife is how long a draft waits to be gone on with.
const draftLife = 7 * 24 * time.Hour

// The statuses of a draft.
const (
	draftInProgress = "in_progress"
	draftCompleted  = "completed"
	draftAbandoned  = "abandoned"
)

// A Draft is a project in the making, drafts/<slug>.md.
type Draft struct {
	ID          string
	FormerIDs   []string // see [Project]
	Slug        string   // its file's name without .md
	Path        string
	Name        string
	Description string // first paragraph of the body
	Status      string // in_progress, completed or abandoned
	Covered     []string
	FollowUp    []string // what is to be asked again later
	Questions   int      // how many were asked
	Created     time.Time
	Expires     time.Time
	Finalized   string // slug of the project that was made of it
	Session     string
	Dimensions  map[string]string // texts by key
	Tasks       []string          // titles in its Tasks section
	Unsorted    string            // text of its Unsorted section
	Modified    time.Time         // of its file
}

// A NewDraft says what draft to begin. Only Name is needed.
type NewDraft struct {
	Name        string
	Description string
	Session     string
}

// A DraftUpdate says what to set; nil leaves as it is.
type DraftUpdate struct {
	Name           *string
	Description    *string // in place of the first paragraph
	Status         *string
	Questions      *int
	AddFollowUp    []string
	RemoveFollowUp []string
}

// Drafts lists the drafts of a status, or all when it is empty, the one changed last
// first. A file that can't be read is passed over.
func Drafts(ctx context.Context, v *vault.Vault, status string) ([]Draft, error) {
	files, err := v.Names(v.Layout().Drafts, false)
	if err != nil {
		return nil, err
	}
	var out []Draft
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := readDraft(v, path.Join(v.Layout().Drafts, f))
		if err != nil {
			v.Log().Warn("draft passed over", "path", f, "err", err)
			continue
		}
		if status == "" || d.Status == status {
			out = append(out, d)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Modified.After(out[j].Modified) })
	return out, nil
}

// Draft finds a draft by slug, id or path, exactly. A [NotFoundError] suggests
// similar ones.
func FindDraft(ctx context.Context, v *vault.Vault, ref string) (Draft, error) {
	all, err := Drafts(ctx, v, "")
	if err != nil {
		return Draft{}, err
	}
	var names []string
	for _, d := range all {
		if d.Slug == ref || d.Path == ref || meant(ref, d.ID, d.FormerIDs) {
			return d, nil
		}
		names = append(names, d.Slug)
	}
	return Draft{}, &vault.NotFoundError{Kind: "draft", Ref: ref, Near: spelling.Near(ref, names)}
}

// maxListed is the size of the largest draft or memory that is read with all others, in
// bytes: each turn reads them, and megabytes in one file are no draft.
const maxListed = 1 << 20

// listed is Document for a file that is read with all others of its kind.
func listed(v *vault.Vault, p string) (*markdown.Document, vault.Info, error) {
	info, err := v.Stat(p)
	if err == nil && info.Size > maxListed {
		err = fmt.Errorf("%w: %s is larger than %d KiB", vault.ErrInvalid, p, maxListed>>10)
	}
	if err != nil {
		return nil, info, err
	}
	doc, err := v.Document(p)
	return doc, info, err
}

func readDraft(v *vault.Vault, p string) (Draft, error) {
	doc, info, err := listed(v, p)
	if err != nil {
		return Draft{}, err
	}
	slug := path.Base(p)[:len(path.Base(p))-len(".md")]
	d := Draft{
		Slug: slug, Path: p, Name: cmp.Or(doc.Title(), slug), Status: draftInProgress,
		Description: doc.FirstParagraph(), Dimensions: dimensionTexts(doc), Modified: info.ModTime,
		Unsorted: wholeText(doc, unsortedHeading),
	}
	for _, b := range draftTasks(doc) {
		d.Tasks = append(d.Tasks, b.task.Title)
	}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return d, nil
	}
	d.ID, d.FormerIDs = fm.String("id"), fm.Strings(catalog.FormerIDs)
	d.Name = cmp.Or(fm.String("name"), d.Name)
	d.Status = cmp.Or(fm.String("status"), d.Status)
	d.Covered = coveredIn(fm)
	d.FollowUp = fm.Strings("follow_up")
	d.Questions, _ = strconv.Atoi(fm.String("question_count"))
	d.Created = vault.ParseTime(fm.String("created"))
	d.Expires = vault.ParseTime(fm.String("expires"))
	d.Finalized = fm.String("finalized_project")
	d.Session = fm.String("session")
	return d, nil
}

// coveredIn returns the keys of the dimensions that front matter lists as covered.
func coveredIn(fm *markdown.FrontMatter) []string {
	var out []string
	for _, name := range fm.Strings("dimensions_covered") {
		if d, ok := dimension.Of(name); ok {
			name = d.Key
		}
		out = append(out, name)
	}
	return out
}

// ExpiredDrafts lists the drafts that are in progress and past their time, and that
// nothing happened in for a week. A draft that the user, or any editor, ever changed is
// theirs and never among them, nor one whose text is not what the log says that kist
// left.
func ExpiredDrafts(ctx context.Context, v *vault.Vault, now time.Time) ([]Draft, error) {
	all, err := Drafts(ctx, v, draftInProgress)
	if err != nil {
		return nil, err
	}
	var out []Draft
	for _, d := range all {
		if d.Expires.IsZero() || now.Before(d.Expires) {
			continue
		}
		own, err := v.LeftByAgent(ctx, d.Path, now.Add(-draftLife))
		if err != nil {
			return nil, err
		}
		if own {
			out = append(out, d)
		}
	}
	return out, nil
}

// draftIn finds a draft that must be in progress.
func draftIn(ctx context.Context, v *vault.Vault, ref string) (Draft, error) {
	d, err := FindDraft(ctx, v, ref)
	if err == nil && d.Status != draftInProgress {
		err = fmt.Errorf("%w: draft %s is %s", vault.ErrStatus, d.Slug, d.Status)
	}
	return d, err
}

func draftEntity(d Draft) vault.Entity { return vault.Entity{Type: "draft", ID: d.ID, Path: d.Path} }
