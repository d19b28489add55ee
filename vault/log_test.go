package vault_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

const paragraph = "The heron stands on the old breakwater and waits for the tide to turn, as it did on every evening of that winter, when nobody came but the keeper."

// dayBefore is the vault that day begins with.
const dayBefore = "-- a.md --\n" + poem +
	"-- prose.md --\n# Prose\n\n" + paragraph + "\n\n" + paragraph + " So it was.\n\n- [ ] " + paragraph + "\n" +
	"-- gone.md --\nto be deleted \n-- moved.md --\nto be moved\n"

// day makes every kind of change that the log knows: kist's and editors', of texts that
// YAML can hold in a block and of others. It returns what editors save to be waited for.
func day(t *testing.T, v *vault.Vault) {
	t.Helper()
	record := func() {
		t.Helper()
		if err := v.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	read := func(p string) string { return text(t, v, p) }
	replace := func(p, old, new string) {
		t.Helper()
		was := read(p)
		if save(t, v, p, strings.Replace(was, old, new, 1)); was == read(p) {
			t.Fatalf("%q is not in %s", old, p)
		}
		record()
	}
	mustApply(t, v, update("a.md", poem, strings.Replace(poem, "third", "3rd  ", 1)), remove("gone.md", "to be deleted \n"), create("projects/p/project.md", "# P\n"))
	replace("prose.md", "waits for the tide to turn", "sleeps until the keeper comes by")
	replace("prose.md", "So it was.", "So it was, and I know. Or do I?")
	replace("prose.md", "[ ]", "[x]")
	replace("a.md", "seventh\n", "")
	replace("a.md", "ninth\n", "ninth, without an end")
	save(t, v, "new.md", "\ufeff---\r\nk: v\r\n---\r\nlast\u2028line\x00\x07\r\n\tend\u0085")
	save(t, v, "latin.md", "caf\xe9\n"+strings.Repeat("ligne\n", 30))
	save(t, v, "empty.md", "")
	record()
	replace("new.md", "k: v", "k: w")
	replace("latin.md", "caf\xe9", "th\xe9")
	if err := os.Rename(filepath.Join(v.Dir(), "moved.md"), filepath.Join(v.Dir(), "elsewhere.md")); err != nil {
		t.Fatal(err)
	}
	record()
	if err := os.Remove(filepath.Join(v.Dir(), "empty.md")); err != nil {
		t.Fatal(err)
	}
	record()
	now := read("a.md")
	ops := mustApply(t, v, update("a.md", now, strings.Replace(now, "first", "1st", 1)))
	undoOne(t, v, ops[0].ID)
	mustApply(t, v, update("prose.md", read("prose.md"), strings.Replace(read("prose.md"), "# Prose", "# Prose, again", 1)))
	if _, err := v.Propose(ctx, batch(update("prose.md", read("prose.md"), read("prose.md")+"\nproposed\n"))); err != nil {
		t.Fatal(err)
	}
}

// wantDayBefore takes all of day back.
func wantDayBefore(t *testing.T, v *vault.Vault) {
	t.Helper()
	undoEverything(t, v)
	want := vaulttest.Tree(t, vaulttest.Write(t, dayBefore))
	if diff := cmp.Diff(want, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Errorf("what all undone leaves:\n%s", diff)
	}
}

func TestDayIsUndoneToTheByte(t *testing.T) {
	v := watched(t, dayBefore)
	day(t, v)
	wantDayBefore(t, v)
}

// Logs of earlier versions are read, and what they say is undone to the byte: patches
// with context, in quotation marks, and as lists of numbers.
func TestLogOfAnEarlierVersion(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/log-2026-11-22")); err != nil {
		t.Fatal(err)
	}
	v := vaulttest.Open(t, dir)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	ops, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil || len(ops) != 1 {
		t.Fatalf("%d proposals, %v", len(ops), err)
	}
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err != nil {
		t.Error(err)
	}
	wantDayBefore(t, v)
}

// A small edit of prose takes little room in the log, and people can read it there: a
// literal block, without the lines around it, of which the sum is kept.
func TestSmallEditsAreSmallInTheLog(t *testing.T) {
	wrapped := strings.ReplaceAll(strings.Repeat(paragraph+"\n\n", 5), ", ", ",\n")
	v := watched(t, "-- projects/boathouse/notes/one-of-a-longer-name.md --\n# Prose\n\n"+strings.Repeat(paragraph+" "+paragraph+"\n\n", 9)+
		"-- wrapped.md --\n"+wrapped)
	for p, edits := range map[string][][2]string{
		"projects/boathouse/notes/one-of-a-longer-name.md": {{"waits for the tide to turn", "sleeps until the keeper comes"}, {"when nobody came but the keeper", "when only she came by boat"}},
		"wrapped.md": {{"every evening of that winter", "some mornings of the next year"}, {"to turn,\nas it did", "to fall,\nwhich it never did"}},
	} {
		for _, e := range edits {
			now := text(t, v, p)
			i := strings.LastIndex(now[:len(now)*3/5], e[0])
			save(t, v, p, now[:i]+e[1]+now[i+len(e[0]):])
			if err := v.Record(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	log := ""
	for p, s := range vaulttest.Tree(t, v.Dir()) {
		if strings.HasPrefix(p, "operations/") {
			log += s
		}
	}
	records := strings.SplitAfter(log, "\n...\n")
	for _, r := range records[:len(records)-1] {
		if len(r) > 600 || !strings.Contains(r, "\n  patch: |\n   ---") || !strings.Contains(r, " near ") {
			t.Errorf("%d bytes:\n%s", len(r), r)
		}
	}
	if len(records) != 5 {
		t.Errorf("%d records", len(records)-1)
	}
}

// A new vault asks hosts to fold the log in what they show; a file that is there stays.
func TestInitMarksTheLog(t *testing.T) {
	for was, want := range map[string]string{"": "operations/** linguist-generated", "*.md text\n": "*.md text\n"} {
		dir, p := t.TempDir(), ""
		if p = filepath.Join(dir, ".gitattributes"); was != "" {
			if err := os.WriteFile(p, []byte(was), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := vault.Init(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(p); err != nil || !strings.Contains(string(got), want) || was != "" && string(got) != was {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// A record that can't be read is passed over and told of, with the line of the fault;
// once it was mended it counts.
func TestUnreadableRecordsAreNamed(t *testing.T) {
	const log = "operations/2026/11/20-elsewhere.yaml"
	record := func(id, actor string) string {
		return "---\nid: " + id + "\nevent: completed\nat: 2026-11-20T10:00:00Z\ntype: update\n" + actor + "entity: {type: note, path: a.md}\n...\n"
	}
	broken := record("01M7W6C56GZB54YQ7Q18D72SR2", "actor: [\n")
	v := vaulttest.New(t, "-- a.md --\na\n-- "+log+" --\n"+record("01M7W6C56GZB54YQ7Q18D72SR1", "")+broken+
		"---\nevent: completed\n...\n"+record("01M7W6C56GZB54YQ7Q18D72SR3", "")+"---\nid: torn")
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	list := func() []vault.Operation {
		ops, err := v.Operations(ctx, vault.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return ops
	}
	if ops := list(); len(ops) != 2 {
		t.Errorf("%d operations, want 2", len(ops))
	}
	got, err := vault.UnreadableRecords(v)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	slices.SortFunc(got, func(a, b vault.Problem) int { return a.Line - b.Line })
	if got[0].Path != log || got[0].Line < 12 || got[0].Line > 14 || got[1].Line != 17 || !strings.Contains(got[1].Message, "no id") {
		t.Errorf("%+v", got)
	}
	was, err := os.ReadFile(filepath.Join(v.Dir(), log))
	if err != nil {
		t.Fatal(err)
	}
	save(t, v, log, strings.Replace(string(was), "actor: [", "actor: u", 1))
	if got, err = vault.UnreadableRecords(v); err != nil || len(got) != 1 {
		t.Errorf("after it was mended: %+v, %v", got, err)
	}
	if ops := list(); len(ops) != 3 {
		t.Errorf("%d operations, want 3", len(ops))
	}
}
