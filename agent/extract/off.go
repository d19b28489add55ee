package extract

import "kist/agent/language"

// PointsOff reads an order to tick off what its words only point to, at the end of a text: "that's
// all of it, so tick that one off". told is what stands before it; open: it is to be open again, as in
// "untick it".
func PointsOff(text string) (told string, open, ok bool) {
	toks := language.Tokenize(text)
	end := len(toks)
	for end > 0 && (!toks[end-1].Word || language.Begins(toks[end-1:end], patterns("behind it")...)) {
		end--
	}
	for i, tok := range toks[:end] {
		if tok.Quoted || i > 0 && toks[i-1].Word && !language.Begins(toks[i-1:i], patterns("before it")...) {
			continue
		}
		n, ticks := language.MatchAny(toks[i:end], patterns("ticks")...)
		if !ticks {
			n, open = language.MatchAny(toks[i:end], patterns("opens")...)
		}
		if (ticks || open) && i+n == end {
			from := i
			for from > 0 && toks[from-1].Word && language.Begins(toks[from-1:from], patterns("politely")...) {
				from--
			}
			return language.Spell(text, language.TrimMarks(toks[:from])), open, true
		}
	}
	return "", false, false
}
