package filing

import (
	"context"
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/recall"
)

// signs are what stands around a sentence that was told in a project.
type signs struct {
	first bool   // it begins its message
	on    int    // what the message before speaks for
	last  string // where the sentence before it belongs; of the first one that doesn't count
	hangs bool   // it goes on about who or what the one before told of
}

// What speaks for a sentence's being of another matter than the project at hand. They were fitted to
// 1,145 sentences of 24 conversations, of which was judged where each belongs, played on with what was
// misplaced. With each conversation left out in turn 81 of its sentences are misplaced.
const (
	prior       = -8  // without any evidence it is of the project
	toldOutside = 11  // the message before was of another matter by evidence of its own
	wentOutside = 8   // it only went on with another
	saidOutside = 23  // the sentence before it is of another matter
	saidHere    = -11 // or of the project
	wordHere    = -5  // a word, or half a name, that stands in the project's files
	wordThere   = 12  // or among what was told outside
	hangsThere  = 6   // it goes on with what is outside
	turnsLikely = 16  // it says, perhaps, that it turns to something else
	turnsSurely = 20  // or for sure
	ordered     = -10 // what is ordered says where, or it is here
	asked       = -3  // as does what asks for anything
	mostWords   = 4   // words that count
)

// evident is where a sentence belongs by the evidence that was told in the project at hand:
// there, in another project, or outside of any.
func evident(ctx context.Context, t *Turn, s, here string, by signs, inbox, own []recall.Writing) string {
	weights := recall.Weigh(s, slices.Concat(inbox, own, t.find(ctx, s, here)))
	ownWords, there := weights[here], weights[outside]
	delete(weights, here)
	if slug := heaviest(t, weights); slug != "" && ownWords == 0 && len(weights) == 1 {
		return slug
	}
	odds := prior + wordHere*min(ownWords, mostWords) + wordThere*min(there, mostWords) + turning(s)
	switch odds += around(s, here, by); {
	case odds <= 0:
		return here
	case !by.first:
		return strings.TrimPrefix(by.last, here) // with the one before it, if that is outside
	}
	return ""
}

// around is what speaks for another matter around a sentence, and in what it wants.
func around(s, here string, by signs) (odds int) {
	out := by.first && by.on > 0 || !by.first && by.last != here
	switch {
	case orders(s):
		odds = ordered
		out = out && !by.first
	case extract.Orders(s) && !extract.Plain(s):
		odds = asked
	case next(s):
		out = out && !by.first
	}
	switch {
	case by.first && out:
		odds += by.on
	case out:
		odds += saidOutside
	case !by.first:
		odds += saidHere
	}
	if out && (by.hangs || language.Begins(language.Tokenize(s), "another|the other? one|ones")) {
		odds += hangsThere
	}
	return odds
}

// turning is what a sentence says of its turning to something else.
func turning(s string) (odds int) {
	sure, likely := recall.Turns(s)
	if sure {
		odds += turnsSurely
	}
	if likely {
		odds += turnsLikely
	}
	return odds
}

// orders: a sentence wants something written down.
func orders(s string) bool {
	toks := language.SkipOpeners(language.Tokenize(s))
	return language.Has(toks, "<taskword>|<listword>") || language.Begins(toks, "please? <addverb>|put|note|remind|remember")
}

// next: a sentence doesn't go on with the one before it.
func next(s string) bool {
	return language.Begins(language.Tokenize(s), "and? one|another|other|next more|other? thing|matter|point|subject :|,")
}

// ofHere is what was said before in the project at hand and isn't outside, its name and its inbox.
func ofHere(t *Turn, here string, inbox []recall.Writing) (own []recall.Writing) {
	for _, line := range linesOf(t, here) {
		own = append(own, recall.Writing{Project: here, Text: line})
	}
	for _, said := range saidIn(t, here) {
		if !isIn(said, inbox) && !isIn(said, own) {
			own = append(own, recall.Writing{Project: here, Text: said})
		}
	}
	if p, ok := t.Named(here); ok {
		own = append(own, recall.Writing{Project: here, Text: p.Name})
	}
	return own
}

// saidIn is what was said before in a project, if the conversation was there when the message came.
func saidIn(t *Turn, project string) []string {
	if project != t.Told {
		return nil
	}
	return t.Said
}

// goesOn is what the last message that told something in the project at hand speaks for: that was
// filed outside of any, or 0 if not.
func goesOn(t *Turn, here string, inbox, own []recall.Writing) int {
	for _, said := range slices.Backward(saidIn(t, here)) {
		all := slices.DeleteFunc(extract.Sentences(said), func(s extract.Sentence) bool { return s.Kind == extract.Question })
		if len(all) == 0 {
			continue
		}
		if !isIn(said, inbox) {
			return 0
		}
		others := slices.DeleteFunc(slices.Clone(inbox), func(w recall.Writing) bool { return isIn(said, []recall.Writing{w}) })
		turns := slices.ContainsFunc(all, func(s extract.Sentence) bool { return turning(s.Text) > 0 })
		if turns || recall.Weigh(said, append(others, own...))[outside] > 0 {
			return toldOutside
		}
		return wentOutside
	}
	return 0
}

// isIn: a message is kept among lines, a sentence of it or a task that it told of.
func isIn(said string, lines []recall.Writing) bool {
	words := language.ContentWords(language.Tokenize(said))
	var sentences []string
	for _, s := range guide.Sentences(said) {
		sentences = append(sentences, plain(s))
	}
	return slices.ContainsFunc(lines, func(w recall.Writing) bool {
		own := language.ContentWords(language.Tokenize(strings.TrimLeft(w.Text, "- [x]")))
		text := plain(w.Text)
		return len(own) > 1 && language.Covers(words, own) || slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(text, s) })
	})
}
