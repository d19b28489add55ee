package analyze

import (
	"bytes"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
)

const (
	// maxWords is how many words are remembered, maxWordBytes how long they may be.
	maxWords     = 1 << 14
	maxWordBytes = 48
)

// words remembers what became of words of late: a text repeats its words, and to find those
// of a query in it each would be analysed anew.
type words struct {
	mu    sync.RWMutex
	known map[word]analysis.TokenStream
}

type word struct{ lang, text string }

// Word is Analyze for what has no blank in it. What it returns must not be changed, and it
// leaves the text as it is.
func (a Analyzer) Word(text []byte) analysis.TokenStream {
	if a.words == nil || len(text) > maxWordBytes {
		return a.Analyze(bytes.Clone(text))
	}
	a.words.mu.RLock()
	tokens, ok := a.words.known[word{a.Name, string(text)}]
	a.words.mu.RUnlock()
	if ok {
		return tokens
	}
	tokens = a.Analyze(bytes.Clone(text))
	a.words.mu.Lock()
	defer a.words.mu.Unlock()
	if a.words.known == nil {
		a.words.known = map[word]analysis.TokenStream{}
	}
	for old := range a.words.known { // any one: it is seldom one of the common ones
		if len(a.words.known) < maxWords {
			break
		}
		delete(a.words.known, old)
	}
	a.words.known[word{a.Name, string(text)}] = tokens
	return tokens
}

// Wordwise reports whether a text has the tokens that its words have, as blanks part them.
// Where signs are words they are taken in twos.
func (a Analyzer) Wordwise() bool { return a.Name != "cjk" }
