package semantic

import (
	"slices"
	"strings"

	"kist/vault/merge"
	"kist/vault/merge/words"
)

// A region is a stretch of three lists of tokens: of the base, and what it became.
type region struct{ base, ours, theirs []string }

// contested reports whether both sides changed the stretch, and not alike.
func (r region) contested() bool {
	return !slices.Equal(r.ours, r.theirs) && !slices.Equal(r.base, r.ours) && !slices.Equal(r.base, r.theirs)
}

// regions cuts three lists of tokens into stretches; what both sides changed
// overlaps is in one. What only touches is too where a token says little, but not of sentences.
func regions(base, ours, theirs []string, touching bool) []region {
	var out []region
	o, t := changes(base, ours), changes(base, theirs)
	at, shiftO, shiftT := 0, 0, 0
	joins := func(next, from, to int) bool { return next < to || next == to && (touching || from == to) }
	for len(o) > 0 || len(t) > 0 {
		from := len(base)
		if len(o) > 0 {
			from = o[0].A0
		}
		if len(t) > 0 {
			from = min(from, t[0].A0)
		}
		out = append(out, region{base[at:from], base[at:from], base[at:from]})
		to, startO, startT := from, from+shiftO, from+shiftT
		for {
			grown := false
			for ; len(o) > 0 && joins(o[0].A0, from, to); o, grown = o[1:], true {
				to = max(to, o[0].A1)
				shiftO += (o[0].B1 - o[0].B0) - (o[0].A1 - o[0].A0)
			}
			for ; len(t) > 0 && joins(t[0].A0, from, to); t, grown = t[1:], true {
				to = max(to, t[0].A1)
				shiftT += (t[0].B1 - t[0].B0) - (t[0].A1 - t[0].A0)
			}
			if !grown {
				break
			}
		}
		out = append(out, region{base[from:to], ours[startO : to+shiftO], theirs[startT : to+shiftT]})
		at = to
	}
	return append(out, region{base[at:], base[at:], base[at:]})
}

// changes returns the differences of two lists. What was only added, or only taken out, is as far
// down as it can be, so that both sides have it at one place.
func changes(a, b []string) []merge.Change {
	list := merge.Compare(a, b)
	for i := range list {
		c := &list[i]
		end := len(a)
		if i+1 < len(list) {
			end = list[i+1].A0 - 1
		}
		switch {
		case c.A0 == c.A1:
			for c.A0 < end && a[c.A0] == b[c.B0] {
				*c = merge.Change{A0: c.A0 + 1, A1: c.A1 + 1, B0: c.B0 + 1, B1: c.B1 + 1}
			}
		case c.B0 == c.B1:
			for c.A1 < end && a[c.A0] == a[c.A1] {
				*c = merge.Change{A0: c.A0 + 1, A1: c.A1 + 1, B0: c.B0 + 1, B1: c.B1 + 1}
			}
		}
	}
	return list
}

// merged returns what a stretch becomes that isn't contested.
func (r region) merged() []string {
	if slices.Equal(r.base, r.ours) {
		return r.theirs
	}
	return r.ours
}

// mergeProse merges a paragraph or the text of an item: by lines, and where lines
// collide by words. It is false where something of theirs isn't in the result.
func mergeProse(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	var b strings.Builder
	clean := true
	for _, r := range regions(splitLines(t[inBase]), splitLines(t[inOurs]), splitLines(t[inTheirs]), true) {
		if !r.contested() {
			b.WriteString(strings.Join(r.merged(), ""))
			continue
		}
		text, ok := mergeSentences(triple{strings.Join(r.base, ""), strings.Join(r.ours, ""), strings.Join(r.theirs, "")})
		b.WriteString(text)
		clean = clean && ok
	}
	return b.String(), clean
}

// mergeSentences merges by words, or where words collide by sentences, and the words of those
// that both changed.
func mergeSentences(t triple) (string, bool) {
	text, clean := mergeWords(t)
	switch base := strings.Fields(t[inBase]); {
	case clean:
		return text, true
	case slices.Equal(base, strings.Fields(t[inOurs])): // only set in lines anew
		return t[inTheirs], true
	case slices.Equal(base, strings.Fields(t[inTheirs])):
		return t[inOurs], true
	}
	var b strings.Builder
	for _, r := range regions(words.Sentences(t[inBase]), words.Sentences(t[inOurs]), words.Sentences(t[inTheirs]), false) {
		part := strings.Join(r.merged(), "")
		if r.contested() {
			var ok bool
			if part, ok = mergeWords(triple{strings.Join(r.base, ""), strings.Join(r.ours, ""), strings.Join(r.theirs, "")}); !ok {
				return text, false
			}
		}
		b.WriteString(part)
	}
	return b.String(), true
}

// mergeLines merges text of which words mean nothing alone, such as code.
func mergeLines(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	var b strings.Builder
	clean := true
	for _, r := range regions(splitLines(t[inBase]), splitLines(t[inOurs]), splitLines(t[inTheirs]), true) {
		list := r.merged()
		if r.contested() {
			list, clean = r.ours, false
		}
		b.WriteString(strings.Join(list, ""))
	}
	return b.String(), clean
}

// minKept is how much of the base's words each side must have kept so that a merge
// by words is tried: of two texts written anew a mixture would be neither.
const minKept = 0.5

// mergeWords merges by words.
func mergeWords(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	if slices.Equal(strings.Fields(t[inOurs]), strings.Fields(t[inTheirs])) { // other blanks alone
		return max(t[inOurs], t[inTheirs]), true
	}
	base, ours, theirs := words.Of(t[inBase]), words.Of(t[inOurs]), words.Of(t[inTheirs])
	if len(base) == 0 {
		return bothLines(t[inOurs], t[inTheirs])
	}
	if kept(base, ours) < minKept || kept(base, theirs) < minKept {
		return t[inOurs], false
	}
	var b strings.Builder
	clean := true
	list := regions(base, ours, theirs, true)
	for i, r := range list {
		text := strings.Join(r.merged(), "")
		if r.contested() {
			var ok bool
			text, ok = r.both(b.String(), i >= len(list)-2 && blank(strings.Join(list[len(list)-1].base, "")))
			clean = clean && ok
		}
		b.WriteString(text)
	}
	return b.String(), clean
}

// bothLines returns the lines of two additions, unless they aren't whole lines or begin alike; of those that one has all, its.
func bothLines(ours, theirs string) (string, bool) {
	if strings.HasPrefix(ours, theirs) || strings.HasPrefix(theirs, ours) {
		return max(ours, theirs), true
	}
	if !strings.HasSuffix(ours, "\n") || !strings.HasSuffix(theirs, "\n") || alike(words.Of(ours), words.Of(theirs)) {
		return ours, false
	}
	return min(ours, theirs) + max(ours, theirs), true
}

// both returns a contested stretch with what both sides did to it, where that is
// possible: one added words beside those that the other changed, or both added at
// a place where a sentence or the text ends, and not to say the same thing.
func (r region) both(before string, last bool) (string, bool) {
	ours, theirs := strings.Join(r.ours, ""), strings.Join(r.theirs, "")
	if len(r.base) == 0 {
		if strings.HasPrefix(ours, theirs) || strings.HasSuffix(ours, theirs) {
			return ours, true
		}
		if strings.HasPrefix(theirs, ours) || strings.HasSuffix(theirs, ours) {
			return theirs, true
		}
		if !last && !endsSentence(before) || alike(r.ours, r.theirs) {
			return ours, false
		}
		if theirs < ours {
			ours, theirs = theirs, ours
		}
		return join(ours, theirs), true
	}
	if text, ok := beside(r.base, r.ours, theirs); ok {
		return text, true
	}
	if text, ok := beside(r.base, r.theirs, ours); ok {
		return text, true
	}
	return ours, false
}

// beside returns another version of base with what was only added at an end of it.
func beside(base, added []string, other string) (string, bool) {
	if len(added) <= len(base) || other == "" {
		return "", false
	}
	if slices.Equal(added[:len(base)], base) {
		rest := strings.Join(added[len(base):], "")
		return other + rest, blank(rest[:1])
	}
	if slices.Equal(added[len(added)-len(base):], base) {
		rest := strings.Join(added[:len(added)-len(base)], "")
		return rest + other, blank(rest[len(rest)-1:])
	}
	return "", false
}

// alike reports whether two additions begin with the same word or sign, as two
// values for one thing do, or one has all of the other.
func alike(a, b []string) bool {
	word := func(list []string) string {
		for _, w := range list {
			if !blank(w) {
				return strings.ToLower(w)
			}
		}
		return ""
	}
	return word(a) == word(b)
}

func endsSentence(text string) bool {
	text = strings.TrimRight(text, " \t\n")
	return text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, "。")
}

// join puts two additions one behind the other, with a blank between them where
// neither has one.
func join(a, b string) string {
	if a != "" && b != "" && !blank(a[len(a)-1:]) && !blank(b[:1]) {
		return a + " " + b
	}
	return a + b
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// short returns the beginning of a text on one line.
func short(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// kept returns how much of a list of tokens is in another, from 0 to 1; blanks don't count.
func kept(base, side []string) float64 {
	have := map[string]int{}
	for _, w := range side {
		have[w]++
	}
	n, all := 0, 0
	for _, w := range base {
		if blank(w) {
			continue
		}
		all++
		if have[w] > 0 {
			have[w]--
			n++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// splitLines returns the lines of a text with their endings.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
