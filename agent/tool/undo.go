package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/task"
)

type undoArgs struct {
	Operation string `json:"operation,omitempty" jsonschema:"id; else the last turn's changes" limit:"max=40"`
	Last      int    `json:"last,omitempty" jsonschema:"how many changes" limit:"min=1,max=50"`
	Today     bool   `json:"today,omitempty" jsonschema:"all of today"`
	About     string `json:"about,omitempty" jsonschema:"words of the change" limit:"max=200"`
	Redo      bool   `json:"redo,omitempty" jsonschema:"undo an undo"`
	Removed   bool   `json:"removed,omitempty"` // the last removal
	Instead   bool   `json:"instead,omitempty"` // of the last undo: the change before it, and that one again
}

// undoLast takes back an operation, the last few changes, today's, the one that some
// words tell of, or else what the session's last turn that changed anything has done.
// What it takes back is named by exact ids: where the words fit several changes, they
// are listed and nothing is done.
func undoLast(ctx context.Context, e *Env, a undoArgs) (Result, error) {
	if a.Operation != "" {
		return e.takeBackNamed(ctx, a)
	}
	if a.Instead {
		return e.takeBackInstead(ctx)
	}
	units, err := e.undoable(ctx, a)
	if err != nil {
		return faultOf(err)
	}
	switch {
	case a.Removed:
		return e.takeBackRemoval(ctx, a, units)
	case a.About != "":
		if units, err = e.about(ctx, units, a.About); err != nil {
			return faultOf(err)
		}
		if len(units) > 1 {
			return several(units), nil
		}
		if op, err := e.Vault.Operation(ctx, a.About); len(units) == 0 && err == nil { // an id that looks like a word
			a.Operation = op.ID
			return e.takeBackNamed(ctx, a)
		}
	case a.Today:
	case a.Last > 0:
		if asked := slices.DeleteFunc(slices.Clone(units), e.isFiled); len(asked) > 0 {
			units = asked
		}
		units = units[:min(len(units), a.Last)]
	case len(units) > 0:
		turn := units[0][0].Turn
		n := slices.IndexFunc(units, func(u []vault.Operation) bool { return u[0].Turn != turn })
		if n > 0 {
			units = units[:n]
		}
	}
	if len(units) == 0 {
		return nothingLeft(a), nil
	}
	return e.takeBack(slices.Concat(units...)), nil
}

// isFiled: changes only keep in an inbox what was told. Nobody asked for them, and they don't
// count among "the last two".
func (e *Env) isFiled(unit []vault.Operation) bool {
	return !slices.ContainsFunc(unit, func(op vault.Operation) bool {
		return op.Entity.Path != entity.InboxPath(e.Vault, e.Vault.ProjectOf(op.Entity.Path)) || !strings.HasPrefix(op.Reason, "keep ")
	})
}

// takeBackRemoval brings back what was removed last, or what the words tell of.
func (e *Env) takeBackRemoval(ctx context.Context, a undoArgs, units [][]vault.Operation) (Result, error) {
	var removals [][]vault.Operation
	for _, u := range units {
		gone, err := e.removes(ctx, u, a.About == "")
		if err != nil {
			return faultOf(err)
		}
		if gone {
			removals = append(removals, u)
		}
	}
	if a.About != "" {
		fit, err := e.about(ctx, removals, a.About)
		if err != nil {
			return faultOf(err)
		}
		removals = fit
	}
	if len(removals) == 0 {
		if a.About == "" {
			return fault("nothing was removed here that could be brought back", "“what did you change?” lists what was done"), nil
		}
		return nothingLeft(a), nil
	}
	return e.takeBack(removals[0]), nil
}

// removes: changes only take something away, or close a task, where that counts.
func (e *Env) removes(ctx context.Context, unit []vault.Operation, closing bool) (bool, error) {
	for _, op := range unit {
		if op.Type == vault.OpDelete {
			return true, nil
		}
		full, err := e.Vault.Operation(ctx, op.ID)
		if err != nil {
			return false, err
		}
		for _, c := range full.Changes {
			if cut, put := lineCounts(c.Patch); cut > 0 && put == 0 || closing && closes(c.Patch) {
				return true, nil
			}
		}
	}
	return false, nil
}

// takeBackInstead does again what this session took back last, and takes back the change
// before that in its place: "not that one, the one before".
func (e *Env) takeBackInstead(ctx context.Context) (Result, error) {
	undone, err := e.undoable(ctx, undoArgs{Redo: true})
	if err != nil {
		return faultOf(err)
	}
	if len(undone) == 0 {
		return fault("nothing was taken back here yet", "undo takes the last change back"), nil
	}
	was, err := e.Vault.Operation(ctx, undone[0][0].Undoes)
	if err != nil {
		return faultOf(err)
	}
	units, err := e.undoable(ctx, undoArgs{})
	if err != nil {
		return faultOf(err)
	}
	units = slices.DeleteFunc(units, func(u []vault.Operation) bool { return e.isFiled(u) || u[0].Seq > was.Seq })
	if len(units) == 0 {
		return fault("there is no change before that one", "“what did you change?” lists what was done"), nil
	}
	res, again := e.takeBack(slices.Concat(undone[0], units[0])), e.takeBack(undone[0])
	now := e.takeBack(units[0])
	res.Value = map[string]any{"what": now.Value["what"], "again": again.Value["what"], "count": now.Value["count"]}
	return res, nil
}

// takeBackNamed takes back the operation that an id names, or what took that one back.
func (e *Env) takeBackNamed(ctx context.Context, a undoArgs) (Result, error) {
	op, err := e.Vault.Operation(ctx, a.Operation)
	if errors.Is(err, vault.ErrAmbiguous) {
		return fault("several operations end in "+quote(a.Operation), "give more of the id; op list --json has all of it"), nil
	}
	if err == nil && a.Redo && op.Undoes == "" {
		if op.UndoneBy == "" {
			return fault("operation "+op.ID+" was not taken back, so there is nothing to do again", ""), nil
		}
		op, err = e.Vault.Operation(ctx, op.UndoneBy)
	}
	if err != nil {
		return faultOf(err)
	}
	return e.takeBack([]vault.Operation{op}), nil
}

func nothingLeft(a undoArgs) Result {
	switch {
	case a.Redo:
		return fault("nothing was taken back here that could be done again", "")
	case a.About != "":
		return fault("no change that stands is about "+quote(a.About), "“what did you change?” lists what was done")
	case a.Today:
		return fault("nothing that was changed in conversation today is left to take back", "")
	}
	return fault("nothing that this conversation changed is left to take back", "“what did you change?” lists what was done")
}

// takeBack is the result that takes operations back, the newest first.
func (e *Env) takeBack(ops []vault.Operation) Result {
	var what, ids, within []string
	foreign := false
	for _, op := range slices.Backward(ops) {
		what = append(what, strings.TrimPrefix(op.Reason, "undo: "))
	}
	for _, op := range ops {
		ids = append(ids, op.ID)
		foreign = foreign || op.Session != e.Session || e.Session == ""
		if p := e.Vault.ProjectOf(op.Entity.Path); p != "" && !slices.Contains(within, p) {
			within = append(within, p)
		}
	}
	what = slices.Compact(what)
	return Result{
		Value: map[string]any{"what": what, "count": len(what)}, Undo: []vault.UndoTarget{{IDs: ids}}, Foreign: foreign, Within: within,
	}
}

// several lists changes of which one is meant.
func several(units [][]vault.Operation) Result {
	fits := []map[string]any{}
	for _, u := range units[:min(len(units), maxListed)] {
		fits = append(fits, map[string]any{"operation": u[0].ID, "what": u[0].Reason, "at": u[0].At.Format(time.RFC3339)})
	}
	return Result{Value: map[string]any{"fits": fits, "count": len(units)}}
}

// lookBack is how far back words look for a change in other conversations.
const lookBack = 14 * 24 * time.Hour

// undoable lists the changes that can be taken back, or done again, the last one first:
// of this session, of today, or with words of the last days. What was done as one is
// one.
func (e *Env) undoable(ctx context.Context, a undoArgs) ([][]vault.Operation, error) {
	// Only what was done here: another device's log names whatever session it likes.
	f := vault.Filter{Session: e.Session, Status: vault.StatusCompleted, Own: true}
	switch {
	case a.Today:
		y, m, d := e.Now.Date()
		f.Session, f.Since = "", time.Date(y, m, d, 0, 0, 0, 0, e.Now.Location())
	case a.About != "":
		f.Session, f.Since = "", e.Now.Add(-lookBack)
	}
	ops, err := e.Vault.Operations(ctx, f)
	if err != nil {
		return nil, err
	}
	ops = slices.DeleteFunc(ops, func(op vault.Operation) bool {
		return op.Session == "" || op.UndoneBy != "" || len(op.Changes) == 0 || a.Redo != (op.Undoes != "")
	})
	// A proposal is older than what was done before its approval.
	sort.SliceStable(ops, func(i, j int) bool {
		return cmp.Or(cmp.Compare(ops[j].Seq, ops[i].Seq), cmp.Compare(ops[j].ID, ops[i].ID)) < 0
	})
	var units [][]vault.Operation
	for _, op := range ops {
		i := slices.IndexFunc(units, func(u []vault.Operation) bool {
			return op.Batch != "" && u[0].Batch == op.Batch && u[0].Turn == op.Turn
		})
		if i < 0 {
			units = append(units, []vault.Operation{op})
		} else {
			units[i] = append(units[i], op)
		}
	}
	return units, nil
}

// small words name no change.
const small = " the a an my our of to in on for and that this it with from at is was change changes changed edit edits update updates operation operations date task tasks project "

// about keeps the changes that have all the words: in their reason, their path, or the
// lines that they changed.
func (e *Env) about(ctx context.Context, units [][]vault.Operation, words string) ([][]vault.Operation, error) {
	wanted := slices.DeleteFunc(task.Words(words), func(w string) bool { return strings.Contains(small, " "+w+" ") })
	if len(wanted) == 0 {
		return nil, nil
	}
	var fit, edits [][]vault.Operation // edits: of a key that was named, such as due
	for _, u := range units {
		var text strings.Builder
		keyed := false
		for _, op := range u {
			full, err := e.Vault.Operation(ctx, op.ID)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "%s %s\n", full.Reason, full.Entity.Path)
			for _, c := range full.Changes {
				lines := changedLines(c.Patch)
				text.WriteString(lines)
				keyed = keyed || full.Type == vault.OpUpdate && slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(lines, w+":") || strings.Contains(lines, "\n"+w+":") })
			}
		}
		have := task.Words(text.String())
		if !slices.ContainsFunc(wanted, func(w string) bool {
			return !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) })
		}) {
			fit = append(fit, u)
			if keyed {
				edits = append(edits, u)
			}
		}
	}
	if len(edits) > 0 {
		return edits, nil
	}
	return fit, nil
}
