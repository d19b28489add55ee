package analyze

import (
	"bytes"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
)

const (
	// maxWords is how many words are remembered, twice as many at most, and maxWordBytes how
	// long they may be.
	maxWords     = 1 << 13
	maxWordBytes = 48
)

// words remembers what became of words of late: a text repeats its words, and to find those
// of a query in it each would be analysed anew. What wasn't asked for while maxWords others came
// is forgotten.
type words struct {
	mu       sync.RWMutex
	now, old map[word]analysis.TokenStream
}

type word struct{ lang, text string }

// find returns what is remembered of a word; fresh: it is not about to be forgotten.
func (w *words) find(lang string, text []byte) (tokens analysis.TokenStream, known, fresh bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if tokens, known = w.now[word{lang, string(text)}]; known {
		return tokens, true, true
	}
	tokens, known = w.old[word{lang, string(text)}]
	return tokens, known, false
}

func (w *words) keep(lang string, text []byte, tokens analysis.TokenStream) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now == nil || len(w.now) >= maxWords {
		w.now, w.old = make(map[word]analysis.TokenStream, maxWords), w.now
	}
	w.now[word{lang, string(text)}] = tokens
}

// Word is Analyze for what has no blank in it. What it returns must not be changed, and it
// leaves the text as it is.
func (a Analyzer) Word(text []byte) analysis.TokenStream {
	if a.words == nil || len(text) > maxWordBytes {
		return a.Analyze(bytes.Clone(text))
	}
	tokens, known, fresh := a.words.find(a.Name, text)
	if !known {
		if tokens, known = a.oneWord(text); !known {
			tokens = a.Analyze(bytes.Clone(text))
		}
	}
	if !fresh {
		a.words.keep(a.Name, text, tokens)
	}
	return tokens
}

// Wordwise reports whether a text has the tokens that its words have, as blanks part them.
// Where signs are words they are taken in twos.
func (a Analyzer) Wordwise() bool { return a.Name != "cjk" }
