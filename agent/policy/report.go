package policy

import (
	"slices"
	"strings"

	"kist/agent/tool"
)

// A Trust says whether what kist.yaml asks less for counts on this machine.
type Trust string

// What there can be of it.
const (
	Unneeded Trust = "unneeded" // kist.yaml asks nothing less than usual
	Missing  Trust = "missing"  // what it asks less doesn't count
	Given    Trust = "given"    // it counts
)

// A Report says what kist.yaml asks of the policy, and what of it counts.
type Report struct {
	Preset  string // ask, balanced or auto, as kist.yaml has it
	Digest  string // of all that its agent section means, in hex; what trust is given to
	Trust   Trust
	Looser  []string // the tools that it lets do more than usual
	Problem string   // why what kist.yaml says now isn't known, or why no trust can be kept
	Tools   []Standing
}

// A Standing is one tool under a policy. Verdicts that differ with the place are joined,
// as in "auto or ask"; text from outside in a turn makes some of them stricter still.
type Standing struct {
	Name   string
	Class  tool.Class
	Asked  string // by kist.yaml
	Usual  string // by the built-in policy
	Counts string // now
	Why    string
}

// Looser returns the names of the tools that p lets do more than usual.
func Looser(p Policy, tools *tool.Registry) []string {
	var names []string
	for _, t := range tools.All() {
		if p.Looser(t.Name, t.Class) {
			names = append(names, t.Name)
		}
	}
	return names
}

// Standings returns how each tool stands under the policy that counts.
func Standings(counts Policy, tools *tool.Registry) []Standing {
	asked := counts
	asked.bounded = false
	var all []Standing
	for _, t := range tools.All() {
		all = append(all, Standing{
			Name: t.Name, Class: t.Class,
			Asked: asked.verdicts(t), Usual: usual().verdicts(t), Counts: counts.verdicts(t), Why: counts.why(t),
		})
	}
	return all
}

// verdicts returns what p says of a tool in a turn that read nothing from outside.
func (p Policy) verdicts(t tool.Tool) string {
	var found []string
	for at := range places() {
		if v := string(p.Decide(t.Name, t.Class, at)); !at.Tainted && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	slices.Sort(found) // ask, auto
	slices.Reverse(found)
	return strings.Join(found, " or ")
}

// why says in a few words how a tool came to what counts.
func (p Policy) why(t tool.Tool) string {
	switch {
	case p.Looser(t.Name, t.Class) && p.bounded:
		return "less than usual is asked, which isn't trusted on this machine"
	case p.Looser(t.Name, t.Class):
		return "less than usual is asked, which is trusted on this machine"
	case p.verdicts(t) != usual().verdicts(t):
		return "more than usual is asked"
	}
	return "as usual"
}
