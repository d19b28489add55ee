package agent

import (
	"regexp"
	"slices"
	"strings"

	"kist/agent/tool"
	"kist/vault"
)

// done is an operation that an interrupted turn has made, with what it did.
type done struct {
	vault.Operation
	did effect
}

// remains are the operations of an interrupted turn that the one which goes on with it has
// not come to yet.
type remains []done

// An effect says for each file, named without a number that made its name free, which
// lines came (above zero) and went (below), and how often.
type effect map[string]map[string]int

// already finds the operations that a call of an interrupted turn has made, so that
// going on with it makes nothing twice: those which have the effect that the call would
// have. Each stands for one call. A model may give other reasons the second time.
func (r *remains) already(res tool.Result) ([]vault.Operation, bool) {
	if len(*r) == 0 || len(res.Steps) == 0 {
		return nil, false
	}
	var found []vault.Operation
	rest := slices.Clone(*r)
	for _, s := range res.Steps {
		wants := wouldDo(s)
		i := slices.IndexFunc(rest, func(d done) bool {
			return d.Type == s.Type && d.Entity.Type == s.Entity.Type && d.did.covers(wants)
		})
		if i < 0 {
			return nil, false
		}
		found = append(found, rest[i].Operation)
		rest = slices.Delete(rest, i, i+1)
	}
	*r = rest
	return found, true
}

// covers reports whether nothing of what other does is missing in e, which may have
// more: what is done a second time finds its heading there already.
func (e effect) covers(other effect) bool {
	for p, lines := range other {
		did, ok := e[p]
		if !ok {
			return false
		}
		for line, n := range lines {
			if have := did[line]; n > 0 && have < n || n < 0 && have > n {
				return false
			}
		}
	}
	return len(e) == len(other)
}

func didOf(op vault.Operation) effect {
	e := effect{}
	for _, c := range op.Changes {
		for line := range strings.Lines(c.Patch) {
			switch {
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case strings.HasPrefix(line, "+"):
				e.add(c.Path, line[1:], 1)
			case strings.HasPrefix(line, "-"):
				e.add(c.Path, line[1:], -1)
			}
		}
	}
	return e
}

func wouldDo(s vault.Step) effect {
	e := effect{}
	for _, c := range s.Changes {
		for line := range strings.Lines(string(c.After)) {
			e.add(c.Path, line, 1)
		}
		for line := range strings.Lines(string(c.Before)) {
			e.add(c.Path, line, -1)
		}
	}
	return e
}

var (
	freeNumber = regexp.MustCompile(`-\d+\.md$`)
	// ownLine is what is different each time that a file is made.
	ownLine = regexp.MustCompile(`^(?:id|created|expires|source|supersedes): `)
)

func (e effect) add(p, line string, n int) {
	p = freeNumber.ReplaceAllString(p, ".md")
	if e[p] == nil {
		e[p] = map[string]int{}
	}
	if line = strings.TrimSpace(line); line != "" && !ownLine.MatchString(line) {
		e[p][line] += n
	}
}

func ofTurns(ops []vault.Operation, turns ...string) []vault.Operation {
	var out []vault.Operation
	for _, op := range ops {
		if op.Turn != "" && slices.Contains(turns, op.Turn) {
			out = append(out, op)
		}
	}
	return out
}
