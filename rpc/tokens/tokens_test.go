package tokens

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "tokens.json")
	now := time.Date(2027, 3, 1, 9, 30, 45, 0, time.UTC)
	open := func() *Store {
		s := Open(path, nil)
		s.now = func() time.Time { return now }
		return s
	}
	s := open()
	secret, made, err := s.Create("nvim", true)
	if err != nil || made.Name != "nvim" || !made.Read || len(secret) < 50 {
		t.Fatalf("%q %+v %v", secret, made, err)
	}
	other, _, err := s.Create("dash", false)
	if err != nil || other == secret {
		t.Fatal(err)
	}
	if _, _, err := s.Create("nvim", false); !errors.Is(err, ErrExists) {
		t.Errorf("twice: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if text, _ := os.ReadFile(path); strings.Contains(string(text), secret) || strings.Contains(string(text), strings.TrimPrefix(secret, prefix)) {
		t.Errorf("the secret is kept:\n%s", text)
	}
	for _, wrong := range []string{"", "x", secret[:len(secret)-1], secret + " ", strings.ToUpper(secret), sum(secret)} {
		if _, ok := s.Find(wrong); ok {
			t.Errorf("%q lets in", wrong)
		}
	}
	if c, ok := open().Find(secret); !ok || c.Name != "nvim" || !c.Read {
		t.Errorf("after a restart: %+v, %v", c, ok)
	}
	s = open()
	all, err := s.List()
	if err != nil || len(all) != 2 || all[0].Name != "dash" || !all[0].Used.IsZero() || !all[1].Used.Equal(now.Truncate(time.Minute)) {
		t.Errorf("%+v, %v", all, err)
	}
	c, _ := s.Find(secret)
	if err := s.Revoke("nvim"); err != nil || c.Gone.Err() == nil {
		t.Errorf("%v; it goes on: %v", err, c.Gone.Err())
	}
	if _, ok := s.Find(secret); ok {
		t.Error("withdrawn, it lets in")
	}
	if _, ok := open().Find(secret); ok {
		t.Error("withdrawn, it lets in after a restart")
	}
	if _, ok := s.Find(other); !ok {
		t.Error("the other one is gone as well")
	}
	if err := s.Revoke("nvim"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestHostileNames(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "tokens.json"), nil)
	for _, name := range []string{"", " ", "..", ".hidden", "-x", "A", "ä", "a b", "a/b", "a\\b", "a\x00", "a\n", "a\x1b[31m", "a\u202e", "\xff", "a\"", "a`", strings.Repeat("a", 41)} {
		if _, _, err := s.Create(name, false); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if err := s.Revoke(name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for i := range maxTokens {
		if _, _, err := s.Create("t"+strings.Repeat("x", i%39)+string(rune('a'+i/39)), false); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Create("one-more", false); !errors.Is(err, ErrMany) {
		t.Error(err)
	}
}

// What can't be trusted opens nothing, and nothing is written over it.
func TestUnusableFile(t *testing.T) {
	good := `[{"name":"x","hash":"` + sum("secret") + `"}]`
	for name, tt := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"others can read": {good, 0o604}, "the group can": {good, 0o640}, "damaged": {good[:20], 0o600},
		"a bad hash": {`[{"name":"x","hash":""}]`, 0o600}, "a bad name": {`[{"name":"\u001b","hash":"` + sum("secret") + `"}]`, 0o600},
	} {
		path := filepath.Join(t.TempDir(), "tokens.json")
		if err := errors.Join(os.WriteFile(path, []byte(tt.text), tt.mode), os.Chmod(path, tt.mode)); err != nil {
			t.Fatal(err)
		}
		s := Open(path, nil)
		if _, ok := s.Find("secret"); ok {
			t.Errorf("%s: it lets in", name)
		}
		_, _, err := s.Create("y", false)
		if _, list := s.List(); !errors.Is(err, ErrNotKept) || !errors.Is(list, ErrNotKept) {
			t.Errorf("%s: %v, %v", name, err, list)
		}
		if text, _ := os.ReadFile(path); string(text) != tt.text {
			t.Errorf("%s: it was written over", name)
		}
	}
	if s := Open(filepath.Join(t.TempDir(), "x"), errors.New("in a vault")); !errors.Is(s.Revoke("x"), ErrNotKept) {
		t.Error("a place in a vault")
	}
}

// TestWithdrawnWithoutDisk: that it can't be kept is an error, and still it holds.
func TestWithdrawnWithoutDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tokens")
	s := Open(filepath.Join(dir, "tokens.json"), nil)
	secret, _, err := s.Create("x", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := s.Revoke("x"); !errors.Is(err, ErrNotKept) {
		t.Error(err)
	}
	if _, ok := s.Find(secret); ok {
		t.Error("it lets in")
	}
}
