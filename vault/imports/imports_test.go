package imports_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/imports"
	"kist/vault/imports/export"
	"kist/vault/vaulttest"
)

const said = `{"uuid":"u-1","name":"Paint / tar","created_at":"2024-05-06T07:08:09Z","chat_messages":[{"sender":"human","text":"# Which?\n\n- [ ] buy it"}]}`

func plan(t *testing.T, v *vault.Vault, text string) imports.Plan {
	t.Helper()
	file := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := imports.New(t.Context(), v, export.Claude, file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func apply(t *testing.T, v *vault.Vault, p imports.Plan) []vault.Operation {
	t.Helper()
	ops, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser, Outside: true}, Steps: p.Steps})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func read(t *testing.T, v *vault.Vault, p string) string {
	t.Helper()
	b, err := v.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestImport(t *testing.T) {
	v := vaulttest.New(t, "")
	other := strings.Replace(said, "u-1", "u-2", 1)
	first := plan(t, v, "["+said+","+other+","+said+`,{"uuid":"u-3","chat_messages":[]}]`)
	if first.Created != 2 || first.Empty != 1 {
		t.Fatalf("%+v", first)
	}
	ops := apply(t, v, first)
	if ops[0].Batch != ops[1].Batch {
		t.Error("two batches")
	}
	const at = "imports/claude/2024-05-06-paint-tar.md"
	text := read(t, v, at)
	for _, want := range []string{"\ntype: note\n", "\nsource: claude\n", "\nsource_id: u-1\n", "\ncreated: 2024-05-06T07:08:09Z\n",
		"\n# Paint / tar\n\n## You\n\n> # Which?\n>\n> - \\[ ] buy it\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if !v.Exists("imports/claude/2024-05-06-paint-tar-2.md") {
		t.Error("the second of its name is not there")
	}
	if again := plan(t, v, "["+said+"]"); again.Unchanged != 1 || len(again.Steps) > 0 {
		t.Errorf("again: %+v", again)
	}
	if _, err := v.Undo(t.Context(), vault.UndoTarget{Batch: ops[0].Batch}, vault.Origin{Actor: vault.ActorUser}); err != nil || v.Exists(at) {
		t.Errorf("undo: %v", err)
	}
	v.WaitSettled(t.Context(), time.Minute)
	if _, err := os.Stat(filepath.Join(v.Dir(), "imports")); !os.IsNotExist(err) {
		t.Errorf("an empty folder is left: %v", err)
	}
}

// A conversation that grew changes its note, wherever that is now and whatever its front
// matter says besides; one that was edited stays.
func TestImportAgain(t *testing.T) {
	v := vaulttest.New(t, "")
	apply(t, v, plan(t, v, "["+said+"]"))
	text := read(t, v, "imports/claude/2024-05-06-paint-tar.md")
	const moved = "notes/paint.md"
	for _, err := range []error{
		os.Mkdir(filepath.Join(v.Dir(), "notes"), 0o700),
		os.Remove(filepath.Join(v.Dir(), "imports/claude/2024-05-06-paint-tar.md")),
		os.WriteFile(filepath.Join(v.Dir(), moved), []byte(strings.Replace(text, "type: note\n", "type: note\ntags: [boat]\n", 1)), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	grown := strings.Replace(said, "}]}", `},{"sender":"assistant","text":"Tar."}]}`, 1)
	p := plan(t, v, "["+grown+"]")
	if p.Updated != 1 || p.Created != 0 || p.Steps[0].Entity.Type != "note" {
		t.Fatalf("%+v", p)
	}
	apply(t, v, p)
	text = read(t, v, moved)
	if !strings.Contains(text, "tags: [boat]\n") || !strings.HasSuffix(text, "> - \\[ ] buy it\n\n## Claude\n\n> Tar.\n") {
		t.Errorf("grown:\n%s", text)
	}
	if !v.FromOutside(t.Context(), moved) {
		t.Error("it doesn't count as from outside")
	}
	edited := text + "Mine.\n"
	if err := os.WriteFile(filepath.Join(v.Dir(), moved), []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := plan(t, v, "["+grown+"]"); p.Unchanged != 1 || len(p.Edited) > 0 {
		t.Errorf("edited here, and nothing new there: %+v", p)
	}
	p = plan(t, v, "["+strings.Replace(grown, "Tar.", "Tar!", 1)+"]")
	if !slices.Equal(p.Edited, []string{moved}) || len(p.Steps) > 0 || read(t, v, moved) != edited {
		t.Errorf("edited: %+v", p)
	}
}

// What a message says makes no heading and no task of the vault's, and code stays as it is.
func TestMessagesAreQuoted(t *testing.T) {
	v := vaulttest.New(t, "")
	text := `a\n# b\n  * [x] c\n1. [ ] d\n> - - [/] e\n[f](g)\n~~~md\n- [ ] h\n~~~\n- [ ] i`
	apply(t, v, plan(t, v, "["+strings.Replace(said, `# Which?\n\n- [ ] buy it`, text, 1)+"]"))
	got := read(t, v, "imports/claude/2024-05-06-paint-tar.md")
	const want = "## You\n\n> a\n> # b\n>   * \\[x] c\n> 1. \\[ ] d\n> > - - \\[/] e\n> [f](g)\n> ~~~md\n> - [ ] h\n> ~~~\n> - \\[ ] i\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
	const at = "imports/claude/2024-05-06-paint-tar.md"
	if doc, err := v.Document(at); err != nil || len(catalog.Tasks(v, at, doc)) > 0 {
		t.Errorf("%v, tasks in\n%s", err, got)
	}
}

func TestTooLong(t *testing.T) {
	v := vaulttest.New(t, "")
	p := plan(t, v, "["+strings.Replace(said, "buy it", strings.Repeat("x", 9<<20), 1)+"]")
	if !slices.Equal(p.TooLong, []string{"Paint / tar"}) || len(p.Steps) > 0 {
		t.Errorf("%v, %d steps", p.TooLong, len(p.Steps))
	}
}
