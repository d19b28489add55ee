package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kist/vault/control"
)

const (
	maxHistory = 1000    // lines that are kept
	maxEntry   = 1 << 20 // bytes of one; a message can have no more than an eighth of it
)

// history is the typed lines, oldest first. What can't be saved is only lost for
// the next run.
type history struct {
	path  string
	lines []string
}

// openHistory reads a history; an empty path keeps it in memory alone.
func openHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep the history: %w", err)
	}
	f, err := control.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, maxEntry)
	for s.Scan() {
		h.lines = append(h.lines, s.Text())
	}
	h.lines = h.lines[max(0, len(h.lines)-maxHistory):]
	return h, nil
}

// Add appends a line, to the file too.
func (h *history) Add(entry string) {
	if strings.TrimSpace(entry) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == entry {
		return
	}
	h.lines = append(h.lines, entry)
	if h.path == "" {
		return
	}
	f, err := control.OpenFile(h.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = io.WriteString(f, strings.ReplaceAll(entry, "\n", " ")+"\n")
}

// Len is how many lines there are.
func (h *history) Len() int { return len(h.lines) }

// At returns a line, the newest being 0.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
