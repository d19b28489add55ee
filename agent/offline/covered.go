package offline

import (
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/todo"
)

// What a message says beside its order is what a language model is for: "and tell me why",
// "into Spanish", "for each of the rooms". So an order is sure only where every word of the
// message is accounted for: it is part of what is written down, of a date, of a name, or of
// the few words that such orders are made of. What is written down has to be the user's
// own: behind a colon, in quotes, or a thing to do, and not the description of a text.

// covered reports whether readings account for each word of a message.
func covered(text string, now time.Time, meanings []interpret.Meaning) bool {
	toks := language.Tokenize(text)
	content, things := map[string]bool{}, 0
	for _, m := range meanings {
		if !verbatim(text, toks, m) {
			return false
		}
		things += max(len(m.Todos), len(m.Titles))
		for _, said := range contents(m) {
			for _, w := range language.Words(said) {
				content[spelling(said, w)] = true
			}
		}
	}
	if asksBeside(text, meanings) {
		return false
	}
	for i, w := range undated(toks, now) {
		switch {
		case !w.Word || content[spelling(text, w)]:
		case w.Quoted, language.Class("<wh>", w.Norm) && (i > 0 || meanings[0].Intent == intent.AddTask):
			return false
		case language.In("and|or|but|then|because", w.Norm):
			if things < 2 && len(meanings) < 2 {
				return false
			}
		case language.Numeral(w.Norm) != "" && things > 1: // "three tasks: ..."
		case !ordinary(w, meanings[0].Intent):
			return false
		}
	}
	return true
}

// contents are the user's words in what a meaning writes down, looks for or goes to.
func contents(m interpret.Meaning) []string {
	out := append([]string{m.Text, m.Name}, m.Titles...)
	for _, t := range m.Todos {
		out = append(out, t.Title)
	}
	for _, p := range m.Project.Found {
		out = append(out, p.Name, p.Slug)
	}
	return out
}

// undated leaves out dates and priorities, and what leads to them.
func undated(toks []language.Token, now time.Time) []language.Token {
	for range 4 {
		span, ok := language.FindDate(toks, now)
		if !ok {
			break
		}
		toks = language.Cut(toks, span.Start, span.End)
	}
	if _, from, to, ok := language.FindPriority(toks); ok {
		toks = language.Cut(toks, from, to)
	}
	return language.SkipOpeners(toks)
}

// orderWords are the classes of words that orders are made of.
var orderWords = strings.Fields("<stop> <filler> <opener> <det> <commandverb> <taskword> <noteword> <listword> <projectword> <memoryword> <addverb> <ticking> <finishverb> <doneword> <showverb> <adjective>")

// openEnded are words for things that have yet to be found out.
const openEnded = "each|every|both|whichever|whatever|whoever|wherever"

// moreWords are those of one kind of order.
var moreWords = map[intent.Name][]string{
	intent.ListTasks:    {"<abouttasks>"},
	intent.ListMemories: {"<aboutmemory>"},
	intent.ListDrafts:   {"<draftword>"},
	intent.ListProjects: {"<abouttasks>", "<draftword>"},
	intent.ListPending:  {"<draftword>", "<proposed>"},
	intent.Switch:       {"<attend>", "<light>", "<going>", "<goverb>", "<generic>"},
	intent.Back:         {"<attend>", "<light>", "<going>", "<goverb>", "<generic>"},
	intent.Undo:         {"<undoword>", "<undoing>"},
	intent.Redo:         {"<undoword>", "<undoing>"},
	intent.ListChanges:  {"<undoword>"},
}

// ordinary: a word that such an order may have, whatever it is about. Whose doing is said,
// "I want", is courtesy; for each of several things an order isn't one.
func ordinary(w language.Token, of intent.Name) bool {
	if language.In(openEnded+"|like|as|if|than|from|about|say|tell|find|look|search|mention|decide|agree|choose|plan|know|think|mean", w.Norm) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(orderWords, moreWords[of]), func(class string) bool { return language.Class(class, w.Norm) })
}

// asksBeside: what is to be written down asks something or ends in another order, or a
// sentence beside the order asks.
func asksBeside(text string, meanings []interpret.Meaning) bool {
	asks := func(text string) bool {
		return slices.ContainsFunc(extract.Sentences(text), func(s extract.Sentence) bool {
			return s.Kind == extract.Question || language.Asks(language.Tokenize(s.Text))
		})
	}
	for _, m := range meanings {
		if slices.ContainsFunc(contents(m), asks) {
			return true
		}
		for _, s := range extract.Sentences(m.Text)[min(1, len(extract.Sentences(m.Text))):] {
			if extract.Orders(s.Text) || s.Kind == extract.Command {
				return true
			}
		}
	}
	return len(meanings) > 1 && asks(text)
}

// verbatim: what a meaning writes down stands in the message as it is to be written, and
// is no description of it.
func verbatim(text string, toks []language.Token, m interpret.Meaning) bool {
	switch m.Intent {
	case intent.AddTask:
		return !slices.ContainsFunc(m.Todos, func(t todo.Todo) bool {
			first := language.Tokenize(t.Title)
			return !introduced(text, toks, t.Title) && (len(first) == 0 || language.Class("<stop>", first[0].Norm) || language.Class("<det>", first[0].Norm) || language.In(openEnded, first[0].Norm))
		})
	case intent.AddNote:
		return introduced(text, toks, m.Text)
	case intent.Remember:
		first := language.Tokenize(m.Text)
		return introduced(text, toks, m.Text) || len(first) > 0 && (language.Class("<subject>", first[0].Norm) || language.Class("<owner>", first[0].Norm))
	}
	return true
}

// introduced: what stands before some words says that they are to be taken as they are.
func introduced(text string, toks []language.Token, said string) bool {
	words := language.Words(said)
	if len(words) == 0 {
		return false
	}
	for i := range toks {
		if i+min(2, len(words)) > len(toks) || !slices.EqualFunc(words[:min(2, len(words))], toks[i:i+min(2, len(words))], func(a, b language.Token) bool {
			return spelling(said, a) == spelling(text, b)
		}) {
			continue
		}
		return toks[i].Quoted || i > 0 && (!toks[i-1].Word || language.In("to|that", toks[i-1].Norm))
	}
	return false
}

// spelling is a word as it stands in a text, in small letters.
func spelling(text string, w language.Token) string { return strings.ToLower(text[w.Start:w.End]) }
