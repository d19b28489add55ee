package language

import "sync"

// German is read by way of English: what is known of its words stands in de/words.txt.
// The tokens keep their places in the text, so that titles and names stay as they were
// written.
var german = sync.OnceValue(func() map[string][]string { return pairs("de/words.txt") })

// IsGerman reports whether more words of a text are German than English.
func IsGerman(text string) bool { return isGerman(cut(text, maxTokens)) }

// isGerman reports whether more words of a text are German than English.
func isGerman(toks []Token) bool {
	german, english := german(), 0
	found := 0
	for _, t := range toks[:min(len(toks), 60)] {
		_, de := german[t.Norm]
		en := known(t.Norm)
		switch {
		case !t.Word || t.Quoted || de == en:
		case de:
			found++
		default:
			english++
		}
	}
	return found > english
}

// glossed puts English words in the place of German ones.
func glossed(toks []Token) []Token {
	var out []Token
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if isOrdinalDot(toks, i) {
			out[len(out)-1].Norm += "th" // "am 15. März"
			continue
		}
		words, ok := german()[t.Norm]
		if i+1 < len(toks) && !t.Quoted {
			if both, found := german()[t.Norm+" "+toks[i+1].Norm]; found {
				words, ok = both, true
				i++
				t.End = toks[i].End
			}
		}
		if !ok || t.Quoted || !t.Word {
			out = append(out, t)
			continue
		}
		for k, w := range words {
			part := t
			part.Norm, part.Gap = w, t.Gap && k == 0
			out = append(out, part)
		}
	}
	return out
}

// isOrdinalDot: the dot behind a day of a month, not at the end of a sentence.
func isOrdinalDot(toks []Token, i int) bool {
	if i == 0 || toks[i].Norm != "." || toks[i].Gap || !IsDigits(toks[i-1].Norm) || DayNumber(toks[i-1].Norm) == 0 {
		return false
	}
	if i+1 < len(toks) {
		words := german()[toks[i+1].Norm]
		if len(words) == 1 {
			if _, month := monthOf(words[0]); month {
				return true
			}
		}
	}
	return i > 1 && In("am|zum", toks[i-2].Norm)
}
