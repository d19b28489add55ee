package audit

import (
	"fmt"
	"strings"
)

// Format writes a report as Markdown for a terminal or a conversation: what is
// good, then what to look at, the gravest first.
func Format(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n", plain(r.Name), r.state())
	if len(r.Strengths) > 0 {
		b.WriteString("\nWhat works:\n")
	}
	for _, s := range r.Strengths {
		fmt.Fprintf(&b, "- %s%s\n", plain(s.Text), where([]Evidence{s.At}))
	}
	if len(r.Findings) > 0 {
		b.WriteString("\nWhat to look at:\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- **%d** %s: %s%s\n", f.Severity, f.Kind, f.says(), where(f.Evidence))
		if f.Suggestion != "" {
			fmt.Fprintf(&b, "  %s\n", plain(f.Suggestion))
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "- and %d more.\n", r.Left)
	}
	if len(r.Dimensions) > 0 {
		b.WriteString("\nDimensions, of 10:\n")
	}
	for _, d := range r.Dimensions {
		core := map[bool]string{true: ", core", false: ""}[d.Core]
		fmt.Fprintf(&b, "- %s: %d%s\n", d.Name, d.Score, core)
	}
	return b.String()
}

// A Point is one thing that a report says, with the lines that show it.
type Point struct {
	Text string
	At   []Evidence
}

// Points are what a report says, one by one: the findings by their gravity, then the rest.
func Points(r Report) []Point {
	out := []Point{{Text: r.state()}}
	for _, f := range r.Findings {
		text := fmt.Sprintf("Severity %d of 10, %s: %s", f.Severity, f.Kind, f.says())
		if f.Suggestion != "" {
			text += " " + plain(f.Suggestion)
		}
		for _, e := range f.Evidence {
			if e.Text != "" {
				text += " “" + plain(e.Text) + "”"
			}
		}
		out = append(out, Point{text, f.Evidence})
	}
	for _, s := range r.Strengths {
		out = append(out, Point{"What works: " + plain(s.Text), []Evidence{s.At}})
	}
	for _, d := range r.Dimensions {
		out = append(out, Point{fmt.Sprintf("Dimension %s: %d of 10.", d.Name, d.Score), []Evidence{d.At}})
	}
	return out
}

// state is a report in a sentence.
func (r Report) state() string {
	written := fmt.Sprintf("%.0f%% written down, ", 100*r.Completeness)
	switch grave := r.grave(); {
	case len(r.Findings) == 0:
		return written + "nothing to object to."
	case grave == 0:
		return written + fmt.Sprintf("nothing grave; %s to look at when there is time.", count(len(r.Findings)+r.Left, "point"))
	default:
		return written + fmt.Sprintf("%s to deal with, the gravest %d of 10.", count(grave, "point"), r.Severity)
	}
}

// says is a finding in words, without what to do about it.
func (f Finding) says() string {
	text := plain(f.Title)
	if f.Detail != "" {
		text += ". " + plain(strings.TrimSuffix(f.Detail, "."))
	}
	return text + "."
}

// grave counts the findings that should be dealt with.
func (r Report) grave() (n int) {
	for _, f := range r.Findings {
		if f.Severity >= 5 {
			n++
		}
	}
	return n
}

func where(at []Evidence) string {
	var places []string
	for _, e := range at {
		if e.Path != "" {
			places = append(places, fmt.Sprintf("%s:%d", plain(e.Path), e.Line))
		}
	}
	if len(places) == 0 {
		return ""
	}
	return " (" + strings.Join(places, ", ") + ")"
}
