package forecast

import (
	"fmt"
	"kist/agent/prose"
	"math"
	"strings"
	"time"
	"unicode"
)

// Format writes a result as Markdown for a terminal or a conversation. What comes
// from files is cut short, kept on one line and stripped of what would be markup
// or control a terminal.
func Format(r Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n", title(plain(r.Name)), r.state())
	if len(r.Scenarios) > 0 {
		b.WriteString("\n")
	}
	for _, s := range r.Scenarios {
		fmt.Fprintf(&b, "- P%d, %s: **%s** (%s)\n", s.Percentile, s.Name, end(s), odds(s))
	}
	for _, part := range r.parts() {
		list(&b, part)
	}
	return b.String()
}

// Points are what a result says, one by one.
func Points(r Result) []Note {
	out := []Note{{Text: r.state()}}
	for _, s := range r.Scenarios {
		out = append(out, Note{Text: fmt.Sprintf("P%d, %s: %s (%s)", s.Percentile, s.Name, end(s), odds(s))})
	}
	for _, part := range r.parts() {
		for _, n := range part.notes {
			out = append(out, Note{Text: part.heading + ": " + n.Text, At: n.At})
		}
	}
	return out
}

func (r Result) state() string { return fmt.Sprintf("%d open, %d done. %s", r.Open, r.Done, r.Why) }

func odds(s Scenario) string {
	return map[int]string{20: "one run in five", 50: "half of the runs", 80: "four runs in five"}[s.Percentile]
}

// A part of a result has a heading.
type part struct {
	heading string
	notes   []Note
}

func (r Result) parts() []part {
	var deadlines, drivers, warnings, decisions, assumed, seen []Note
	for _, d := range r.Deadlines {
		deadlines = append(deadlines, Note{fmt.Sprintf("%s, %s: %s likely", date(d.Date), plain(d.Name), percent(d.Likelihood)), []Evidence{d.At}})
	}
	for _, d := range r.Drivers {
		text := fmt.Sprintf("%s: %s", d.Name, count(d.Days, "day"))
		if d.Beyond {
			text = d.Name + ": without, there would be an end"
		}
		drivers = append(drivers, Note{text, d.At})
	}
	for _, w := range r.Warnings {
		warnings = append(warnings, Note{plain(w.Text), w.At})
	}
	for _, d := range r.Decisions {
		decisions = append(decisions, Note{fmt.Sprintf("by %s: %s", date(d.By), plain(d.Text)), d.At})
	}
	for _, a := range r.Assumptions {
		assumed = append(assumed, Note{Text: plain(a)})
	}
	for _, e := range r.Evidence {
		seen = append(seen, Note{plain(e.Text), []Evidence{e}})
	}
	return []part{{"Deadlines", deadlines}, {"What moves the pessimistic date most", drivers}, {"Warning signs", warnings}, {"Decide", decisions}, {"Assumed", assumed}, {"Seen in", seen}}
}

func list(b *strings.Builder, p part) {
	if len(p.notes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", p.heading)
	for _, n := range p.notes {
		fmt.Fprintf(b, "- %s", n.Text)
		for j, e := range n.At {
			if e.Path == "" {
				continue
			}
			b.WriteString(map[bool]string{true: " (", false: ", "}[j == 0])
			fmt.Fprintf(b, "%s:%d", plain(e.Path), e.Line)
			if j == len(n.At)-1 {
				b.WriteString(")")
			}
		}
		b.WriteString("\n")
	}
}

// maxText is how many characters of a text from a file are shown.
const maxText = 200

// plain makes a text from a file fit for one line.
func plain(s string) string { return prose.Line(s, maxText) }

// title starts a sentence.
func title(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

func date(t time.Time) string { return t.Format("2 Jan 2006") }

func percent(p float64) string {
	switch n := int(math.Round(100 * p)); {
	case n == 0 && p > 0:
		return "under 1 %"
	case n == 100 && p < 1:
		return "over 99 %"
	default:
		return fmt.Sprintf("%d %%", n)
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return count(n, noun) + " are"
}

func hours(h float64) string {
	if h == 1 {
		return "1 hour"
	}
	return fmt.Sprintf("%g hours", math.Round(10*h)/10)
}
