package guide

import (
	"fmt"
	"strings"
	"time"

	"kist/agent/model"
)

// Resume offers to go on with unfinished drafts: their age and how far they are, and the
// question. false where there are none.
func Resume(drafts []model.Draft, now time.Time) (said string, q model.Question, ok bool) {
	if len(drafts) == 0 {
		return "", q, false
	}
	var b strings.Builder
	var slugs []string
	for _, d := range drafts {
		slugs = append(slugs, d.Slug)
	}
	if len(drafts) == 1 {
		d := drafts[0]
		fmt.Fprintf(&b, "There is an unfinished draft, **%s**: last edited %s, %s.", d.Name, Ago(now.Sub(d.Edited)), progress(d))
	} else {
		fmt.Fprintf(&b, "There are %d unfinished drafts:", len(drafts))
		for i, d := range drafts {
			if i == 5 {
				fmt.Fprintf(&b, "\n- and %d more", len(drafts)-i)
				break
			}
			fmt.Fprintf(&b, "\n- **%s**: last edited %s, %s", d.Name, Ago(now.Sub(d.Edited)), progress(d))
		}
	}
	text := fmt.Sprintf("Continue with %q, or start fresh?", strings.ReplaceAll(drafts[0].Name, `"`, "'"))
	return b.String(), model.Question{Kind: KindResume, Choices: slugs, Text: text}, true
}

func progress(d model.Draft) string {
	covered := 0
	for _, text := range d.Dimensions {
		if strings.TrimSpace(text) != "" {
			covered++
		}
	}
	return fmt.Sprintf("%d of %d dimensions covered", covered, len(Dimensions()))
}

// Ago says in words how long ago something was.
func Ago(d time.Duration) string {
	count := func(n int, unit string) string {
		if n == 1 {
			return "1 " + unit + " ago"
		}
		return fmt.Sprintf("%d %ss ago", n, unit)
	}
	switch {
	case d < 2*time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return count(int(d/time.Hour), "hour")
	case d < 60*24*time.Hour:
		return count(int(d/(24*time.Hour)), "day")
	}
	return count(int(d/(30*24*time.Hour)), "month")
}
