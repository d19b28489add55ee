package title

import (
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/passage"
)

// longestWhole is how many bytes a title has at most that is a whole sentence, or two.
const longestWhole = 140

// Whole is a title that says too little alone, as it was said: its whole sentence, or where that
// has no more, with the sentence before it, which says of what it is. A title that says enough,
// and one whose sentences are long, stays as it is, as does one that was ordered to be written down so.
func Whole(title, said string) string {
	if !bare(title) {
		return title
	}
	list := passage.Sentences(language.OneLine(said))
	for i, s := range list {
		s = strings.TrimRight(s, " .!?")
		at := strings.Index(strings.ToLower(s), strings.ToLower(title))
		if at < 0 {
			continue
		}
		if _, _, ordered := language.Find(language.Tokenize(s), "remind me|us|mich|uns", "remind * me|us", "put|note|write|add"); ordered {
			break // the order says what to write
		}
		whole := s
		if len(told(s[:at])) < fewTold && len(told(s[at+len(title):])) == 0 {
			if i == 0 || len(told(list[i-1])) < fewTold || strings.HasSuffix(strings.TrimSpace(list[i-1]), "?") {
				return title
			}
			if v := Vague(title); v == Person && !v.NamedIn(list[i-1]) {
				return title
			}
			if !strings.Contains(s[:at], ",") {
				whole = title
			}
			whole = strings.TrimRight(strings.TrimSpace(list[i-1]), ".!") + ": " + language.Uncapital(whole)
		}
		if whole = language.Capital(strings.TrimSpace(whole)); len(whole) <= longestWhole {
			return whole
		}
		break
	}
	return title
}

// fewTold is how many words at least tell of a thing.
const fewTold = 2

// told are the words of a text that name something, rather than that and when it is to be done.
func told(text string) (words []string) {
	toks := language.SkipOpeners(language.Tokenize(text))
	if n, led := language.MatchAny(toks, obliged...); led {
		toks = toks[n:]
	}
	if d, ok := language.FindDay(toks, anyDay); ok {
		toks = language.Cut(toks, d.Start, d.End)
	}
	for _, t := range toks {
		if t.Word && names(t) && !language.Light(t.Norm) && !language.Class("<stop>", t.Norm) && !language.Class("<addverb>", t.Norm) && !language.In("remind|need|must|also|just|please|then|got|have|so|put|ok|okay|though|too", t.Norm) {
			words = append(words, t.Norm)
		}
	}
	return words
}

var anyDay = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)

// bare: a title only points to what it is about, or says who is to be asked and not what, or what
// is to be looked at only by its day.
func bare(title string) bool {
	toks := language.Tokenize(title)
	v := Vague(title)
	if v == Thing || v == Person && pointerIn(title, toks).pronoun != "" || len(toks) == 3 && language.Begins(toks[1:], "those|these|them|it together|up|out|off|back|ready|sorted") {
		return true
	}
	if len(toks) < 2 || len(toks) > 3 || len(language.ContentWords(toks)) > 2 {
		return false
	}
	_, n, day := language.ReadPeriod(toks[1:], anyDay)
	return language.In("ask|tell|warn", toks[0].Norm) && !language.Has(toks, "about|for|if|whether|to|re|when|how|what|that") || toks[0].Norm == "check" && day && n == len(toks)-1
}

// Half: a title is the second half of a sentence, or an answer.
func Half(title string) bool {
	return language.Begins(language.Tokenize(title), "or|but|because|than|otherwise|although *", "no bother|problem|worries|rush|idea|way")
}
