package draft

import (
	"slices"
	"strings"

	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/turn"
	"kist/vault/pattern"
)

// correct changes an earlier answer: the number or the sentence that was wrong, and
// nothing else of it.
func (t *Session) correct(d *model.Draft, ans guide.Answer) {
	text := corrected(ans.Text)
	if ans.Dimension == "" || text == "" {
		t.Ask(turn.AskInstead, map[string]string{"dimension": ans.Dimension})
		return
	}
	if said := d.Dimensions[ans.Dimension]; said != "" {
		text = amend(said, text)
	}
	a := t.Act(nil)
	w := a.Want("update_draft_dimension", map[string]any{"dimension": ans.Dimension, "text": text, "how": "replace"})
	d.Dimensions[ans.Dimension] = text
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("Changed. %s says now: “%s”", guide.Title(ans.Dimension), language.Limit(language.OneLine(text), 300))
		t.askNext(d)
	}
}

// corrected is a correction without the words that announce it.
func corrected(text string) string {
	text = strings.TrimSpace(correction().ReplaceAllString(strings.TrimSpace(text), ""))
	return language.Capital(text)
}

var (
	correction = pattern.Lazy(`(?i)^(?:(?:oh|no|wait|sorry|well|actually|correction|oops|hang on)[,:.]?\s+)*(?:(?:i (?:want|need|would like|'d like) to |let me |please |can you )?(?:change|correct|fix|amend)\b[^:]{0,60}:\s*|i meant\s+|i was wrong[^:,.]{0,40}[:,.]\s*)?`)
	notNumber  = pattern.Lazy(`(?i)(\d[\d.,]*)([^\d]*?),? (?:and )?not (?:\w+ )?(\d[\d.,]*\d|\d)`)
)

// amounts are numbers with what they count.
var amounts = pattern.Lazy(`\d[\d.,]*\s*([\p{L}€$£%]+)`)

// amountsLike returns the amounts in said that count the same as the first in text.
func amountsLike(said, text string) (out []string) {
	unit := amounts().FindStringSubmatch(text)
	if unit == nil {
		return nil
	}
	for _, m := range amounts().FindAllStringSubmatch(said, -1) {
		if strings.EqualFold(m[1], unit[1]) {
			out = append(out, m[0])
		}
	}
	return out
}

// amend puts a correction into what was said.
func amend(said, text string) string {
	if m := notNumber().FindStringSubmatch(text); m != nil && strings.Contains(said, m[3]) {
		return strings.ReplaceAll(said, m[3], strings.TrimRight(m[1], ".,"))
	}
	if now, was := amounts().FindAllStringSubmatch(text, -1), amountsLike(said, text); len(now) == 1 && len(was) == 1 {
		return strings.Replace(said, was[0], now[0][0], 1) // "4000 euros" for "3000 euros"
	}
	words := language.ContentWords(language.Tokenize(text))
	best, most := "", 1
	for _, list := range guide.Split(said) {
		for _, s := range list {
			n, in := 0, language.ContentWords(language.Tokenize(s))
			slices.Sort(in)
			for _, w := range slices.Compact(in) {
				if slices.Contains(words, w) {
					n++
				}
			}
			if n > most || n == most && best != "" && s < best {
				best, most = s, n
			}
		}
	}
	if best == "" {
		return said + "\n\n" + text
	}
	return strings.Replace(said, best, text, 1)
}
