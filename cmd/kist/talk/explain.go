package talk

import (
	"fmt"
	"strings"

	v1 "kist/proto/kist/v1"
)

// An Explanation says how the answers of a conversation come about, where it is asked for.
type Explanation struct {
	Asked bool

	calls, mended, repairs int
}

// Of is the line that one event adds; empty: none.
func (x *Explanation) Of(ev *v1.SendResponse) string {
	if x == nil || !x.Asked {
		return ""
	}
	switch e := ev.Event.(type) {
	case *v1.SendResponse_AnsweredBy:
		return "answered by " + e.AnsweredBy.Model
	case *v1.SendResponse_ToolCall:
		if e.ToolCall.Error != "" {
			return "" // it is told anyway
		}
		x.calls++
		line := fmt.Sprintf("called %s %s", e.ToolCall.Name, e.ToolCall.Arguments)
		if n := len(e.ToolCall.Repaired); n > 0 {
			x.mended, x.repairs = x.mended+1, x.repairs+n
			line += " (put right: " + strings.Join(e.ToolCall.Repaired, "; ") + ")"
		}
		return line
	}
	return ""
}

// Rest counts what there was since the last time.
func (x *Explanation) Rest() string {
	if x == nil || x.calls == 0 {
		return ""
	}
	defer func() { *x = Explanation{Asked: true} }()
	return fmt.Sprintf("%s, %s in %d of them", counted(x.calls, "call"), counted(x.repairs, "repair"), x.mended)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
