package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"kist/agent/intent"
	"kist/vault/control"
)

// lessons are what the user's messages turned out to mean, a line of JSON each in
// .kist/lessons.jsonl. Like all of .kist the file is of this machine alone and may be
// deleted at any time; it is the reader's only memory of what was picked.
type lessons struct {
	path string
	log  *slog.Logger

	mu  sync.Mutex
	all []intent.Example
}

// maxLessons is how large a file is read, in bytes: far more than is ever used.
const maxLessons = 1 << 20

// openLessons reads what there is. Lines that are none are left out: somebody may have
// edited them.
func openLessons(path string, log *slog.Logger) *lessons {
	l := &lessons{path: path, log: log}
	text, err := control.Read(path, maxLessons)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("what was learned can't be read", "err", err)
		}
		return l
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var e intent.Example
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Text != "" {
			l.all = append(l.all, e)
		}
	}
	l.all = l.all[max(0, len(l.all)-intent.MostExamples):]
	return l
}

func (l *lessons) Examples() []intent.Example {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// Keep adds an example and writes the file anew, so that it never grows past what is
// used.
func (l *lessons) Keep(e intent.Example) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
	l.all = l.all[max(0, len(l.all)-intent.MostExamples):]
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, each := range l.all {
		if err := enc.Encode(each); err != nil {
			l.log.Warn("what was learned isn't kept", "err", err)
			return
		}
	}
	if err := writePrivate(l.path, text.Bytes()); err != nil {
		l.log.Warn("what was learned isn't kept", "err", err)
	}
}
