package git

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckURL(t *testing.T) {
	good := []string{"https://host/r.git", "http://ann:secret@host:8080/r", "ssh://git@host:22/~/r", "git@host:r.git", "host:r", "git://host/r", "file:///media/stick/r.git", "/media/stick/r.git"}
	bad := []string{"", "-x", "--upload-pack=x", "ext::sh -c x", "fd::17", "https::x", "ext::x/y", "ftp://host/r", "ssh://-oProxyCommand=x/r", "ssh://a@-oProxyCommand=x/r",
		"-oProxyCommand=x:r", "ann@-oProxyCommand=x:r", "host:-x", "relative/path", "./r:x", "https:///r", "https://host/r\n", "host:r\x00"}
	for _, u := range good {
		if err := CheckURL(u); err != nil {
			t.Errorf("%q: %v", u, err)
		}
	}
	for _, u := range bad {
		if err := CheckURL(u); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%q: %v, want ErrUnsafe", u, err)
		}
	}
}

func TestCheckRef(t *testing.T) {
	for _, name := range []string{"main", "feature/büro", "v1.2", "a@b"} {
		if err := CheckRef(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "-x", "--upload-pack=x", "a..b", "a b", "a@{1}", "a.lock", "a/", ".a", "a/.b", "a~1", "a^", "a:b", "+a", "a//b", "a\\b", "a*", "refs/x.", "\x1b"} {
		if err := CheckRef(name); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%q: %v, want ErrUnsafe", name, err)
		}
	}
}

// TestSecretsAreNotTold looks for each part of an address that is secret, in what git could
// say of it.
func TestSecretsAreNotTold(t *testing.T) {
	tests := []struct{ address, secret string }{
		{"https://ann:geheim77@host/r.git", "geheim77"},
		{"https://ghp_abcdefghij@host/r.git", "ghp_abcdefghij"},
		{"https://x-access-token:tok%2Fen99@host/r.git", "tok/en99"},
		{"https://host/r.git?private_token=geheim77", "geheim77"},
		{"ssh://git:geheim77@host/r.git", "geheim77"},
		{"http://ann:gehei/m77@host/r.git", "gehei"},
		{"http://ann:gehei/m77@host/r.git", "gehei/m77"},
		{"http://ann:ge@hei/m77@host/r.git", "ge@hei/m77"},
		{"https://host/ghp_abcdefghij/r.git", "ghp_abcdefghij"},
		{"https://host/git/glpat-x1y2z3w4v5/r.git", "glpat-x1y2z3w4v5"},
		{"https://host/0123456789abcdef0123456789abcdef.git", "0123456789abcdef0123456789abcdef"},
	}
	for _, tt := range tests {
		for _, said := range []string{
			Show(tt.address),
			redact("fatal: unable to access '"+tt.address+"': no", secretsOf(tt.address)),
			redact("remote: denied for "+tt.secret, secretsOf(tt.address)),
		} {
			if strings.Contains(said, tt.secret) && !(strings.Contains(tt.address, "?") && strings.HasPrefix(said, "remote:")) {
				t.Errorf("%q is told in %q", tt.secret, said)
			}
		}
	}
	for _, plain := range []string{"https://host:8443/ann/notes.git", "https://host/ann/the_notes_of_a_whole_year.git", "https://host/ann/2026-11-notes-of-a-year.git", "/srv/0123456789abcdef0123456789abcdef.git"} {
		if got := Show(plain); got != plain {
			t.Errorf("%s is shown as %q", plain, got)
		}
	}
	if got := Show("git@host:r.git"); got != "git@host:r.git" {
		t.Errorf("shown as %q", got)
	}
	if got := Show("ssh://git@host/r.git"); got != "ssh://git@host/r.git" {
		t.Errorf("shown as %q", got)
	}
}

// TestErrorsOfAFetchHoldNoSecret has git itself fail on an address with a password.
func TestErrorsOfAFetchHoldNoSecret(t *testing.T) {
	v := newVictim(t, template(t))
	v.url = "http://ann:geheim77@127.0.0.1:1/r.git"
	err := v.kist()
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
	if err == nil || strings.Contains(err.Error(), "geheim77") {
		t.Errorf("the error is %v", err)
	}
}
