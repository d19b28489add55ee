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
	fmt.Fprintf(&b, "**%s**: %d open, %d done. %s\n", title(plain(r.Name)), r.Open, r.Done, r.Why)
	if len(r.Scenarios) > 0 {
		b.WriteString("\n")
	}
	for _, s := range r.Scenarios {
		when := date(s.Date)
		if s.Beyond {
			when = "not within five years"
		}
		odds := map[int]string{20: "one run in five", 50: "half of the runs", 80: "four runs in five"}[s.Percentile]
		fmt.Fprintf(&b, "- P%d, %s: **%s** (%s)\n", s.Percentile, s.Name, when, odds)
	}
	list(&b, "Deadlines", len(r.Deadlines), func(i int) (string, []Evidence) {
		d := r.Deadlines[i]
		return fmt.Sprintf("%s, %s: %s likely", date(d.Date), plain(d.Name), percent(d.Likelihood)), []Evidence{d.At}
	})
	list(&b, "What moves the pessimistic date most", len(r.Drivers), func(i int) (string, []Evidence) {
		d := r.Drivers[i]
		if d.Beyond {
			return d.Name + ": without, there would be an end", d.At
		}
		return fmt.Sprintf("%s: %s", d.Name, count(d.Days, "day")), d.At
	})
	list(&b, "Warning signs", len(r.Warnings), func(i int) (string, []Evidence) { return plain(r.Warnings[i].Text), r.Warnings[i].At })
	list(&b, "Decide", len(r.Decisions), func(i int) (string, []Evidence) {
		return fmt.Sprintf("by %s: %s", date(r.Decisions[i].By), plain(r.Decisions[i].Text)), r.Decisions[i].At
	})
	list(&b, "Assumed", len(r.Assumptions), func(i int) (string, []Evidence) { return plain(r.Assumptions[i]), nil })
	list(&b, "Seen in", len(r.Evidence), func(i int) (string, []Evidence) { return plain(r.Evidence[i].Text), r.Evidence[i : i+1] })
	return b.String()
}

func list(b *strings.Builder, heading string, n int, item func(int) (string, []Evidence)) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", heading)
	for i := range n {
		text, at := item(i)
		fmt.Fprintf(b, "- %s", text)
		for j, e := range at {
			if e.Path == "" {
				continue
			}
			b.WriteString(map[bool]string{true: " (", false: ", "}[j == 0])
			fmt.Fprintf(b, "%s:%d", plain(e.Path), e.Line)
			if j == len(at)-1 {
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
