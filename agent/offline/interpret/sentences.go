package interpret

import (
	"kist/agent/language"
	"kist/agent/offline/apart"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

type sentence struct {
	from, to int // tokens
	question bool
	labelled bool
}

// sentences splits at the ends of sentences and lines. What follows a label
// such as "note:" belongs to it to the end of the paragraph, and a list to "todo:".
func sentences(src string, toks []language.Token) []sentence {
	var out []sentence
	start, labelled, listed, aside, counted := 0, false, false, 0, 0
	flush := func(end int, question bool) {
		if language.HasWord(toks[start:end]) {
			out = append(out, sentence{start, end, question, labelled})
		}
		start, labelled, listed, counted = end+1, false, false, 0
	}
	for i, t := range toks {
		aside = max(aside, language.Bracketed(toks, i))
		switch {
		case i < aside: // in brackets, where nothing ends: "3 gazebos (borrow?), a PA"
		case i > start+2 && !labelled && opens(toks[start:i], toks[i:], listed):
			flush(i, false)
			start = i
		case t.Word || t.Quoted:
		case t.Norm == ":" && title.Announces(toks[start:i]):
			labelled, listed = led(toks[start:i])
		case t.Norm == "\n":
			if endsLine(toks[i+1:], labelled || listed) {
				flush(i, false)
			}
		case labelled, listed && (t.Norm == ";" || todo.CountsOn(toks[i-1], t, &counted)):
		case ends(src, toks[start:i], t):
			flush(i, t.Norm == "?")
		}
	}
	if start < len(toks) {
		flush(len(toks), false)
	}
	return out
}

// ends: a mark ends a sentence, of which some tokens stand before it.
func ends(src string, before []language.Token, mark language.Token) bool {
	return language.In("!|?|;", mark.Norm) || mark.Norm == "." && language.EndsSentence(src, mark.Start) || mark.Norm == "," && apart.IsBare(before)
}

// opens: in the middle of a sentence another begins: "rent 780, todo: book the van", not "add
// two tasks: ...".
func opens(before, toks []language.Token, listed bool) bool {
	return !listed && opensList(toks) || apart.Starts(before, toks)
}

// led says what a label leads: one text to the end of the paragraph, a list, or what
// follows as it comes, as behind the name of a project.
func led(label []language.Token) (text, list bool) {
	list = language.Has(label, "<taskword>|do")
	return !list && !language.Has(label, "<projectword>"), list
}

// endsLine: a line break ends a sentence unless the paragraph was labelled and goes on.
func endsLine(next []language.Token, labelled bool) bool {
	return !labelled || len(next) > 0 && next[0].Norm == "\n"
}

// opensList: a list of things to do begins, also in the middle of a line.
func opensList(toks []language.Token) bool {
	return len(toks) > 1 && toks[1].Norm == ":" && !toks[0].Quoted && language.In("todo|todos|to-do|to-dos|tasks|aufgaben", toks[0].Norm)
}
