package git

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a git leaves that was cut off while it moved a branch for kist goes with the next round, and
// locks that may be another git's stay.
func TestRecoverLetsGoOfRefs(t *testing.T) {
	const another = "0123456789012345678901234567890123456789\n"
	from := template(t)
	old := time.Now().Add(-time.Hour)
	for _, tc := range []struct {
		name         string
		branch, head string // what their locks hold; "-": there is none
		at           time.Time
		left         string // names of the locks that stay
		locked       bool
	}{
		{"cut off before the move", "NEW", "", old, "", false},
		{"at once", "NEW", "-", time.Now(), "", false},
		{"before the commit was written", "", "-", old, "", false},
		{"after the move", "-", "", old, "", false},
		{"no longer than a git takes", "-", "", time.Now(), "HEAD.lock", true},
		{"another git's", another, "-", old, "main.lock", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := newVictim(t, from)
			s, head := v.store()
			note, err := json.Marshal(advance{Branch: "main", New: head})
			if err != nil {
				t.Fatal(err)
			}
			v.file(s.note(), string(note), 0o600)
			git := filepath.Join(v.dir, ".git")
			for lock, text := range map[string]string{"refs/heads/main.lock": tc.branch, "HEAD.lock": tc.head} {
				if text == "-" {
					continue
				}
				p := filepath.Join(git, lock)
				v.file(p, strings.Replace(text, "NEW", head+"\n", 1), 0o644)
				if err := os.Chtimes(p, tc.at, tc.at); err != nil {
					t.Fatal(err)
				}
			}
			err = s.repo.Recover(t.Context(), s)
			if errors.Is(err, ErrLocked) != tc.locked || !tc.locked && err != nil {
				t.Errorf("%v; locked: %t", err, tc.locked)
			}
			var left []string
			for _, p := range []string{"refs/heads/main.lock", "HEAD.lock"} {
				if _, err := os.Lstat(filepath.Join(git, p)); err == nil {
					left = append(left, filepath.Base(p))
				}
			}
			if got := strings.Join(left, " "); got != tc.left {
				t.Errorf("%q stay, want %q", got, tc.left)
			}
			if _, err := os.Lstat(s.note()); (err == nil) != tc.locked {
				t.Errorf("the note: %v", err)
			}
		})
	}
}
