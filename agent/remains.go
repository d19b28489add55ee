package agent

import (
	"slices"

	"kist/agent/effect"
	"kist/agent/tool"
	"kist/vault"
)

// done is an operation that an interrupted turn has made, with what it did.
type done struct {
	vault.Operation
	did effect.Of
}

// remains are the operations of an interrupted turn that the one which goes on with it has
// not come to yet.
type remains []done

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
		wants := effect.Planned(s)
		i := slices.IndexFunc(rest, func(d done) bool {
			return d.Type == s.Type && d.Entity.Type == s.Entity.Type && d.did.Covers(wants)
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

func ofTurns(ops []vault.Operation, turns ...string) []vault.Operation {
	var out []vault.Operation
	for _, op := range ops {
		if op.Turn != "" && slices.Contains(turns, op.Turn) {
			out = append(out, op)
		}
	}
	return out
}
