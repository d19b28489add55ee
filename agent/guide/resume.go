package guide

import (
	"fmt"
	"strings"
	"time"

	"kist/agent/model"
)

// AskResume begins the question whether to go on with an unfinished draft. Its name
// stands in quotation marks behind it.
const AskResume = "Continue with "

// AskFinalize begins the question whether to make the project of a draft.
const AskFinalize = "Shall I make the project "

// AskPlan asks whether to do what was just laid out. A yes to it is a go.
const AskPlan = "Shall I do all of that?"

// Resume offers to go on with unfinished drafts, with their age and how far they
// are; empty where there are none. It ends in a question.
func Resume(drafts []model.Draft, now time.Time) string {
	if len(drafts) == 0 {
		return ""
	}
	var b strings.Builder
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
	fmt.Fprintf(&b, "\n\n%s%q, or start fresh?", AskResume, strings.ReplaceAll(drafts[0].Name, `"`, "'"))
	return b.String()
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
