package draft

import (
	"strings"

	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/passage"
	"kist/vault/pattern"
)

// Where the sentences of an answer belong. People answer the question before, two at
// once, or say again what they said; what they ask in return is no answer at all.

// A layout is an answer taken apart.
type layout struct {
	parts map[string][]string // sentences by dimension
	asks  []string            // what is asked in return
	again []string            // dimensions in which it stood already
	open  bool                // it says that there is no answer
}

// plain is the score from which a sentence is about a dimension whatever was asked.
const plain = 8

var (
	repeated  = pattern.Lazy(`(?i)^(?:(?:well|but|and|like|so),?\s+)*(?:as|like) (?:i|we)(?: have|'ve)? (?:already )?(?:said|mentioned|told you|wrote)(?: (?:before|above|already|earlier))?\s*[,:]?\s*`)
	elliptic  = pattern.Lazy(`(?i)^(?:and |but |well,? )?(?:it|that|this|they|these|those|if|when|because|so|to|not|with|for|in|at|on|yes|no|maybe|probably)\b`)
	nthAnswer = pattern.Lazy(`(?i)^(?:(?:actually|wait|hm+|oh|sorry|no|ok(?:ay)?|well|please|hang on|hold on)[,.:]?\s+)*(?:(?:can (?:we|i|you)|could (?:we|i|you)|let's|let us|let me|i'd like to|i would like to|i want to|i need to|may i) )?(?:please )?(?:(?:go |come |get |jump )?back to|revisit|return to|redo|change|correct|revise|reconsider|answer|repeat|rethink|ask(?: me)?)(?: me)?(?: again)? (?:what i said (?:to|about) |my answer (?:to|for) )?(?:(?:the|your|my|that) )?(?:(?:question|answer)(?: number| no\.?)? )?#?(very first|first|second|third|fourth|fifth|last|previous|1st|2nd|3rd|4th|5th|one|two|three|[1-9])(?: one| question| answer)?(?: you asked)?(?: again| please)?[.!?]*$`)
)

// lay takes an answer apart. The question's own dimension gets what isn't plainly
// about another one.
func lay(d *model.Draft, asked string, ans guide.Answer) layout {
	out := layout{parts: map[string][]string{}}
	home := asked
	for _, s := range guide.Sentences(ans.Text) {
		whole := strings.TrimSpace(repeated().ReplaceAllString(s, ""))
		if key, said := saidBefore(d, whole); whole != strings.TrimSpace(s) && said {
			out.again = append(out.again, key)
			continue
		}
		one := guide.ReadAnswer(whole, guide.Question{ID: "?", Dimension: asked})
		switch {
		case whole == "":
		case one.Kind == guide.Asks:
			out.asks = append(out.asks, s)
		case (one.Kind == guide.DontKnow || one.Kind == guide.Skip) && one.Text == "" && len(strings.Fields(whole)) <= 6:
			out.open = true
		default:
			key := belongsUnder(asked, home, whole, len(out.parts) == 0)
			out.parts[key] = append(out.parts[key], s)
			home = key
		}
	}
	return out
}

// belongsUnder is the dimension of one sentence: the one that was asked about, unless
// nothing in the sentence speaks of that and much of another. home is where the
// sentence before went; first says that there was none.
func belongsUnder(asked, home, s string, first bool) string {
	scores := guide.Score(s)
	best, follows := weightiest(scores), elliptic().MatchString(s)
	switch {
	case scores[asked] > 0:
	case first && asked == guide.Reality && scores[best] < plain:
		// "Marta's garage is dry": how things stand is told of all kinds of things
	case follows:
		return home // "It is dry": of what was spoken about just before
	case scores[best] >= guide.Relevant:
		return best
	}
	return asked
}

// weightiest is the dimension that a sentence is most about, by its scores.
func weightiest(scores map[string]float64) string {
	best := ""
	for _, key := range guide.Dimensions() {
		if best == "" || scores[key] > scores[best] {
			best = key
		}
	}
	return best
}

// saidBefore finds the dimension that says all of it already.
func saidBefore(d *model.Draft, s string) (string, bool) {
	var words []string
	for _, w := range language.ContentWords(language.Tokenize(s)) {
		if !language.Class("<stop>", w) {
			words = append(words, w)
		}
	}
	for _, key := range guide.Dimensions() {
		told, n := language.ContentWords(language.Tokenize(d.Dimensions[key])), 0
		for _, w := range words {
			if passage.Like(told, w) {
				n++
			}
		}
		if len(words) > 0 && 3*n >= 2*len(words) {
			return key, true
		}
	}
	return "", false
}

// speakLayout tells what became of an answer that wasn't simply one to the question.
func (t *Session) speakLayout(asked string, l layout) {
	var elsewhere []string
	for _, key := range guide.Dimensions() {
		if key != asked && len(l.parts[key]) > 0 {
			elsewhere = append(elsewhere, guide.Title(key))
		}
	}
	switch {
	case len(elsewhere) > 0 && len(l.parts[asked]) > 0:
		t.Say("The rest went under %s.", strings.Join(elsewhere, " and "))
	case len(elsewhere) > 0:
		t.Say("I've put that under %s.", strings.Join(elsewhere, " and "))
	}
	for _, key := range l.again {
		t.Say("I have that under %s.", guide.Title(key))
	}
	for _, s := range l.asks {
		t.Say("I can't answer “%s”. It stands in the draft, under Unsorted.", language.Limit(language.OneLine(s), 120))
	}
}

// nthAsked is the dimension of an earlier question that a text names by its number.
func nthAsked(text string, asked []string) string {
	m := nthAnswer().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	word := strings.TrimPrefix(strings.ToLower(m[1]), "very ")
	n := max(language.DayNumber(word), language.Count(word))
	if n < 1 || n > len(asked) {
		return ""
	}
	key, _, _ := strings.Cut(asked[n-1], ".")
	return key
}
