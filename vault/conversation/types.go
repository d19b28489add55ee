package conversation

import (
	"strings"
	"time"
)

// A Session is a conversation's state, kept in sessions/<id>.yaml.
type Session struct {
	ID       string
	Device   string
	Client   string // the program that began it, such as cli or nvim
	Mode     string
	Phase    string
	Project  string   // slug of the active project; empty: none
	Stack    []string // slugs that "back" leads to, the nearest one last
	Question Question // what kist asked and waits to hear
	Offers   []Offer  // proposals that may still be agreed to in words
	Draft    string   // slug of the draft in the making
	Asked    []string // what was asked already, as keys
	Title    string   // what it is about, in a few words; empty: too little was said yet
	Named    bool     // the title is the user's
	Hidden   bool     // the user deleted it: it isn't listed, and what was said stays in the conversations
	Summary  string   // of the turns so far
	Held     []string // sentences that a question is about, and that are in no file yet
	Tainted  []string // ids of turns that had read text from outside, the last ones
	Turns    int
	Created  time.Time
	LastUsed time.Time

	// Interrupted is the turn that was begun and has not ended; nil: none.
	Interrupted *OpenTurn
}

// A Question is what kist asked: its kind and arguments, which code reads, and the words
// in which it was shown, which only people do.
type Question struct {
	Kind    string            `yaml:"kind,omitempty"` // empty: none, or one that only its words tell
	Args    map[string]string `yaml:"args,omitempty"`
	Choices []string          `yaml:"choices,omitempty"`
	Text    string            `yaml:"text,omitempty"`
}

// An Offer is a proposed operation as a session remembers it.
type Offer struct {
	ID        string `yaml:"id"`
	Digest    string `yaml:"digest"`              // of what was shown
	Removes   bool   `yaml:"removes,omitempty"`   // it removes, renames or moves something
	Suspended bool   `yaml:"suspended,omitempty"` // a go no longer means it
}

// An OpenTurn is a turn that was begun: what is left of it after a crash.
type OpenTurn struct {
	ID      string    `yaml:"id"`
	At      time.Time `yaml:"at"`
	Client  string    `yaml:"client,omitempty"`
	Text    string    `yaml:"text,omitempty"`
	Project string    `yaml:"project,omitempty"` // slug
	// Continues are the turns, interrupted before it, that it goes on with.
	Continues []string `yaml:"continues,omitempty,flow"`
}

// A Turn is one user message with what came of it.
type Turn struct {
	ID         string
	Session    string
	Project    string // slug; empty: outside any project
	At         time.Time
	User       string
	Reply      string
	Added      []string // the paragraphs of the reply that kist added to a language model's, in their order
	Actions    []string // a line for each operation, for people
	Operations []string // ids
	Context    []string // sources that were read, as path:line
	Elsewhere  bool     // it was said on another machine
}

// Own returns the reply without what kist added to it, and that.
func (t Turn) Own() (said, added string) {
	said = t.Reply
	from := 0
	for _, part := range t.Added {
		if at := strings.Index(said[from:], part); at >= 0 {
			from += at
			said = strings.TrimRight(said[:from], "\n") + "\n\n" + strings.TrimLeft(said[from+len(part):], "\n")
		}
	}
	return strings.TrimSpace(said), strings.Join(t.Added, "\n\n")
}
