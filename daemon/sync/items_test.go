package sync

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// What is written has words of its own, see [history.word]; here is where they stand: each in an item that shares its
// other words with others, as those of people do, below a heading, once, and ticked only where somebody ticked it.

// phrase is what the items of one document share, and no other document has: what is another one altogether is like none.
func (h *history) phrase() string { return fmt.Sprintf(" cargo%d freight%d", h.words, h.words) }

var aWord, aPhrase = regexp.MustCompile(`word\d{4,}x`), regexp.MustCompile(` cargo\d+ freight\d+`)

// item returns what an item of a document says that is new.
func (h *history) item(by, document string) string {
	if h.rand.IntN(2) == 0 {
		return h.word(by)
	}
	return h.word(by) + aPhrase.FindString(document)
}

// edit returns what a line that is an item says after somebody changed it: another word in its place, or another
// item. What is ticked stays ticked.
func (h *history) edit(line, by string) string {
	words := aWord.FindAllString(line, -1)
	head := "- "
	for _, box := range []string{"- [ ] ", "- [x] "} {
		if strings.HasPrefix(line, box) {
			head = box
		}
	}
	if len(words) == 0 || h.rand.IntN(2) == 0 {
		h.forget(line)
		if head == "- [x] " {
			head = "- "
		}
		return head + h.word(by) + "\n"
	}
	now := h.word(by)
	h.forget(words[0])
	h.kin[now] = h.family(words[0])
	return strings.Replace(line, words[0], now, 1)
}

// family is the word that others came of, one in the place of the other.
func (h *history) family(word string) string {
	if first, ok := h.kin[word]; ok {
		return first
	}
	return word
}

// tick ticks one of the boxes of a document that are not.
func (h *history) tick(m *machine, p string, lines []string) {
	var open []int
	for i, l := range lines {
		if strings.HasPrefix(l, "- [ ] ") {
			open = append(open, i)
		}
	}
	if len(open) == 0 || h.stay && strings.Contains(p, copies.Mark) { // which others have not
		return
	}
	at := open[h.rand.IntN(len(open))]
	h.log(m, "ticks line %d of %s: %s", at+1, p, strings.TrimSpace(lines[at]))
	for _, w := range aWord.FindAllString(lines[at], -1) {
		h.ticked[w], h.families[h.family(w)] = true, true
	}
	lines[at] = "- [x] " + strings.TrimPrefix(lines[at], "- [ ] ")
	m.write(p, strings.Join(lines, ""))
}

// places calls fn for each word of a document, with its line and the heading above it.
func places(text string, fn func(word, line, heading string)) {
	heading, front := "", false
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if l == "---" && (i == 0 || front) {
			front = !front
		}
		if strings.HasPrefix(l, "#") {
			heading = l
		}
		if front {
			continue
		}
		for _, w := range aWord.FindAllString(l, -1) {
			fn(w, l, heading)
		}
	}
}

// places notes below which headings the words stand that are new since there were so many.
func (h *history) places(m *machine, since int) {
	if h.words == since {
		return
	}
	for p, text := range m.files() {
		if !isNote(p) {
			continue
		}
		places(text, func(word, _, heading string) {
			if _, known := h.home[word]; !known && word > wordOf(since) {
				h.home[word] = heading
			}
		})
	}
}

// tear notes words that may stand in two documents.
func (h *history) tear(text string) {
	for _, w := range aWord.FindAllString(text, -1) {
		h.torn[w] = true
	}
}

// name notes what was moved to a name. Where two documents get one, at two machines, either may stand under its old name again.
func (h *history) name(to, text string) {
	if other, ok := h.named[to]; ok {
		h.tear(other + text)
	}
	h.named[to] += text
}

func isNote(p string) bool {
	return path.Ext(p) == ".md" && !strings.Contains(p, copies.Mark) && !strings.HasPrefix(p, "operations/") && !strings.HasPrefix(p, "conversations/")
}

// misplaced are what is wrong with where words stand in the end.
func (h *history) misplaced(files map[string]string, fault func(string, ...any)) {
	stands, done := map[string]string{}, map[string]bool{}
	isTorn := func(p string) bool { // what was added to such a document stands in two as well
		return slices.ContainsFunc(aWord.FindAllString(files[p], -1), func(w string) bool { return h.torn[w] })
	}
	for p, text := range files {
		if path.Ext(p) != ".md" {
			continue
		}
		places(text, func(word, line, heading string) {
			done[word] = done[word] || !strings.HasPrefix(line, "- [ ] ")
			if !isNote(p) {
				return
			}
			if at, ok := stands[word]; ok && !h.removed[word] && !isTorn(p) && !isTorn(at) {
				fault("%s stands twice: in %s and %s (%s)", word, at, p, h.written[word])
			}
			stands[word] = p
			if home, ok := h.home[word]; ok && heading != home && strings.Contains(text, home+"\n") { // somebody may have renamed it
				fault("%s stands below %q in %s, and was written below %q (%s)", word, heading, p, home, h.written[word])
			}
			if strings.HasPrefix(line, "- [x] ") && !h.families[h.family(word)] {
				fault("%s is ticked in %s, which nobody did (%s)", word, p, h.written[word])
			}
		})
	}
	for w := range h.ticked {
		if isDone, there := done[w]; there && !isDone && !h.removed[w] {
			fault("%s was ticked, and is not (%s)", w, h.written[w])
		}
	}
}

// unlisted are the operations that a machine doesn't list.
func (h *history) unlisted(m *machine, fault func(string, ...any)) {
	all, err := m.vault.Operations(h.t.Context(), vault.Filter{})
	if err != nil {
		fault("%s: %v", m.name, err)
	}
	listed := map[string]bool{}
	for _, op := range all {
		listed[op.ID] = true
	}
	for _, id := range h.ops {
		if by := h.own[id]; !listed[id] && (by == "" || by == m.name) {
			fault("operation %s is not listed on %s", id, m.name)
		}
	}
}
