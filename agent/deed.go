package agent

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/prose"
	"kist/agent/tool"
)

// deed says in kist's own words what a call that destroys does, before the reason that a
// language model gave: what is proposed and agreed to must not be what a model calls it.
func deed(t *turn, info tool.Tool, res tool.Result) tool.Result {
	if t.free || info.Class != tool.Destroy {
		return res
	}
	res.Steps = slices.Clone(res.Steps)
	for i, s := range res.Steps {
		res.Steps[i].Reason = fmt.Sprintf("%s %s (the model says: %s)", strings.ReplaceAll(info.Name, "_", " "), s.Entity.Path, prose.OneLine(s.Reason, 200))
	}
	return res
}

// unasked: an undo may take away what nobody wants taken away: in a turn that read text
// from outside, or by a language model where the message doesn't speak of undoing.
func unasked(t *turn) bool {
	if t.outside() {
		return true
	}
	text := strings.ToLower(t.msg.Text)
	speaks := func(words string) bool { return strings.Contains(text, words) }
	return !t.free && !slices.ContainsFunc([]string{"undo", "revert", "restore", "back", "rückgängig", "zurück", "widerruf"}, speaks)
}
