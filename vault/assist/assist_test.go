package assist_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kist/vault"
	"kist/vault/assist"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/names"
)

type fixture struct {
	*testing.T
	vault *vault.Vault
	desk  *assist.Desk
}

func start(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := func() time.Time { return time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC) }
	v, err := vault.Open(t.Context(), dir, vault.Options{Now: now, Device: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return &fixture{t, v, assist.New(v)}
}

func archive(text string) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// texts returns all documents.
func (f *fixture) texts() map[string]string {
	f.Helper()
	all := map[string]string{}
	err := f.vault.Walk(f.Context(), func(i vault.Info) error {
		text, err := f.vault.Read(i.Path)
		all[i.Path] = string(text)
		return err
	}, nil)
	if err != nil {
		f.Fatal(err)
	}
	return all
}

// at makes a question of a path, a text in it and how far into that, and maybe buffers.
func (f *fixture) at(p, text string, in int, buffers ...names.Buffer) assist.Question {
	f.Helper()
	src, _ := f.vault.Read(p)
	for _, b := range buffers {
		if b.Path == p {
			src = b.Text
		}
	}
	i := bytes.Index(src, []byte(text))
	if i < 0 {
		f.Fatalf("%q isn't in %s: %q", text, p, src)
	}
	return assist.Question{Path: p, At: i + in, Buffers: buffers}
}

func (f *fixture) apply(r assist.Renaming, err error) []vault.Operation {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
	ops, err := f.vault.Apply(f.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser, Client: "test"}, Steps: []vault.Step{r.Step}})
	if err != nil {
		f.Fatal(err)
	}
	if len(ops) != 1 {
		f.Fatalf("%d operations, want one", len(ops))
	}
	return ops
}

const garden = `
-- notes/Old bread.md --
---
aliases: [Loaf]
tags: [food/bread, "#Baking"]
---
# Old bread

## Steps
See [[#Steps]] and [oven](../tools/oven.md#heat-up).

A line ^one
-- tools/oven.md --
# Oven
## Heat up!
Back to [bread](<../notes/Old bread.md#Steps>), [again](../notes/Old%20bread.md#steps "t").
-- index.md --
---
up: "[[Old bread]]"
related:
  - '[[notes/Old bread#Steps|s]]'
---
[[old bread]], ![[Old bread#^one]], [[Loaf]], [[Old bread#Steps|x]] #food/bread/rye #food
` + "`[[Old bread]] #food`\n\n```\n[[Old bread]] #food\n```\n" + `
| [[Old bread\|b]] | c |
|---|---|

[ref]: notes/Old%20bread.md
-- deep/er/Bread two.md --
Same [[../../notes/Old bread]] and [[nowhere]].
`

func TestRenameNote(t *testing.T) {
	f := start(t, archive(garden))
	before := f.texts()
	r, err := f.desk.PlanRename(t.Context(), f.at("index.md", "[[old bread]]", 4), "New bread")
	ops := f.apply(r, err)
	after := f.texts()
	want := maps.Clone(before)
	want["notes/New bread.md"] = before["notes/Old bread.md"]
	delete(want, "notes/Old bread.md")
	want["tools/oven.md"] = strings.NewReplacer("notes/Old bread", "notes/New bread", "notes/Old%20bread", "notes/New%20bread").Replace(before["tools/oven.md"])
	head, code, tail := cut(before["index.md"])
	rename := strings.NewReplacer("Old bread", "New bread", "[[old bread", "[[New bread", "Old%20bread", "New%20bread")
	want["index.md"] = rename.Replace(head) + code + rename.Replace(tail)
	want["deep/er/Bread two.md"] = strings.ReplaceAll(before["deep/er/Bread two.md"], "Old", "New")
	if diff := cmp.Diff(want, after); diff != "" {
		t.Error(diff)
	}
	f.undone(ops, before)
}

// cut takes the code out of index.md.
func cut(text string) (head, code, tail string) {
	i, j := strings.Index(text, "`[["), strings.LastIndex(text, "```")
	return text[:i], text[i:j], text[j:]
}

func (f *fixture) undone(ops []vault.Operation, want map[string]string) {
	f.Helper()
	if _, err := f.vault.Undo(f.Context(), vault.UndoTarget{ID: ops[0].ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		f.Fatal(err)
	}
	if diff := cmp.Diff(want, f.texts()); diff != "" {
		f.Errorf("after undo: %s", diff)
	}
}

func TestRenameHeading(t *testing.T) {
	f := start(t, archive(garden))
	before := f.texts()
	r, err := f.desk.PlanRename(t.Context(), f.at("notes/Old bread.md", "## Steps", 5), "What to do: now?")
	ops := f.apply(r, err)
	after := f.texts()
	for p, want := range map[string][]string{
		"notes/Old bread.md": {"## What to do: now?\n", "[[#What to do now?]]"},
		"tools/oven.md":      {"#What%20to%20do%20now%3F>", `#what-to-do-now "t")`},
		"index.md":           {"'[[notes/Old bread#What to do now?|s]]'", "[[Old bread#What to do now?|x]]", "[[Old bread#^one]]"},
	} {
		for _, w := range want {
			if p == "tools/oven.md" && strings.HasSuffix(w, ">") {
				w = "#What to do now?>"
			}
			if !strings.Contains(after[p], w) {
				t.Errorf("%s lacks %q:\n%s", p, w, after[p])
			}
		}
	}
	f.undone(ops, before)
	// The address of a heading with punctuation.
	r, err = f.desk.PlanRename(t.Context(), f.at("tools/oven.md", "Heat", 1), "Warm it")
	f.apply(r, err)
	if text := f.texts()["notes/Old bread.md"]; !strings.Contains(text, "oven.md#warm-it)") {
		t.Error(text)
	}
}

func TestRenameTag(t *testing.T) {
	f := start(t, archive(garden))
	before := f.texts()
	r, err := f.desk.PlanRename(t.Context(), f.at("index.md", "#food\n", 2), "#Essen")
	ops := f.apply(r, err)
	want := maps.Clone(before)
	want["notes/Old bread.md"] = strings.Replace(before["notes/Old bread.md"], "food/bread", "Essen/bread", 1)
	head, code, tail := cut(before["index.md"])
	want["index.md"] = strings.ReplaceAll(head, "#food", "#Essen") + code + tail
	if diff := cmp.Diff(want, f.texts()); diff != "" {
		t.Error(diff)
	}
	f.undone(ops, before)
	for _, bad := range []string{"", "1", "a b", "a#b", "/a", "a//b"} {
		if _, err := f.desk.PlanRename(t.Context(), f.at("index.md", "#food\n", 2), bad); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What looks like a tag in a link's target is the heading that it leads to.
func TestRenameTagSparesAnchors(t *testing.T) {
	f := start(t, map[string]string{
		"a.md": "#place [[b #place]] [b](<b.md #place>) [[b|a #place]]\n",
		"b.md": "# place\n",
	})
	r, err := f.desk.PlanRename(t.Context(), f.at("a.md", "#place", 2), "spot")
	f.apply(r, err)
	if got, want := f.texts()["a.md"], "#spot [[b #place]] [b](<b.md #place>) [[b|a #spot]]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of links that are written into each other one is written anew, and the other one told.
func TestMoveOfLinksInLinks(t *testing.T) {
	f := start(t, map[string]string{
		"sub/a.md": "[x](y](z.md).md)\n", "z.md": "z\n", "sub/z.md": "z\n", "y](z.md).md": "y\n", "sub/y](z.md).md": "y\n",
	})
	r, err := f.desk.PlanMove(t.Context(), f.at("sub/a.md", "x", 0), "deep/a.md", true)
	f.apply(r, err)
	if got, want := f.texts()["deep/a.md"], "[x](../sub/y]%28z.md%29.md)\n"; got != want || len(r.Left) != 1 {
		t.Errorf("%q, want %q; left are %v", got, want, r.Left)
	}
}

// A link that found a document by its file finds it by its file afterwards, also where its title
// says the same: other programs go by files.
func TestMoveOfWhatIsCalledAlike(t *testing.T) {
	f := start(t, map[string]string{
		"a.md":              "[[internal links]] ![[Internal links#Use]] [i](Internal%20links.md) [[Links inside]]\n",
		"Internal links.md": "---\naliases: [Links inside]\n---\n# Internal Links\n\n## Use\n",
	})
	r, err := f.desk.PlanMove(t.Context(), f.at("Internal links.md", "Use", 0), "Own links.md", true)
	f.apply(r, err)
	if got, want := f.texts()["a.md"], "[[Own links]] ![[Own links#Use]] [i](Own%20links.md) [[Links inside]]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What Obsidian's user excluded, and templates, are offered behind all else.
func TestCompleteExcludedLast(t *testing.T) {
	f := start(t, map[string]string{
		".obsidian/app.json": `{"userIgnoreFilters": ["Archive/"]}`, ".obsidian/templates.json": `{"folder": "Meta"}`,
		"Archive/plan.md": "# Plan\n", "Meta/planning.md": "# {{title}}\n", "old plans.md": "x\n",
	})
	got, err := f.desk.Complete(t.Context(), assist.Question{}, assist.Blank{Kind: assist.Note, Prefix: "plan"}, 0)
	var paths []string
	for _, c := range got.List {
		paths = append(paths, c.Path)
	}
	if want := []string{"old plans.md", "Archive/plan.md", "Meta/planning.md"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, %v", paths, err)
	}
}

// Attachments are known by name, in any folder, as Obsidian finds them: to what isn't there a link
// is dead, and what shows one is offered them before documents.
func TestAttachments(t *testing.T) {
	f := start(t, map[string]string{
		"Files/doc.pdf": "x", "Files/board.canvas": "{}", "Files/more/photo.PNG": "x", "a/doc.md": "# Doc\n", "Node.js.md": "# Node\n", ".gitignore": "Files\n",
		"new.md": "![[photo.png|300]] [[doc.pdf#page=2]] [[more/photo.png]] [[Node.js]] ![[board.canvas]] [[../x.pdf]] [[.hidden.png]]\n![[gone.png]] [[gone.pdf#page=3]] [[other/photo.png]]\n\n![[do", "kist.yaml": "# doors\n", "operations/1-do.yaml": "a: b\n", "sessions/do.yaml": "a: b\n",
	})
	faults, _, err := f.desk.Check(t.Context(), assist.Question{Path: "new.md"})
	var dead []string
	for _, fault := range faults {
		dead = append(dead, fault.Code+" "+fault.Message)
	}
	want := []string{`dead_link no file is called "gone.png"`, `dead_link no file is called "gone.pdf"`, `dead_link no file is called "other/photo.png"`}
	if err != nil || !slices.Equal(dead, want) {
		t.Errorf("%q, %v", dead, err)
	}
	got, err := f.desk.CompleteAt(t.Context(), assist.Question{Path: "new.md", At: 1 << 20}, 0)
	if err != nil || len(got.List) != 2 || got.List[0].Text != "doc.pdf" || got.List[1].Path != "a/doc.md" {
		t.Errorf("%+v, %v", got.List, err)
	}
}

// A rename that changes letters into capitals alone is one for links that are paths, too.
func TestMoveToCapitals(t *testing.T) {
	f := start(t, map[string]string{"a.md": "[n](c/m.md#x) [[m]] [[c/m|M]] ![[M]] [[Title]]\n", "c/m.md": "# Title\n## x\n"})
	r, err := f.desk.PlanMove(t.Context(), f.at("c/m.md", "Title", 0), "c/M.md", true)
	f.apply(r, err)
	if got, want := f.texts()["a.md"], "[n](c/M.md#x) [[M]] [[c/M|M]] ![[M]] [[Title]]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A link to a heading finds it without its punctuation, and with code in it, as Obsidian writes
// such links, and goes along when it is renamed; one that says all of it goes first.
func TestAnchorsWithoutPunctuation(t *testing.T) {
	f := start(t, map[string]string{
		"a.md": "[[b#How large can it be]] [[b#Who A B C]] [[b#`move`|move]] [[b#Sums#C++]] [[b#Sums#C]] [[b#Sums#C plus]]\n",
		"b.md": "# How large can it be?\n# Who: A & B / C\n## `move`\n# Sums\n## C++\n## C\n",
	})
	faults, _, err := f.desk.Check(t.Context(), assist.Question{Path: "a.md"})
	if err != nil || len(faults) != 1 || faults[0].Message != `b.md has no heading "Sums#C plus"` {
		t.Errorf("%+v, %v", faults, err)
	}
	r, err := f.desk.PlanRename(t.Context(), f.at("b.md", "How large", 2), "Which size?")
	f.apply(r, err)
	r, err = f.desk.PlanRename(t.Context(), f.at("b.md", "move", 0), "Move on")
	f.apply(r, err)
	r, err = f.desk.PlanRename(t.Context(), f.at("b.md", "Who: A", 2), "Whom?")
	f.apply(r, err)
	if got, want := f.texts()["a.md"], "[[b#Which size?]] [[b#Whom?]] [[b#Move on|move]] [[b#Sums#C++]] [[b#Sums#C]] [[b#Sums#C plus]]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRenameLeavesBuffersOut(t *testing.T) {
	f := start(t, archive(garden))
	buffer := names.Buffer{Path: "index.md", Text: []byte("Unsaved: [[Old bread]] \U0001F35E [[Old bread]]\n")}
	r, err := f.desk.PlanRename(t.Context(), f.at("index.md", "Old", 1, buffer), "Rye")
	ops := f.apply(r, err)
	if slices.ContainsFunc(ops[0].Changes, func(c vault.FileChange) bool { return c.Path == "index.md" }) {
		t.Error("the file of a buffer was written")
	}
	if len(r.Edits) != 2 || r.Edits[1].New != "Rye" || r.Edits[1].Start.UTF16 != 28 || r.Edits[1].Start.Column != 30 {
		t.Errorf("edits: %+v", r.Edits)
	}
	if _, err := f.desk.PlanRename(t.Context(), f.at("notes/Rye.md", "one", 0, names.Buffer{Path: "notes/Rye.md", Text: []byte("one [[Rye]]")}), "X"); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("rename without a subject: %v", err)
	}
}

// A document whose own text is unsaved is moved as its file has it; what it has to change is
// its editor's, as is all of one that was never saved.
func TestRenameOfWhatIsUnsaved(t *testing.T) {
	f := start(t, archive(garden))
	before := f.texts()
	buffer := names.Buffer{Path: "tools/oven.md", Text: []byte("# Oven\nBack to [bread](<../notes/Old bread.md>), unsaved.\n")}
	r, err := f.desk.PlanMove(t.Context(), f.at("tools/oven.md", "Oven", 0, buffer), "oven.md", true)
	ops := f.apply(r, err)
	after := f.texts()
	if after["oven.md"] != before["tools/oven.md"] || !strings.Contains(after["notes/Old bread.md"], "[oven](../oven.md#heat-up)") || r.From != "tools/oven.md" {
		t.Errorf("%q", after)
	}
	if len(r.Edits) != 1 || r.Edits[0].Path != "tools/oven.md" || r.Edits[0].New != "notes/Old bread.md" {
		t.Errorf("edits: %+v", r.Edits)
	}
	f.undone(ops, before)

	never := names.Buffer{Path: "deep/nowhere.md", Text: []byte("# No file\n[[nowhere]]\n")}
	r, err = f.desk.PlanRename(t.Context(), f.at("deep/er/Bread two.md", "nowhere", 1, never), "somewhere")
	ops = f.apply(r, err)
	if got := f.texts(); got["deep/er/Bread two.md"] != "Same [[../../notes/Old bread]] and [[somewhere]].\n" || len(ops[0].Changes) != 1 {
		t.Errorf("%q, %v", got, ops[0].Changes)
	}
	if r.From != "deep/nowhere.md" || r.Path != "deep/somewhere.md" || len(r.Edits) != 1 || r.Edits[0].New != "somewhere" {
		t.Errorf("%+v", r)
	}
	f.undone(ops, before)
	alone := names.Buffer{Path: "alone.md", Text: []byte("x\n")}
	if r, err := f.desk.PlanMove(t.Context(), f.at("alone.md", "x", 0, alone), "other.md", true); err != nil || len(r.Step.Changes) > 0 || r.From != "alone.md" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRenameByTitle(t *testing.T) {
	f := start(t, archive(`
-- projects/boat/project.md --
---
type: project
name: Houseboat
---
# Houseboat
-- a.md --
[[Houseboat]] and [[boat/project]].
-- h.md --
# Long title
-- b.md --
[[Long title#Long title]]
-- n.md --
[[plain]]
-- plain.md --
nothing
`))
	f.apply(f.desk.PlanRename(t.Context(), f.at("a.md", "Houseboat", 2), "Ship"))
	f.apply(f.desk.PlanRename(t.Context(), f.at("b.md", "Long", 2), "Short"))
	got := f.texts()
	if got["a.md"] != "[[Ship]] and [[boat/project]].\n" || !strings.Contains(got["projects/boat/project.md"], "name: Ship\n") || got["b.md"] != "[[Short#Short]]\n" || got["h.md"] != "# Short\n" {
		t.Error(got)
	}
	if _, err := f.desk.PlanRename(t.Context(), f.at("a.md", "boat/project", 2), "x"); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("a project's document: %v", err)
	}
	_, err := f.desk.PlanRename(t.Context(), f.at("n.md", "plain", 2), "What: is it?")
	if hint, ok := errors.AsType[*vault.HintedError](err); !ok || !strings.Contains(hint.Hint, ": * ?") {
		t.Errorf("a name that can't be: %v", err)
	}
}

// After any rename each link means what it meant before, no other byte is changed, and undo
// restores every byte.
func TestRenameKeepsMeaning(t *testing.T) {
	rounds := 40
	if os.Getenv("KIST_LONG") != "" {
		rounds = 1500
	}
	for seed := range uint64(rounds) {
		files, moves := randomVault(rand.New(rand.NewPCG(seed, 1)))
		f := start(t, files)
		before := f.texts()
		meant := f.meanings()
		from, to := moves[0], moves[1]
		r, err := f.desk.PlanMove(t.Context(), assist.Question{Path: from}, to, true)
		if errors.Is(err, vault.ErrExists) || errors.Is(err, vault.ErrNoChange) {
			continue
		}
		ops := f.apply(r, err)
		for i, l := range f.meanings() {
			if rest, moved := strings.CutPrefix(i, to+" "); moved {
				i = from + " " + rest
			}
			want := meant[i]
			if want == from {
				want = to
			}
			if l != want && want != "" && len(r.Left) == 0 {
				t.Errorf("seed %d, %s to %s: link %s meant %q and now %q\n%v", seed, from, to, i, want, l, f.texts())
			}
		}
		f.undone(ops, before)
		if t.Failed() {
			return
		}
	}
}

// meanings says what each link of each document means.
func (f *fixture) meanings() map[string]string {
	f.Helper()
	all := map[string]string{}
	for p := range f.texts() {
		links, _, err := f.desk.Links(f.Context(), assist.Question{Path: p})
		if err != nil {
			f.Fatal(err)
		}
		for i, l := range links {
			all[fmt.Sprintf("%s %d", p, i)] = l.Path
		}
	}
	return all
}

func randomVault(r *rand.Rand) (files map[string]string, move [2]string) {
	folders := []string{"", "a/", "b/", "a/b/", "b c/"}
	names := []string{"x", "X y", "it's", "ä (1)", "50%", "q\"q"}
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	anyPath := func() string { return pick(folders) + pick(names) }
	files = map[string]string{}
	for range 3 + r.IntN(6) {
		from := anyPath() + ".md"
		var b strings.Builder
		fmt.Fprintf(&b, "---\nup: %s\n---\n", markdown.Quote("[["+anyPath()+"]]"))
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "# %s\n", pick(names))
		}
		for range r.IntN(6) {
			target := anyPath()
			switch r.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "[[%s|t]] ", target)
			case 1:
				fmt.Fprintf(&b, "![[%s#h]]\r\n", path.Base(target))
			case 2:
				rel, _ := filepath.Rel("/"+path.Dir(from), "/"+target+".md")
				fmt.Fprintf(&b, "[a](<%s>)\n", strings.ReplaceAll(rel, "%", "%25"))
			case 3:
				fmt.Fprintf(&b, "[a](/%s.md \"t\")\n", strings.NewReplacer(" ", "%20", "%", "%25", "(", "%28", ")", "%29").Replace(target))
			default:
				fmt.Fprintf(&b, "`[[%s]]` text\n", target)
			}
		}
		files[from] = b.String()
	}
	paths := slices.Sorted(maps.Keys(files))
	return files, [2]string{pick(paths), anyPath() + ".md"}
}

func TestComplete(t *testing.T) {
	f := start(t, archive(garden+`
-- people/Anna.md --
---
type: person
---
-- projects/boat/project.md --
---
type: project
name: Houseboat
status: activ
---
`))
	for _, c := range []struct{ text, want, rest string }{
		{"See [[bre", "note Bread two|Old bread", ""},
		{"See [[loaf", "note Old bread", ""},
		{"See [[Old bread#st", "heading Steps", ""},
		{"See [[Loaf^", "block #^one", ""},
		{"See [[Old bread#^o", "block one", ""},
		{"a #foo", "tag food|food/bread|food/bread/rye", ""},
		{"do 📅 to", "date 2026-11-24|2026-11-25", ""},
		{"do [due:: 2026-11-2", "date 2026-11-24|2026-11-25|2026-11-26|2026-11-27|2026-11-28|2026-11-29", ""},
		{"ask @an", "person [[Anna]]", ""},
		{"---\nty", "key type: ", "\n---\n"},
		{"---\ntype: task\nstatus: d", "value done", "\n---\n"},
		{"---\ntags:\n  - bak", "value Baking", "\n---\n"},
		{"---\ntags: [x, foo", "value food|food/bread|food/bread/rye", "\n---\n"},
		{"---\nproject: b", "value boat", "\n---\n"},
		{"see `code [[br", "", ""}, // code that is being written
		{"``a ` [[br", "", ""},
		{"`a` [[br", "note Bread two|Old bread", ""},
		{"it`s [[br", "note Bread two|Old bread", ""},
		{"`code [[br", "", "` more"},
		{"`[[", "", "`"},
		{"- item `[[br", "", "`\n"},
		{"a\nb `[[br", "", "` c\nd"},
		{"> quote `[[br", "", "`"},
		{"> - [ ] quote `[[br", "", "`"},
		{"| a | `[[br", "", "` |\n"},
		{"# head `[[br", "", "`"},
		{"text `v1.", "", "`"},
		{"text `[[v1.", "", "`"},
		{"`` a ` [[br", "", " ``"},
		{"    [[br", "", ""},
		{"```\n[[br", "", ""},
		{"# not a tag: #", "tag Baking|food|food/bread|food/bread/rye", ""},
		{"a#b", "", ""},
		{"## ", "", ""},
		{"---\ntags: [foo", "value food|food/bread|food/bread/rye", ""}, // what has no end yet
		{"---\ntitle: A\ntags:\n  - bak", "value Baking", ""},
		{"---\n\nSome text\nst", "", ""},
	} {
		q := assist.Question{Path: "new.md", At: len(c.text), Buffers: []names.Buffer{{Path: "new.md", Text: []byte(c.text + c.rest)}}}
		got, err := f.desk.CompleteAt(t.Context(), q, 0)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, l := range got.List {
			texts = append(texts, l.Text)
		}
		slices.Sort(texts)
		if have := strings.TrimSpace(string(got.Blank.Kind) + " " + strings.Join(texts, "|")); have != strings.TrimSpace(c.want) {
			t.Errorf("%q: %q, want %q", c.text, have, c.want)
		}
	}
	// Headings of all documents, also of one that isn't saved.
	q := assist.Question{Buffers: []names.Buffer{{Path: "new.md", Text: []byte("# New\n\n### Next steps\n")}}}
	got, err := f.desk.Complete(t.Context(), q, assist.Blank{Kind: assist.Heading, Prefix: "STEP"}, 0)
	if err != nil || len(got.List) != 2 || got.List[0].Label != "## Steps" || got.List[0].Where.Path != "notes/Old bread.md" || got.List[1].Where.Start.Line != 2 {
		t.Errorf("%+v, %v", got.List, err)
	}
	if got, err = f.desk.Complete(t.Context(), q, assist.Blank{Kind: assist.Heading, Prefix: "old bread"}, 0); len(got.List) != 0 {
		t.Errorf("what a document is called: %+v, %v", got.List, err)
	}
	// One that begins so comes first, however many documents before it only hold the text.
	many := map[string]string{"z/last.md": "# Last\n## Part\n"}
	for i := range 210 {
		many[fmt.Sprintf("%d.md", i)] = "## A part of it\n"
	}
	if got, err = start(t, many).desk.Complete(t.Context(), assist.Question{}, assist.Blank{Kind: assist.Heading, Prefix: "part"}, 3); err != nil || len(got.List) != 3 || !got.More || got.List[0].Path != "z/last.md" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := f.desk.Complete(t.Context(), assist.Question{}, assist.Blank{Kind: "nonsense"}, 0); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestCheck(t *testing.T) {
	f := start(t, archive(garden+`
-- bread.md --
---
id: 01J
type: draft
status: maybe
expires: 2026-01-01
---
[[nowhere]] [[oven#Nothing]] [[bread]] [x](gone.md) [y](pic.png) [[pic.png]] [[Old bread^one]]
<<<<<<< HEAD
a
=======
b
>>>>>>> main
-- sub/bread.md --
---
id: 01J
---
-- broken.md --
---
a: [b
---
`))
	got := func(p string) (codes []string) {
		faults, _, err := f.desk.Check(context.Background(), assist.Question{Path: p})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			codes = append(codes, fmt.Sprintf("%d:%d %s", fault.Where.Start.Line, fault.Where.Start.Column, fault.Code))
		}
		return codes
	}
	want := []string{"1:4 duplicate_id", "3:8 unknown_status", "6:0 dead_link", "6:12 dead_anchor", "6:39 dead_link", "6:52 dead_link", "6:65 dead_link", "6:77 dead_link", "7:0 conflict_markers"}
	if diff := cmp.Diff(want, got("bread.md")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"1:4 front_matter"}, got("broken.md")); diff != "" {
		t.Error(diff)
	}
	for text, at := range map[string]string{"---\nstatus: a\ntitle: b: c\n---\n": "2:8", "---\ntags: [a\n---\n": "1:7", "---\nid: \"x\n---\n": "1:4"} {
		faults, _, err := f.desk.Check(context.Background(), assist.Question{Path: "new.md", Buffers: []names.Buffer{{Path: "new.md", Text: []byte(text)}}})
		if err != nil || len(faults) != 1 || fmt.Sprintf("%d:%d", faults[0].Where.Start.Line, faults[0].Where.Start.Column) != at {
			t.Errorf("%q: %+v, %v, want one at %s", text, faults, err, at)
		}
	}
	if faults := got("tools/oven.md"); len(faults) > 0 {
		t.Error(faults)
	}
}

// The cards of canvases follow a document that moves, as one operation with its links; all else
// in them stays as it is written.
func TestMoveTakesCardsAlong(t *testing.T) {
	const canvas = "{\n\t\"nodes\":[ {\"id\":\"1\",\"file\":\"c\\/a & b.md\" , \"x\":1.50},{\"type\":\"text\",\"text\":\"c/a & b.md\"}, {\"file\":\"d.md\"}],\n\"edges\":[]}"
	f := start(t, map[string]string{"c/a & b.md": "# A\n", "sub/board.canvas": canvas, "torn.canvas": canvas[:80]})
	ops := f.apply(f.desk.PlanMove(t.Context(), assist.Question{Path: "c/a & b.md"}, "e/a & ü.md", true))
	read := func(p, want string) {
		if got, err := f.vault.Read(p); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", p, got, err)
		}
	}
	read("sub/board.canvas", strings.Replace(canvas, `c\/a & b.md`, "e/a & ü.md", 1))
	read("torn.canvas", canvas[:80])
	if _, err := f.vault.Undo(t.Context(), vault.UndoTarget{IDs: []string{ops[0].ID}}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	read("sub/board.canvas", canvas)
}

// A link in the text of a card means what it meant when the document that it leads to has moved.
func TestMoveTakesTextCardsAlong(t *testing.T) {
	const canvas = `{"nodes":[{"id":"1", "type":"text","text":"# Wisteria\nSee [[Garden]], [[Garden|it]] & [it](Garden.md); [[Robert]]","x":0},{"type":"text","text":"[[Robert]] \u00e9","file":"Garden.md"},{"type":"file","file":"Garden.md"}]}`
	f := start(t, map[string]string{"Garden.md": "# Plot\n", "Robert.md": "x\n", "board.canvas": canvas})
	ops := f.apply(f.desk.PlanMove(t.Context(), assist.Question{Path: "Garden.md"}, "Old/Yard.md", true))
	want := `{"nodes":[{"id":"1", "type":"text","text":"# Wisteria\nSee [[Yard]], [[Yard|it]] & [it](Old/Yard.md); [[Robert]]","x":0},{"type":"text","text":"[[Robert]] \u00e9","file":"Garden.md"},{"type":"file","file":"Old/Yard.md"}]}`
	if got, err := f.vault.Read("board.canvas"); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if _, err := f.vault.Undo(t.Context(), vault.UndoTarget{IDs: []string{ops[0].ID}}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	if got, err := f.vault.Read("board.canvas"); err != nil || string(got) != canvas {
		t.Errorf("%s, %v", got, err)
	}
}

// A link in an expression of Obsidian's Bases means what it meant, and nothing else in it changes.
func TestMoveTakesBasesAlong(t *testing.T) {
	const base = "\ufefffilters: # [Garden]\r\n    and:\r\n        - 'file.hasLink(\"[[Garden]]\")'\r\n        - author == link(\"[[Garden#Plot|the plot]]\")\r\n        - file.name != \"Garden\"\r\n        - list('[[Robert]]', '[[Nobody]]', '[[Gar')"
	f := start(t, map[string]string{"Garden.md": "# Plot\n", "Robert.md": "x\n", "sub/plants.BASE": base})
	read := func(want string) {
		t.Helper()
		if got, err := f.vault.Read("sub/plants.BASE"); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	ops := f.apply(f.desk.PlanMove(t.Context(), assist.Question{Path: "Garden.md"}, "Old/Yard & Ü.md", true))
	if len(ops) != 1 {
		t.Errorf("%d operations", len(ops))
	}
	read(strings.ReplaceAll(base, "[[Garden", "[[Yard & Ü"))
	if _, err := f.vault.Undo(t.Context(), vault.UndoTarget{IDs: []string{ops[0].ID}}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	read(base)
	plan, err := f.desk.PlanMove(t.Context(), assist.Question{Path: "Garden.md"}, "Ann's.md", true)
	if err != nil || len(plan.Left) != 2 || plan.Left[0].Path != "sub/plants.BASE" || plan.Left[0].Line != 2 {
		t.Errorf("a quotation mark: %+v, %v", plan.Left, err)
	}
}

// The cards that show a section show it when its heading is another.
func TestCardsOfARetitledSection(t *testing.T) {
	const canvas = `{"nodes":[{"subpath":"#A#Part","file":"n.md"},{"file":"n.md","subpath":"#Part"},{"file":"n.md","subpath":"#^b"},{"file":"o.md","subpath":"#Part"},7]}`
	f := start(t, map[string]string{"n.md": "# A\n## Part\nx ^b\n", "o.md": "# Part\n", "b.canvas": canvas})
	f.apply(f.desk.PlanRename(t.Context(), f.at("n.md", "Part", 1), "A & \"B\""))
	want := strings.Replace(strings.Replace(canvas, "#A#Part", `#A#A & \"B\"`, 1), `"n.md","subpath":"#Part"`, `"n.md","subpath":"#A & \"B\""`, 1)
	if got, err := f.vault.Read("b.canvas"); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// Links to a section, or by a title, in bases and in the text cards of canvases follow it, as one operation.
func TestLinksBesideFollowAHeading(t *testing.T) {
	const (
		base   = "formulas:\n  a: 'link(\"[[n#Part|p]]\") + [[o#Part]] + [[n#^b]]'\n  b: \"[[Long A]]\"\n"
		canvas = `{"nodes":[{"type":"text","text":"[[n#Part]] & [it](n.md#part)\n[[Long A]]"},{"type":"file","file":"n.md"}]}`
	)
	f := start(t, map[string]string{"n.md": "# Long A\n## Part\nx ^b\n", "o.md": "# Part\n", "b.canvas": canvas, "b.base": base})
	read := func(p, want string) {
		t.Helper()
		if got, err := f.vault.Read(p); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", p, got, err, want)
		}
	}
	f.apply(f.desk.PlanRename(t.Context(), f.at("n.md", "Part", 1), "Bit"))
	read("b.base", strings.Replace(base, "n#Part", "n#Bit", 1))
	read("b.canvas", strings.NewReplacer("n#Part", "n#Bit", "#part", "#bit").Replace(canvas))
	f.apply(f.desk.PlanRename(t.Context(), f.at("n.md", "Long", 1), "Short"))
	read("b.base", strings.NewReplacer("n#Part", "n#Bit", "Long A", "Short").Replace(base))
	read("b.canvas", strings.NewReplacer("n#Part", "n#Bit", "#part", "#bit", "Long A", "Short").Replace(canvas))
	plan, err := f.desk.PlanRename(t.Context(), f.at("n.md", "Bit", 1), "It's")
	if err != nil || len(plan.Left) != 1 || plan.Left[0].Path != "b.base" || plan.Left[0].Line != 1 {
		t.Errorf("a quotation mark: %+v, %v", plan.Left, err)
	}
}

// Of several documents of one name a link means the one in its own folder, then one below it,
// and a move of another one leaves it alone.
func TestNearestOfNamesakes(t *testing.T) {
	f := start(t, archive(`
-- a/Index.md --
# A
-- long/Index.md --
# Long
## Part
-- long/x.md --
[[Index]] [[index#Part]]
-- deep/y.md --
[[Index]]
-- deep/in/it/Index.md --
-- z.md --
[[Index]]
`))
	for p, want := range map[string]string{"long/x.md": "long/Index.md", "deep/y.md": "deep/in/it/Index.md", "z.md": "a/Index.md"} {
		got, ok, err := f.desk.Resolve(t.Context(), f.at(p, "[[Index", 3))
		if err != nil || !ok || got.Path != want || len(got.Others) > 0 != (p == "z.md") {
			t.Errorf("%s: %+v, %v", p, got, err)
		}
		if list, _, err := f.desk.Backlinks(t.Context(), assist.Question{Path: want}, 9); err != nil || len(list) == 0 || list[0].Path != p {
			t.Errorf("links to %s: %+v, %v", want, list, err)
		}
		if faults, _, err := f.desk.Check(t.Context(), assist.Question{Path: p}); err != nil || len(faults) > 0 != (p == "z.md") {
			t.Errorf("%s: %+v, %v", p, faults, err)
		}
	}
	f.apply(f.desk.PlanMove(t.Context(), assist.Question{Path: "a/Index.md"}, "a/Contents.md", true))
	if texts := f.texts(); texts["long/x.md"] != "[[Index]] [[index#Part]]\n" || texts["z.md"] != "[[Contents]]\n" {
		t.Error(texts)
	}
}

// A document of many headings and many links to places in it is checked in time.
func TestCheckOfManyAnchors(t *testing.T) {
	var b strings.Builder
	const n = 4000
	for i := range n {
		fmt.Fprintf(&b, "# Heading %d\n[[#Heading %d]] [[#gone %d]] [[#^gone%d]] [[#^b%d]]\n\ntext ^b%d\n\n", i, n-1-i, i, i, i, i)
	}
	f := start(t, map[string]string{"a.md": b.String()})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	faults, _, err := f.desk.Check(ctx, assist.Question{Path: "a.md"})
	if err != nil || len(faults) != 2*n || !strings.Contains(faults[1].Message, "gone0") {
		t.Errorf("%d faults, %v", len(faults), err)
	}
}

func TestLook(t *testing.T) {
	f := start(t, archive(garden))
	target, ok, err := f.desk.Resolve(t.Context(), f.at("tools/oven.md", "again", 1))
	if err != nil || !ok || target.Path != "notes/Old bread.md" || target.Place.Start.Line != 6 || target.Linking != 3 || !strings.HasPrefix(target.Excerpt, "## Steps") {
		t.Errorf("%+v, %v, %v", target, ok, err)
	}
	links, more, err := f.desk.Backlinks(t.Context(), assist.Question{Path: "notes/Old bread.md"}, 100)
	if err != nil || more || len(links) != 11 {
		t.Errorf("%d links, %v, %v", len(links), more, err)
	}
	refs, _, err := f.desk.References(t.Context(), f.at("notes/Old bread.md", "## Steps", 4), 100)
	if err != nil || len(refs) != 5 {
		t.Errorf("%d references to the heading: %v, %v", len(refs), refs, err)
	}
	symbols, err := f.desk.Symbols(t.Context(), assist.Question{Path: "notes/Old bread.md"})
	if err != nil || len(symbols) != 3 || symbols[1].Name != "Steps" || symbols[2].Name != "^one" {
		t.Errorf("%+v, %v", symbols, err)
	}
	// What is saved is there at once, and a buffer counts for more.
	if err := os.WriteFile(filepath.Join(f.vault.Dir(), "tools/oven.md"), []byte("nothing"), 0o644); err != nil {
		t.Fatal(err)
	}
	buffer := names.Buffer{Path: "index.md", Text: []byte("[[Brand new]] #fresh")}
	fresh := names.Buffer{Path: "Brand new.md", Text: []byte("x")}
	if target, ok, err := f.desk.Resolve(t.Context(), f.at("index.md", "Brand", 1, buffer, fresh)); err != nil || !ok || target.Path != "Brand new.md" {
		t.Errorf("%+v, %v", target, err)
	}
	tags, err := f.desk.Tags(t.Context(), []names.Buffer{buffer}, "f")
	if err != nil || len(tags) != 2 || tags[1].Name != "fresh" {
		t.Errorf("%v, %v", tags, err)
	}
}

func TestExtract(t *testing.T) {
	f := start(t, archive("-- a.md --\n# A\none\n## B: c\ntwo\n### D\nthree\n## E\nfour\n"))
	step, err := f.desk.PlanExtract(t.Context(), f.at("a.md", "two", 1))
	f.apply(assist.Renaming{Step: step}, err)
	got := f.texts()
	if got["a.md"] != "# A\none\n[[B c]]\n\n## E\nfour\n" || got["B c.md"] != "# B: c\ntwo\n## D\nthree\n" {
		t.Error(got)
	}
}

var _ link.Names = (*names.View)(nil)

// Links to what was moved lead there, from everywhere, and those from it to what stayed.
func TestExtractKeepsLinks(t *testing.T) {
	f := start(t, archive("-- x/a.md --\n# A\nsee [[#B]], [b](#d), [[a#A#B#D|deep]] and [[#^q]]\n## B\ntwo [[#E]] [[#D]] [e](#e) [[a#D]] [o](../o.md) ^q\n### D\nthree [[a]]\n## E\nfour [[#B]]\n"+
		"-- o.md --\n[[a#B]] [[a#A#B#D]] ![[a#^q]] [d](x/a.md#d) [[a#E]] [[a]] [[x/a#D|y]] `[[a#B]]`\n"))
	step, err := f.desk.PlanExtract(t.Context(), f.at("x/a.md", "two", 1))
	f.apply(assist.Renaming{Step: step}, err)
	want := map[string]string{
		"x/a.md": "# A\nsee [[B#B]], [b](B.md#d), [[B#B#D|deep]] and [[B#^q]]\n[[B]]\n\n## E\nfour [[B#B]]\n",
		"x/B.md": "# B\ntwo [[a#E]] [[#D]] [e](a.md#e) [[B#D]] [o](../o.md) ^q\n## D\nthree [[a]]\n",
		"o.md":   "[[B#B]] [[B#B#D]] ![[B#^q]] [d](x/B.md#d) [[a#E]] [[a]] [[x/B#D|y]] `[[a#B]]`\n",
	}
	for p, text := range f.texts() {
		if text != want[p] {
			t.Errorf("%s:\n%swant:\n%s", p, text, want[p])
		}
	}
}

// The record of a conversation stays as it is.
func TestExtractFromRecords(t *testing.T) {
	f := start(t, map[string]string{"conversations/a.md": "---\ntype: conversation\n---\n\n## Plan\n\nsaid\n"})
	if step, err := f.desk.PlanExtract(t.Context(), f.at("conversations/a.md", "Plan", 0)); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("%v, %v", step.Changes, err)
	}
}

// A heading that can't be written isn't renamed where links lead to it.
func TestRenameHeadingOfRecords(t *testing.T) {
	f := start(t, map[string]string{"conversations/a.md": "---\ntype: conversation\n---\n\n## Plan\n\nsaid\n", "b.md": "[[a#Plan]]\n"})
	if r, err := f.desk.PlanRename(t.Context(), f.at("b.md", "Plan", 1), "Ideas"); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("%+v, %v", r, err)
	}
}
