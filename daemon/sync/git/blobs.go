package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A blobReader is a git that goes on answering with the texts of objects.
type blobReader struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *limited
	gone bool // it has come to its end
}

// Blobs reads blobs, each of at most limit bytes; a larger one is missing in the result.
func (s *Store) Blobs(ctx context.Context, ids []string, limit int64) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, id := range ids {
		text, err := s.blob(ctx, id, limit)
		if err != nil {
			return nil, s.failed(ctx, err)
		}
		if text != nil {
			all[id] = text
		}
	}
	return all, nil
}

// failed ends the git that reads blobs, and says what it said.
func (s *Store) failed(ctx context.Context, err error) error {
	if s.blobs == nil {
		return cmp.Or(ctx.Err(), err)
	}
	s.blobs.end()
	text := redact(s.blobs.said.buf.String(), secretsOf(s.repo.promisor))
	if ctx.Err() == nil && lastWords(text) != "" {
		return &Error{Verb: "cat-file", Status: -1, Text: lastWords(text), Kind: cmp.Or(kindOf(text), ErrDamaged)}
	}
	return cmp.Or(ctx.Err(), err)
}

// Close ends what the store has running and lets go of it.
func (s *Store) Close() {
	s.blobs.end()
	s.moves.end()
	if s.held != nil {
		_ = s.held.Close()
		s.held = nil
	}
}

// end has git come to its end. The next one that is wanted is another one.
func (r *blobReader) end() {
	if r == nil || r.gone {
		return
	}
	r.gone = true
	_ = r.in.Close()
	if cancel := r.cmd.Cancel; cancel != nil {
		_ = cancel() // it may be in the middle of an object
	}
	_ = r.cmd.Wait()
}

// reader starts the git that reads blobs, once for all that follows until [Store.Close].
func (s *Store) reader(ctx context.Context) (*blobReader, error) {
	if s.blobs != nil && !s.blobs.gone {
		return s.blobs, nil
	}
	cmd := prepare(ctx, command{dir: s.repo.Top, env: s.environment(s.index()), config: storeConfig(), args: []string{"cat-file", "--batch"}})
	said := &limited{max: maxSaid, tail: true}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &Error{Verb: "cat-file", Status: -1, Kind: ErrNoGit}
	}
	s.blobs = &blobReader{cmd, in, bufio.NewReaderSize(out, 64<<10), said, false}
	return s.blobs, nil
}

// blob reads one blob; nil: it is larger than limit.
func (s *Store) blob(ctx context.Context, id string, limit int64) ([]byte, error) {
	f, text, err := s.object(ctx, id, limit)
	if err == nil && (len(f) != 3 || f[1] != "blob") {
		err = fmt.Errorf("%w: %.80q where a file's text should be", ErrDamaged, strings.Join(f, " "))
	}
	return text, err
}

// named returns the id of an object that a name, which has no line break, stands for; empty: there is none.
func (s *Store) named(ctx context.Context, name string) (string, error) {
	f, _, err := s.object(ctx, name, 0)
	if err != nil {
		return "", s.failed(ctx, err)
	}
	if len(f) != 3 {
		return "", nil
	}
	return f[0], nil
}

// object returns what git says of an object, by a name of it: id, kind and size, or else why it gives none. Its
// content is nil where it is longer than limit.
func (s *Store) object(ctx context.Context, name string, limit int64) (says []string, text []byte, err error) {
	r, err := s.reader(ctx)
	if err != nil {
		return nil, nil, err
	}
	late := time.AfterFunc(usualLimit, func() { _ = r.cmd.Process.Kill() })
	defer late.Stop()
	if _, err := io.WriteString(r.in, name+"\n"); err != nil {
		return nil, nil, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := r.out.ReadString('\n')
	if err != nil {
		return nil, nil, fmt.Errorf("git cat-file: %w", err)
	}
	says = strings.Fields(head)
	if len(says) != 3 {
		return says, nil, nil
	}
	n, err := strconv.ParseInt(says[2], 10, 64)
	if err != nil {
		return nil, nil, fmt.Errorf("git cat-file: unexpected answer %.80q", head)
	}
	if n <= limit {
		text = make([]byte, n)
		_, err = io.ReadFull(r.out, text)
	} else {
		_, err = io.CopyN(io.Discard, r.out, n)
	}
	if err == nil {
		_, err = r.out.Discard(1)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("git cat-file: %w", err)
	}
	return says, text, nil
}

// BlobID returns the id that git gives a text, of the length of other ids.
func BlobID(text []byte, length int) string { return objectID("blob", text, length) }

func objectID(kind string, text []byte, length int) string {
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(text)), text...)
	if length == 2*sha256.Size {
		sum := sha256.Sum256(whole)
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(whole)
	return hex.EncodeToString(sum[:])
}

// idLength is the length of the repository's ids.
func (s *Store) idLength() int {
	if s.repo.Format == "sha256" {
		return 2 * sha256.Size
	}
	return 2 * sha1.Size
}

// BlobID returns the id that a text has in this repository.
func (s *Store) BlobID(text []byte) string { return BlobID(text, s.idLength()) }

// EmptyTree is the id of the tree of nothing, which git knows without its being there.
func (s *Store) EmptyTree() string { return objectID("tree", nil, s.idLength()) }

// WriteBlobs keeps texts as objects, by their ids.
func (s *Store) WriteBlobs(ctx context.Context, texts map[string][]byte) error {
	if len(texts) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp(s.dir, "blobs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var names, ids bytes.Buffer
	for id, text := range texts {
		name := filepath.Join(dir, id)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
		fmt.Fprintln(&names, name)
		fmt.Fprintln(&ids, id)
	}
	out, err := s.git(ctx, names.Bytes(), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err == nil && !bytes.Equal(out, ids.Bytes()) {
		err = fmt.Errorf("%w: git gave texts other ids than they have", ErrDamaged)
	}
	return err
}
