package semantic

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A page is a random document: sections of units, each of which has words that are nowhere
// else, so that it can be told what became of every one.
type page struct {
	keys     []string // of the front matter, each a word
	sections []chapter
}

type chapter struct {
	title string
	units []unit
}

type unit struct {
	kind byte // 'i' an item, 'b' a box, 'p' a paragraph, 'r' a row
	done bool
	text string
}

func (p page) clone() page {
	p.keys = slices.Clone(p.keys)
	p.sections = slices.Clone(p.sections)
	for i := range p.sections {
		p.sections[i].units = slices.Clone(p.sections[i].units)
	}
	return p
}

func (p page) String() string {
	var b strings.Builder
	if len(p.keys) > 0 {
		b.WriteString("---\n")
		for _, k := range p.keys {
			fmt.Fprintf(&b, "%s\n", k)
		}
		b.WriteString("---\n")
	}
	for _, c := range p.sections {
		fmt.Fprintf(&b, "## %s\n\n", c.title)
		for i, u := range c.units {
			next := byte(0)
			if i+1 < len(c.units) {
				next = c.units[i+1].kind
			}
			u.write(&b, i == 0 || c.units[i-1].kind != 'r', next)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (u unit) write(b *strings.Builder, first bool, next byte) {
	switch u.kind {
	case 'b':
		fmt.Fprintf(b, "- [%s] %s\n", map[bool]string{true: "x", false: " "}[u.done], u.text)
	case 'i':
		fmt.Fprintf(b, "- %s\n", u.text)
	case 'r':
		if first {
			b.WriteString("| what | note |\n|---|---|\n")
		}
		fmt.Fprintf(b, "| %s | x |\n", u.text)
	default:
		fmt.Fprintf(b, "%s\n", u.text)
	}
	list := func(k byte) bool { return k == 'i' || k == 'b' }
	if !list(u.kind) && (u.kind != 'r' || next != 'r') || list(u.kind) && !list(next) {
		b.WriteString("\n")
	}
}

// An editor draws pages and changes of them. Every word that it makes is new.
type editor struct {
	t *rapid.T
	n int
}

func (e *editor) word() string { e.n++; return fmt.Sprintf("w%dz", e.n) }

func (e *editor) draw(most int, name string) int { return rapid.IntRange(0, most).Draw(e.t, name) }

func (e *editor) unit() unit {
	words := make([]string, 2+e.draw(3, "words"))
	for i := range words {
		words[i] = e.word()
	}
	return unit{kind: "ibpr"[e.draw(3, "kind")], text: strings.Join(words, " ")}
}

func (e *editor) chapter() chapter {
	c := chapter{title: e.word() + " " + e.word()}
	for range e.draw(4, "units") {
		c.units = append(c.units, e.unit())
	}
	return c
}

func (e *editor) page() page {
	var p page
	for range e.draw(3, "keys") {
		p.keys = append(p.keys, e.word()+": "+e.word())
	}
	for range 1 + e.draw(3, "sections") {
		p.sections = append(p.sections, e.chapter())
	}
	return p
}

// edit changes a page once.
func (e *editor) edit(p *page) {
	if e.draw(7, "front matter") == 0 {
		p.keys = append(p.keys, e.word()+": "+e.word())
		return
	}
	if len(p.sections) == 0 || e.draw(9, "new section") == 0 {
		i := e.draw(len(p.sections), "at")
		p.sections = slices.Insert(p.sections, i, e.chapter())
		return
	}
	i := e.draw(len(p.sections)-1, "section")
	c := &p.sections[i]
	switch what := e.draw(9, "what"); {
	case what == 0:
		s := *c
		p.sections = slices.Delete(p.sections, i, i+1)
		p.sections = slices.Insert(p.sections, e.draw(len(p.sections), "to"), s)
	case what == 1:
		p.sections = slices.Delete(p.sections, i, i+1)
	case what == 2:
		c.title += " " + e.word()
	case what < 5 || len(c.units) == 0:
		c.units = slices.Insert(c.units, e.draw(len(c.units), "at"), e.unit())
	default:
		k := e.draw(len(c.units)-1, "unit")
		switch u := &c.units[k]; what {
		case 5:
			u.done = true
		case 6:
			c.units = slices.Delete(c.units, k, k+1)
		case 7:
			words := strings.Fields(u.text)
			words[e.draw(len(words)-1, "word")] = e.word()
			u.text = strings.Join(words, " ")
		case 8:
			u.text += " " + e.word()
		default:
			moved := *u
			c.units = slices.Delete(c.units, k, k+1)
			to := &p.sections[e.draw(len(p.sections)-1, "into")]
			to.units = slices.Insert(to.units, e.draw(len(to.units), "to"), moved)
		}
	}
}

var drawnWord = regexp.MustCompile(`w[0-9]+z`)

func tally(text string) map[string]int {
	n := map[string]int{}
	for _, w := range drawnWord.FindAllString(text, -1) {
		n[w]++
	}
	return n
}

// maxTwice is how many lines may be there twice: what both put into different sections may be in
// both, as git leaves it, and that is at most one for each edit of a side.
const maxTwice = 5

// faultsOf returns what is wrong with a merge of three pages.
func faultsOf(base, ours, theirs string, r Result) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	b, o, t, m := tally(base), tally(ours), tally(theirs), tally(string(r.Text))
	told := map[string]bool{}
	for _, c := range r.Conflicts {
		for w := range tally(c.Theirs) {
			told[w] = true
		}
	}
	for w := range o {
		if b[w] == 0 && m[w] == 0 {
			fault("ours added %s, and it is gone", w)
		}
	}
	for w := range t {
		if b[w] == 0 && m[w] == 0 && !told[w] {
			fault("theirs added %s, and it is neither there nor told", w)
		}
	}
	for w := range b {
		switch {
		case o[w] > 0 && t[w] > 0 && m[w] == 0:
			fault("nobody took %s out, and it is gone", w)
		case o[w] == 0 && t[w] == 0 && m[w] > 0:
			fault("both took %s out, and it is there", w)
		}
	}
	lines := strings.Split(string(r.Text), "\n")
	slices.Sort(lines)
	twice := 0
	for i := 1; i < len(lines); i++ {
		if lines[i] != lines[i-1] || !drawnWord.MatchString(lines[i]) {
			continue
		}
		if twice++; !strings.Contains(base, lines[i]) {
			fault("%q is there twice", lines[i])
		}
	}
	if twice > maxTwice {
		fault("%d lines are there twice", twice)
	}
	if strings.Contains(string(r.Text), "<<<<<<<") {
		fault("markers")
	}
	return append(faults, untouched(base, ours, theirs, string(r.Text), told)...)
}

// untouched checks that each line that all three versions have is there as it is, and each box
// that one side ticked and both have is ticked.
func untouched(base, ours, theirs, text string, told map[string]bool) (faults []string) {
	has := func(text string) map[string]bool {
		m := map[string]bool{}
		for _, l := range strings.Split(text, "\n") {
			m[l] = true
		}
		return m
	}
	b, o, t, m := has(base), has(ours), has(theirs), has(text)
	for l := range b {
		if drawnWord.MatchString(l) && o[l] && t[l] && !m[l] {
			faults = append(faults, fmt.Sprintf("the line %q, which nobody touched, is gone", l))
		}
		item, ok := strings.CutPrefix(l, "- [ ] ")
		if done := "- [x] " + item; ok && (o[done] && t[l] || t[done] && o[l]) && !m[done] && !told[drawnWord.FindString(item)] {
			faults = append(faults, fmt.Sprintf("%q was ticked, and isn't", item))
		}
	}
	return faults
}

// drawMerge draws a page and two versions of it.
func drawMerge(t *rapid.T) (base, ours, theirs string) {
	e := &editor{t: t}
	b := e.page()
	o, s := b.clone(), b.clone()
	for range e.draw(5, "our edits") {
		e.edit(&o)
	}
	for range e.draw(5, "their edits") {
		e.edit(&s)
	}
	return b.String(), o.String(), s.String()
}

// TestNothingIsLost: 0 lost edits, whatever two sides do to a document.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := drawMerge(t)
		r := Merge([]byte(base), []byte(ours), []byte(theirs), Options{Path: "a.md"})
		if faults := faultsOf(base, ours, theirs, r); len(faults) > 0 {
			t.Fatalf("%s\nbase:\n%s\nours:\n%s\ntheirs:\n%s\nmerged:\n%s\n%v", strings.Join(faults, "\n"), base, ours, theirs, r.Text, r.Conflicts)
		}
		other := Merge([]byte(base), []byte(theirs), []byte(ours), Options{Path: "a.md"})
		if r.Clean() != other.Clean() || r.Clean() && !bytes.Equal(r.Text, other.Text) {
			t.Fatalf("it depends on the side:\n%s\n%v\nand\n%s\n%v\nbase:\n%s\nours:\n%s\ntheirs:\n%s", r.Text, r.Conflicts, other.Text, other.Conflicts, base, ours, theirs)
		}
	})
}

// TestOracles: the test above fails for a merge that takes the last writer's file, one that drops
// a side, and one that writes both.
func TestOracles(t *testing.T) {
	wrong := map[string]func(base, ours, theirs string) string{
		"the last writer wins": func(_, _, theirs string) string { return theirs },
		"ours alone":           func(_, ours, _ string) string { return ours },
		"one behind the other": func(_, ours, theirs string) string { return ours + theirs },
		"the base again":       func(base, _, _ string) string { return base },
		"markers": func(_, ours, theirs string) string {
			return "<<<<<<< ours\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
		},
	}
	for name, merge := range wrong {
		t.Run(name, func(t *testing.T) {
			found := 0
			rapid.Check(t, func(t *rapid.T) {
				base, ours, theirs := drawMerge(t)
				if len(faultsOf(base, ours, theirs, Result{Text: []byte(merge(base, ours, theirs))})) > 0 {
					found++
				}
			})
			if found == 0 {
				t.Error("no fault found")
			}
		})
	}
}
