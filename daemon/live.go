package daemon

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"kist/agent/budget"
	"kist/agent/private"
)

// A live is what the machine's settings say now: who edits their file is heard with the next
// turn. A file that can't be read, or says what can't be meant, changes nothing of what
// protects: what is private, and what models may cost.
type live struct {
	path string
	last atomic.Pointer[Models]

	mu   sync.Mutex
	seen stamp
	read time.Time
}

// stamp is what tells one state of a file from another.
type stamp struct {
	size    int64
	changed time.Time
	there   bool
}

func newLive(path string, m Models) *live {
	l := &live{path: path, seen: stampOf(path), read: time.Now()}
	l.last.Store(&m)
	return l
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if path == "" || err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime(), true}
}

// changed reports whether the file is another one than when it was asked last, or is to be
// read anew since a key that it needs may be there by now.
func (l *live) changed() bool {
	now := stampOf(l.path)
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.seen
	l.seen = now
	if now == was && (!l.last.Load().locked() || time.Since(l.read) < lookAgain) {
		return false
	}
	l.read = time.Now()
	return true
}

// load reads the file anew.
func (l *live) load() (Models, error) {
	m, err := loadModels(os.Getenv)
	if err == nil {
		if m.Fault != nil && m.Spend == (budget.Limit{}) {
			m.Spend = l.last.Load().Spend // it may be the limits that can't be read
		}
		l.last.Store(&m)
	}
	return m, err
}

func (l *live) private() *private.Marks { return &l.last.Load().Private }

func (l *live) spend() budget.Limit { return l.last.Load().Spend }
