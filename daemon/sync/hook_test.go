package sync

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/daemon/sync/git"
)

// global gives git another global config for one test.
func global(t *testing.T, text string) {
	t.Helper()
	was, err := os.ReadFile(os.Getenv("GIT_CONFIG_GLOBAL"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "gitconfig")
	if err := os.WriteFile(file, append(was, text...), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", file)
}

func script(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTheUsersHooksAreAsked has a pre-commit and a commit-msg in the folder that the user's global config
// names: what they refuse isn't committed, and said; what they change counts. Those in the repository count for nothing.
func TestTheUsersHooksAreAsked(t *testing.T) {
	hooks := t.TempDir()
	global(t, "[core]\n\thooksPath = "+hooks+"\n")
	a := newMachine(t, "amber")
	a.setUp(bare(t))
	a.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(filepath.Join(a.dir, ".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	script(t, filepath.Join(hooks, "pre-commit"), "if git diff --cached --name-only | grep -q secret; then echo 'no secrets here' >&2; exit 1; fi\n")
	script(t, filepath.Join(hooks, "commit-msg"), "echo 'Reviewed-by: nobody' >>\"$1\"\n")
	a.write("open.md", "open\n")
	a.sync()
	if m := a.git("log", "-1", "--format=%B"); !strings.Contains(m, "Reviewed-by: nobody") || !strings.Contains(m, "Kist-Device: amber") {
		t.Errorf("the message is %q", m)
	}
	a.write("secret.md", "secret\n")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrHook) || !strings.Contains(err.Error(), "no secrets here") {
		t.Errorf("a hook that refuses: %v", err)
	}
	if s := a.engine.Status(t.Context()).Sentence(a.vault.Now()); !strings.Contains(s, "no secrets here") {
		t.Errorf("the status says %q", s)
	}
	a.remove("secret.md")
	a.sync()
	a.clean()
}

// TestAHookThatPutsTextsBack has a pre-commit that changes what is staged to what is there already: nothing
// is committed, again and again.
func TestAHookThatPutsTextsBack(t *testing.T) {
	hooks := t.TempDir()
	global(t, "[core]\n\thooksPath = "+hooks+"\n")
	a := newMachine(t, "amber")
	a.write("note.md", "note\n")
	a.setUp(bare(t))
	a.sync()
	seen := filepath.Join(t.TempDir(), "seen")
	script(t, filepath.Join(hooks, "pre-commit"), "git diff --cached --name-only HEAD >"+seen+"\ngit reset -q -- note.md\n")
	before := a.git("rev-parse", "HEAD")
	a.write("note.md", "note \n")
	for range 2 {
		a.sync()
		if now := a.git("rev-parse", "HEAD"); now != before {
			t.Fatalf("a commit without a change: %s", a.git("log", "-1", "--stat"))
		}
	}
	a.wants("note.md", "note \n")
	if text, err := os.ReadFile(seen); err != nil || string(text) != "note.md\n" {
		t.Errorf("the hook was shown %q, %v", text, err)
	}
}

// TestCommitsAreSignedByTheKindOfTheRepository has the repository's own config ask for a signature by ssh, which the program makes that the
// user's global config names.
func TestCommitsAreSignedByTheKindOfTheRepository(t *testing.T) {
	sign := script(t, filepath.Join(t.TempDir(), "sign"), "for f; do :; done\nprintf -- '-----BEGIN SSH SIGNATURE-----\\nby %s\\n-----END SSH SIGNATURE-----\\n' \"$2\" >\"$f.sig\"\n")
	global(t, "[gpg \"ssh\"]\n\tprogram = "+sign+"\n")
	a := newMachine(t, "amber")
	a.setUp(bare(t))
	a.git("config", "gpg.format", "ssh")
	a.git("config", "user.signingKey", "/keys/ann.pub")
	a.git("config", "commit.gpgSign", "true")
	a.write("note.md", "note\n")
	a.sync()
	if c := a.git("cat-file", "commit", "HEAD"); !strings.Contains(c, "gpgsig -----BEGIN SSH SIGNATURE-----") || !strings.Contains(c, "by sign") {
		t.Errorf("the commit is %q", c)
	}
}

// TestCommitsAreSigned signs with the program that the user's global config names, and never with one that
// the repository names.
func TestCommitsAreSigned(t *testing.T) {
	gpg := script(t, filepath.Join(t.TempDir(), "gpg"), "cat >/dev/null\necho '[GNUPG:] SIG_CREATED D' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nby the user\\n-----END PGP SIGNATURE-----\\n'\n")
	ran := filepath.Join(t.TempDir(), "ran")
	bad := script(t, filepath.Join(t.TempDir(), "bad"), "touch "+ran+"\nexit 1\n")
	global(t, "[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = "+gpg+"\n")
	a := newMachine(t, "amber")
	a.setUp(bare(t))
	a.git("config", "gpg.program", bad)
	a.write("note.md", "note\n")
	a.sync()
	if c := a.git("cat-file", "commit", "HEAD"); !strings.Contains(c, "gpgsig -----BEGIN PGP SIGNATURE-----") || !strings.Contains(c, "by the user") {
		t.Errorf("the commit is %q", c)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository's program ran")
	}
	a.clean()
}
