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

// TestOfTheUsersHooksThoseAreAskedThatCanRefuse has all hooks in the folder that the global config names for this repository alone, and all in the
// repository's own: only those of the first run that can refuse something, and what they say is told.
func TestOfTheUsersHooksThoseAreAskedThatCanRefuse(t *testing.T) {
	all := []string{"pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-merge", "pre-push",
		"reference-transaction", "post-rewrite", "post-index-change", "pre-auto-gc"}
	hooks, ran, local := t.TempDir(), filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "local")
	a, b, remote := pair(t)
	part := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(part, []byte("[core]\n\thooksPath = "+hooks+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	global(t, "[includeIf \"gitdir:"+b.dir+"/\"]\n\tpath = "+part+"\n")
	for _, name := range all {
		script(t, filepath.Join(hooks, name), "echo \"$(basename $0) $KIST_SYNC\" >>"+ran+"\n[ $(basename $0) != reference-transaction ] || cat >/dev/null\n")
		if err := os.MkdirAll(filepath.Join(b.dir, ".git", "hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		script(t, filepath.Join(b.dir, ".git", "hooks", name), "touch "+local+"\n")
	}
	a.write("a.md", "a\n")
	a.sync()
	b.write("b.md", "b\n")
	b.sync()
	list, err := os.ReadFile(ran)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, line := range nonEmpty(string(list)) {
		name, own, _ := strings.Cut(line, " ")
		if got[name] = true; own != "1" && strings.HasPrefix(name, "pre-") {
			t.Errorf("%s isn't told that it is for kist", name)
		}
	}
	for _, name := range all {
		want := name == "pre-commit" || name == "commit-msg" || name == "pre-push" || name == "reference-transaction" || name == "post-index-change"
		if got[name] != want {
			t.Errorf("%s ran: %t, want %t", name, got[name], want)
		}
	}
	if _, err := os.Stat(local); err == nil {
		t.Error("a hook of the repository's own folder ran")
	}
	if s := b.engine.Status(t.Context()); strings.Join(s.Hooks, " ") != "pre-commit commit-msg pre-push" {
		t.Errorf("the status has the hooks %q", s.Hooks)
	}
	said := filepath.Join(t.TempDir(), "said")
	script(t, filepath.Join(hooks, "pre-push"), "echo \"$@\" >"+said+"\ncat >>"+said+"\necho 'not today' >&2\nexit 1\n")
	was := b.git("ls-remote", remote, "refs/heads/main")
	b.write("b.md", "more\n")
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrHook) || !strings.Contains(err.Error(), "pre-push: not today") {
		t.Errorf("a hook that refuses: %v", err)
	}
	if is := b.git("ls-remote", remote, "refs/heads/main"); is != was {
		t.Errorf("it was pushed all the same: %s", is)
	}
	head, before, _ := strings.Cut(text(t, filepath.Dir(said), filepath.Base(said)), "\n")
	if want := b.git("rev-parse", "HEAD") + " refs/heads/main " + strings.Fields(was)[0]; !strings.Contains(before, want) || !strings.Contains(head, remote) {
		t.Errorf("the hook was given %q and %q, want %q", head, before, want)
	}
}

// TestAGitThatDoesntKnowTheUser has a global config that lacks his name or address, or forbids git to make them up: commits
// have what the system says of him, and of himself what is known.
func TestAGitThatDoesntKnowTheUser(t *testing.T) {
	for name, c := range map[string]struct{ config, author string }{
		"nothing":    {"[user]\n\tuseConfigOnly = true\n", "@"},
		"no address": {"[user]\n\tname = Ann\n\tuseConfigOnly = true\n", "Ann <"},
		"no name":    {"[user]\n\tname =\n\temail = ann@example.org\n", "<ann@example.org>"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "gitconfig")
			if err := os.WriteFile(file, []byte(c.config), 0o600); err != nil {
				t.Fatal(err)
			}
			remote := bare(t)
			a := newMachine(t, "amber")
			a.write("n.md", "n\n")
			t.Setenv("GIT_CONFIG_GLOBAL", file)
			a.setUp(remote)
			a.sync()
			if got := run(t, remote, "log", "--branches", "-1", "--format=%an <%ae>"); !strings.Contains(got, c.author) || strings.HasPrefix(got, " <") {
				t.Errorf("the commit is by %q, want %q in it", got, c.author)
			}
		})
	}
}
