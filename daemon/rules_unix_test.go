//go:build unix

package daemon

import (
	"bytes"
	"os"
	"syscall"
	"testing"
)

// TestTrustPipe: an agreement is read from a regular file alone, and a pipe in its place
// keeps nobody waiting.
func TestTrustPipe(t *testing.T) {
	r, _ := book(t, hostile)
	path, digest := r.trust.path, r.Report().Digest
	if err := r.Trust(digest); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	// As much as is ever read, so that nobody waits for more.
	text := append(good, bytes.Repeat([]byte(" "), maxAgreement-len(good))...)
	if _, err := pipe.Write(text); err != nil {
		t.Fatal(err)
	}
	if r.trust.given(digest) {
		t.Error("a pipe is trusted")
	}
}
