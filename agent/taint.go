package agent

import (
	"context"
	"slices"

	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
)

// A turn is tainted once it has read text from outside: by a search, a tool, a
// passage or memory in the prompt, the project or draft it is about. What may do harm
// asks then, whatever policy says. A turn whose history shows one that was tainted is
// held to the same, but doesn't pass it on: else one clipped page would taint a
// project for ever.

// taint says what of a turn is from outside. Its agent knows which documents are.
type taint struct {
	agent     *Agent
	tainted   bool            // text from outside was read
	inherited bool            // text from outside was read in a turn that the history shows
	seen      map[string]bool // documents that were read, here or in such a turn
}

func (t *taint) sees(source string) {
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[prose.FileOf(source)] = true
}

// reads taints the turn if one of the documents came from outside. They are named as
// path or path:line.
func (t *taint) reads(ctx context.Context, sources ...string) {
	for _, s := range sources {
		t.sees(s)
		t.tainted = t.tainted || t.agent.fromOutside(ctx, prose.FileOf(s))
	}
}

// outside: text from outside was read in this turn, or stands in what was said before.
func (t *taint) outside() bool { return t.tainted || t.inherited }

// inherit looks at what turns of the history had read.
func (t *taint) inherit(ctx context.Context, past conversation.Turn) {
	t.inherited = t.inherited || past.Elsewhere // its file came by commits
	for _, s := range past.Context {
		t.sees(s)
		t.inherited = t.inherited || t.agent.fromOutside(ctx, prose.FileOf(s))
	}
}

// guard remembers proposals that a go in words doesn't cover: those of a turn that had
// read text from outside, unless they only add something, and those that destroy or
// reach outside also where such text stands in the history.
func (t *turn) guard(class tool.Class, ops []vault.Operation) {
	for _, op := range ops {
		if t.tainted && op.Type != vault.OpCreate || t.outside() && (class == tool.Destroy || class == tool.External) {
			t.sess.Tainted = append(t.sess.Tainted, op.ID)
		}
	}
}

// guarded reports whether an operation needs an approval of its own.
func (t *turn) guarded(op vault.Operation) bool {
	return slices.Contains(t.sess.Tainted, op.ID) || op.Type != vault.OpCreate && slices.Contains(t.sess.Tainted, op.Turn)
}

// maxTainted is how many guarded operations a session remembers. Those that still wait
// are never forgotten.
const maxTainted = 50

func (t *turn) pruneTainted(ctx context.Context) {
	if len(t.sess.Tainted) <= maxTainted {
		return
	}
	waiting, err := t.assent.waiting(ctx)
	if err != nil {
		return
	}
	t.sess.Tainted = slices.DeleteFunc(t.sess.Tainted, func(id string) bool {
		return !slices.ContainsFunc(waiting, func(op vault.Operation) bool { return op.ID == id || op.Turn == id })
	})
}
