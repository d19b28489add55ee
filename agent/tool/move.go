package tool

import "slices"

// A Move changes the active project of a session.
type Move struct {
	Project string // slug; empty: out of any project
	Back    bool   // to where the session came from; Project is ignored
	New     bool   // to the project that the steps create; Project is ignored
}

// mostBack is how far back a conversation finds: nobody goes back further.
const mostBack = 10

// From is where a conversation is after the move, and where "back" leads from there, the nearest
// last: each project is in that once. now is the project it was about, stack where back led.
func (m Move) From(now string, stack []string) (to string, back []string) {
	to, back = m.Project, slices.Clone(stack)
	if m.Back {
		to = ""
		if n := len(back); n > 0 {
			to, back = back[n-1], back[:n-1]
		}
	} else if now != "" && now != to {
		back = append(without(back, now), now)
		back = back[max(0, len(back)-mostBack):]
	}
	return to, without(back, to)
}

func without(stack []string, project string) []string {
	return slices.DeleteFunc(stack, func(s string) bool { return s == project })
}
