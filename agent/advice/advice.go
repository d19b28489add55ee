/*
Package advice is what a small model contributes to the making of a project, beside what
package guide does by itself: words for the question that is likely next. It is asked for
when a turn is over, and used in the turn after only where it is there by then and holds, so
that no turn waits for it.

A [Book] keeps it for as long as the process lives: who starts anew asks in the guide's words.
*/
package advice

import (
	"maps"
	"sync"
)

const (
	maxSessions = 64 // that are kept in mind
	maxWords    = 16 // questions of a session that there are words for
)

// A Book keeps what was advised, by session. Its zero value is empty; its methods may be called
// concurrently.
type Book struct {
	mu    sync.Mutex
	words map[string]map[string]string // by session and the guide's question
}

// Words are those for questions of a session, by the guide's own.
func (b *Book) Words(session string) map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.words[session])
}

// keep notes words for a question.
func (b *Book) keep(session, question, words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.words == nil || b.words[session] == nil && len(b.words) >= maxSessions {
		b.words = map[string]map[string]string{}
	}
	if b.words[session] == nil || len(b.words[session]) >= maxWords {
		b.words[session] = map[string]string{}
	}
	b.words[session][question] = words
}
