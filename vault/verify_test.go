package vault_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
)

// python returns the program that runs testdata/verify.py: KIST_PYTHON, as .ci/run sets
// it, or else a python3 that has PyYAML.
func python(t *testing.T) string {
	t.Helper()
	if p := os.Getenv("KIST_PYTHON"); p != "" {
		return p // if it doesn't do, the test fails
	}
	if err := exec.Command("python3", "-c", "import yaml").Run(); err != nil {
		t.Skip("no python3 with PyYAML here; .ci/run logs brings its own")
	}
	return "python3"
}

// verify runs the reader that was written from FORMAT.md over vaults.
func verify(t *testing.T, vaults ...string) (ok bool, out string) {
	t.Helper()
	said, err := exec.Command(python(t), append([]string{"testdata/verify.py", "--strict"}, vaults...)...).CombinedOutput()
	if _, isExit := err.(*exec.ExitError); err != nil && (!isExit || bytes.Contains(said, []byte("Traceback"))) {
		t.Fatalf("%v\n%s", err, said)
	}
	return err == nil, string(said)
}

// Another program, that knows nothing but FORMAT.md, works out every text of a log.
func TestAnotherReaderUnderstandsTheLog(t *testing.T) {
	v := watched(t, dayBefore)
	day(t, v)
	a, b := devices(t, dayBefore)
	day(t, a)
	pull(t, b, a)
	save(t, b, "prose.md", text(t, b, "prose.md")+"more\n")
	if err := b.Record(ctx); err != nil {
		t.Fatal(err)
	}
	pull(t, a, b)
	undone := watched(t, dayBefore)
	day(t, undone)
	undoEverything(t, undone)
	var dirs []string
	for _, v := range []*vault.Vault{v, a, b, undone} {
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, v.Dir())
	}
	if ok, out := verify(t, append(dirs, "testdata/log-2026-11-22")...); !ok {
		t.Error(out)
	}
}

// The reader sees what is wrong, so that its yes means something.
func TestTheReaderSeesFaults(t *testing.T) {
	v := watched(t, dayBefore)
	day(t, v)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(v.Dir(), "operations/*/*/*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	log, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	var dirs []string // of a vault with each fault, all read by one process
	for name, edit := range map[string][2]string{
		"a removed line":    {"   -third\n", "   -thirD\n"},
		"an added line":     {"   +3rd  \n", "   +3rd\n"},
		"a hash":            {"  after: ", "  after: 0"},
		"the sum":           {" near 3,3 ", " near 3,2 "},
		"a part":            {" part ", " part 1"},
		"a digest":          {"digest: ", "digest: 0"},
		"a broken record":   {"\nactor: editor\n", "\nactor: [\n"},
		"a place":           {"@@ -5 +5 @@", "@@ -4 +4 @@"},
		"a byte of base64":  {"!!binary |\n   L", "!!binary |\n   M"},
		"a line in quotes":  {"-k: v", "-k: x"},
		"no file":           {"   --- /dev/null\n   +++ b\n", "   --- a\n   +++ b\n"},
		"an unknown change": {"  before: ", "  before: f"},
	} {
		broken := bytes.Replace(log, []byte(edit[0]), []byte(edit[1]), 1)
		if bytes.Equal(broken, log) {
			t.Errorf("%s: %q is not in the log", name, edit[0])
			continue
		}
		dir := filepath.Join(top, name)
		dirs = append(dirs, dir)
		if err := os.CopyFS(dir, os.DirFS(v.Dir())); err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(v.Dir(), files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, rel), broken, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, out := verify(t, dirs...)
	for _, dir := range dirs {
		if !strings.Contains(out, "FAULT "+dir+": ") {
			t.Errorf("%s: taken for right\n%s", filepath.Base(dir), out)
		}
	}
}
