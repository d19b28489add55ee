package audit

import (
	"fmt"
	"strings"
)

// Format writes a report as Markdown for a terminal or a conversation: what is
// good, then what to look at, the gravest first.
func Format(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %.0f%% written down, ", plain(r.Name), 100*r.Completeness)
	switch grave := r.grave(); {
	case len(r.Findings) == 0:
		b.WriteString("nothing to object to.\n")
	case grave == 0:
		fmt.Fprintf(&b, "nothing grave; %s to look at when there is time.\n", count(len(r.Findings)+r.Left, "point"))
	default:
		fmt.Fprintf(&b, "%s to deal with, the gravest %d of 10.\n", count(grave, "point"), r.Severity)
	}
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
		fmt.Fprintf(&b, "- **%d** %s: %s", f.Severity, f.Kind, plain(f.Title))
		if f.Detail != "" {
			fmt.Fprintf(&b, ". %s", plain(strings.TrimSuffix(f.Detail, ".")))
		}
		fmt.Fprintf(&b, ".%s\n", where(f.Evidence))
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
