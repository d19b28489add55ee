package extract

import "kist/agent/language"

// PointsOff reads an order to tick off what its words only point to, at the end of a text: "that's
// all of it, so tick that one off". told is what stands before it; open: it is to be open again, as in
// "untick it".
func PointsOff(text string) (told string, open, ok bool) {
	toks := language.Tokenize(text)
	end := len(toks)
	for end > 0 && (!toks[end-1].Word || language.In("please|then|now|too|again", toks[end-1].Norm)) {
		end--
	}
	for i, tok := range toks[:end] {
		if tok.Quoted || i > 0 && toks[i-1].Word && !language.In("so|and|then|please|just|now|oh|ok|okay|also|can|could|you", toks[i-1].Norm) {
			continue
		}
		const it = "it|that|this|them|those|these one|ones|two? "
		n, ticks := language.MatchAny(toks[i:end], "tick "+it+"off? off? my|the|your? list?", "cross|check|strike|mark "+it+"off off? my|the|your? list?",
			"tick|cross|check|strike|mark off "+it, "mark|tick "+it+"off? as? <doneword>")
		if !ticks {
			n, open = language.MatchAny(toks[i:end], "untick|uncheck|reopen|re-open "+it)
		}
		if (ticks || open) && i+n == end {
			from := i
			for from > 0 && toks[from-1].Word && language.In("so|and|then|please|just|now|you|can|could", toks[from-1].Norm) {
				from--
			}
			return language.Spell(text, language.TrimMarks(toks[:from])), open, true
		}
	}
	return "", false, false
}
