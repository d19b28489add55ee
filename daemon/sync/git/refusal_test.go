package git

import (
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const password = "geheim77"

// A refusal is how a remote says no, what that is to kist, and what its error must say.
type refusal struct {
	name string
	url  string
	kind error
	says string
}

// try asks a remote for its branches, fetches from it and pushes to it: all must fail as the refusal says,
// soon, without asking anybody and without telling the password.
func (r refusal) try(t *testing.T, s *Store, commit string) {
	t.Helper()
	remote := Remote{URL: r.url, Branch: "main"}
	for what, ask := range map[string]func() error{
		"branches": func() error { _, _, err := s.Branches(t.Context(), r.url); return err },
		"fetch":    func() error { _, _, err := s.Fetch(t.Context(), remote, func(Progress) {}); return err },
		"push":     func() error { return s.Push(t.Context(), remote, "", commit, nil) },
	} {
		begun := time.Now()
		err := ask()
		switch {
		case err == nil:
			t.Errorf("%s: %s went well", r.name, what)
		case !errors.Is(err, r.kind) || !strings.Contains(err.Error(), r.says):
			t.Errorf("%s: %s: %v, want %v that says %q", r.name, what, err, r.kind, r.says)
		case strings.Contains(err.Error(), password):
			t.Errorf("%s: %s tells the password: %v", r.name, what, err)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: %s took %v", r.name, what, took)
		}
	}
}

func (v *victim) store() (*Store, string) {
	v.t.Helper()
	r, err := Open(v.t.Context(), v.dir)
	if err != nil {
		v.t.Fatal(err)
	}
	s, err := OpenStore(r, filepath.Join(v.t.TempDir(), "store"), v.remote)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(s.Close)
	_, head, err := r.Head(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	return s, head
}

// TestRefusalsOverHTTPS has a real server of TLS refuse, in the ways in which git hosts do.
func TestRefusalsOverHTTPS(t *testing.T) {
	v := newVictim(t, template(t))
	var asked atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked.Add(1)
		switch part := strings.Split(req.URL.Path, "/")[1]; part {
		case "401":
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			w.WriteHeader(http.StatusUnauthorized)
		case "403":
			w.WriteHeader(http.StatusForbidden)
		case "404":
			w.WriteHeader(http.StatusNotFound)
		case "500":
			w.WriteHeader(http.StatusInternalServerError)
		case "page":
			_, _ = io.WriteString(w, "<html>Please log in</html>")
		}
	}))
	defer server.Close()
	cut := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer cut.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	cert := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cut.Certificate().Raw})...)
	v.file(ca, string(cert), 0o600)
	s, head := v.store()
	untrusted := refusal{"a certificate that nobody knows", server.URL + "/401/r.git", ErrUnreachable, "certificate"}
	untrusted.try(t, s, head)
	if asked.Load() > 0 {
		t.Fatal("a server was asked whose certificate nobody knows")
	}
	t.Setenv("GIT_SSL_CAINFO", ca)
	with := strings.Replace(server.URL, "https://", "https://ann:"+password+"@", 1)
	token := strings.Replace(server.URL, "https://", "https://"+password+"@", 1)
	for _, r := range []refusal{
		{"no credentials", server.URL + "/401/r.git", ErrCredentials, ""},
		{"wrong credentials", with + "/401/r.git", ErrCredentials, ""},
		{"a token that has run out", token + "/401/r.git", ErrCredentials, ""},
		{"not allowed", with + "/403/r.git", ErrRefusedByRemote, "403"},
		{"no such repository", with + "/404/r.git", ErrGone, ""},
		{"a fault of the server", with + "/500/r.git", ErrUnreachable, "500"},
		{"cut off", strings.Replace(cut.URL, "https://", "https://ann:"+password+"@", 1) + "/r.git", ErrUnreachable, ""},
	} {
		r.try(t, s, head)
	}
	// Git takes the page of a login for a repository without branches, but nothing can be pushed there.
	if err := s.Push(t.Context(), Remote{URL: with + "/page/r.git", Branch: "main"}, "", head, nil); !errors.Is(err, ErrGone) || strings.Contains(err.Error(), password) {
		t.Errorf("the page of a login: %v, want ErrGone", err)
	}
}

// TestAServerThatFallsSilentIsGivenUp has a server that takes requests and never answers.
func TestAServerThatFallsSilentIsGivenUp(t *testing.T) {
	v := newVictim(t, template(t))
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-done:
		case <-req.Context().Done():
		}
	}))
	defer server.Close()
	defer close(done)
	s, head := v.store()
	config := filepath.Join(s.dir, "config")
	text, err := os.ReadFile(config)
	sooner := strings.Replace(string(text), "lowSpeedTime = 60", "lowSpeedTime = 1", 1)
	if err != nil || sooner == string(text) {
		t.Fatalf("%v: no limit in %s", err, text)
	}
	v.file(config, sooner, 0o600)
	refusal{"silent", server.URL + "/r.git", ErrUnreachable, "too slow"}.try(t, s, head)
}

// TestRefusalsOverSSH has the real ssh find nobody, and commands in its place that say what ssh says.
func TestRefusalsOverSSH(t *testing.T) {
	v := newVictim(t, template(t))
	if _, err := exec.LookPath("ssh"); err == nil {
		s, head := v.store()
		refusal{"nobody listens", "ssh://ann@127.0.0.1:1/r.git", ErrUnreachable, ""}.try(t, s, head)
	} else {
		t.Log("there is no ssh here")
	}
	dir := t.TempDir()
	ssh := filepath.Join(dir, "ssh")
	v.must("git", "config", "--global", "core.sshCommand", ssh)
	for says, r := range map[string]refusal{
		"ann@host: Permission denied (publickey).":                                                    {name: "a key that is refused", kind: ErrCredentials},
		"Host key verification failed.":                                                               {name: "a host that nobody knows", kind: ErrCredentials},
		"ssh: connect to host host port 22: Connection timed out":                                     {name: "no answer", kind: ErrUnreachable},
		"ssh: Could not resolve hostname host: Name or service not known":                             {name: "no such host", kind: ErrUnreachable},
		"ERROR: Repository not found.":                                                                {name: "no such repository", kind: ErrGone},
		"fatal: '/r.git' does not appear to be a git repository":                                      {name: "no repository at that path", kind: ErrGone},
		"kex_exchange_identification: Connection closed by remote host":                               {name: "closed at once", kind: ErrUnreachable},
		"remote: ERROR: Permission to r.git denied to deploy key":                                     {name: "a key that may only read", kind: ErrRefusedByRemote},
		"bash: line 1: git-upload-pack: command not found":                                            {name: "a host without git", kind: ErrGone},
		"@@@@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@@@@\nHost key verification failed.": {name: "a host that is another one", kind: ErrCredentials},
	} {
		// A prompt would go to the terminal; there must be none, and the options that forbid it be given.
		v.file(ssh, "#!/bin/sh\ncase \"$*\" in *BatchMode=yes*) ;; *) echo no batch mode >&2; exit 1;; esac\n"+
			"if (: </dev/tty) 2>/dev/null; then echo there is a terminal >&2; exit 1; fi\nprintf '%s\\n' '"+strings.ReplaceAll(says, "'", `'\''`)+"' >&2\nexit 255\n", 0o755)
		s, head := v.store()
		r.url = "ssh://ann:" + password + "@host/r.git"
		r.try(t, s, head)
	}
}
