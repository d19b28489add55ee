package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"time"

	"kist/vault"
	"kist/vault/conversation"
)

// A mix is one client's random operations.
type mix struct {
	d     *daemon
	v     *vault.Vault
	rng   *rand.Rand
	made  []string // documents that it created
	done  []vault.Operation
	asked []vault.Operation // proposed
}

func newMix(d *daemon, seed, client uint64) *mix {
	return &mix{d: d, v: d.vault, rng: rand.New(rand.NewPCG(seed, 100+client))}
}

// errNothing: the operation had nothing to work on.
var errNothing = errors.New("nothing to do")

func (m *mix) run(ctx context.Context) {
	todo := []func(context.Context) ([]vault.Operation, error){
		m.update, m.update, m.update, m.update, m.update, m.update, m.several, m.several,
		m.create, m.remove, m.undo, m.undo, m.propose, m.propose, m.approve, m.approve, m.turn,
	}
	for ctx.Err() == nil {
		start := time.Now().UnixNano()
		// Not ctx: rest lets operations end.
		ops, err := todo[m.rng.IntN(len(todo))](context.WithoutCancel(ctx))
		switch {
		case errors.Is(err, errNothing):
			continue
		case errors.Is(err, vault.ErrReadOnly):
			time.Sleep(time.Millisecond)
		case err != nil:
			m.d.out.send(message{Is: "refused", Text: err.Error()})
		case len(ops) > 0:
			ack := message{Is: "ack", Start: start}
			for _, op := range ops {
				ack.IDs = append(ack.IDs, op.ID)
			}
			m.d.out.send(ack)
			m.done = append(m.done, ops...)
		}
		time.Sleep(time.Duration(m.rng.IntN(2000)) * time.Microsecond)
	}
}

// file picks a document, often one that is edited much.
func (m *mix) file() string {
	c := m.d.conf
	files := c.Own
	switch n := m.rng.IntN(10); {
	case n < 2:
		files = c.Hot
	case n < 4:
		files = c.Quiet
	case n == 4 && len(m.made) > 0:
		files = m.made
	}
	return files[m.rng.IntN(len(files))]
}

// throughLink finds a document by a name that goes through links. By that name it can't
// be written.
func (m *mix) throughLink(ctx context.Context, file string) string {
	name := linked(file)
	if name == file || m.rng.IntN(4) > 0 {
		return file
	}
	if at, err := m.v.Locate(name); err != nil || at != file {
		panic(fmt.Sprintf("%s is %s, %v", name, at, err))
	}
	if m.rng.IntN(4) == 0 {
		c := vault.Change{Path: name, After: document(file)}
		if _, err := m.v.Apply(ctx, batch(step(vault.OpCreate, c))); !errors.Is(err, vault.ErrInvalidPath) && !errors.Is(err, vault.ErrReadOnly) {
			panic(fmt.Sprintf("%s was written: %v", name, err))
		}
	}
	return name
}

// change is an edit of one of the lines for operations.
func (m *mix) change(ctx context.Context, file string) (vault.Change, error) {
	now, err := m.v.Read(m.throughLink(ctx, file))
	if err != nil {
		return vault.Change{}, errNothing
	}
	who := opLine(m.rng.IntN(opLines))
	after, ok := setSlot(now, who, file, slot(who, file, m.rng.IntN(1e8)))
	if !ok || bytes.Equal(now, after) {
		return vault.Change{}, errNothing // an editor is at work on it
	}
	return vault.Change{Path: file, Before: now, After: after}, nil
}

func step(t vault.OpType, changes ...vault.Change) vault.Step {
	return vault.Step{Type: t, Entity: vault.Entity{Type: "document", Path: changes[0].Path}, Reason: "torture", Changes: changes}
}

func batch(steps ...vault.Step) vault.Batch {
	return vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent, Client: "torture", Session: "s1"}, Steps: steps}
}

func (m *mix) update(ctx context.Context) ([]vault.Operation, error) {
	c, err := m.change(ctx, m.file())
	if err != nil {
		return nil, err
	}
	return m.v.Apply(ctx, batch(step(vault.OpUpdate, c)))
}

// several changes some files at once: as one operation, or as one for each.
func (m *mix) several(ctx context.Context) ([]vault.Operation, error) {
	var changes []vault.Change
	seen := map[string]bool{}
	for range 2 + m.rng.IntN(3) {
		file := m.file()
		if seen[file] {
			continue
		}
		seen[file] = true
		c, err := m.change(ctx, file)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	if m.rng.IntN(2) == 0 {
		c := m.creation()
		changes = append(changes, c)
	}
	if m.rng.IntN(2) == 0 {
		return m.v.Apply(ctx, batch(step(vault.OpUpdate, changes...)))
	}
	var steps []vault.Step
	for _, c := range changes {
		steps = append(steps, step(vault.OpUpdate, c))
	}
	return m.v.Apply(ctx, batch(steps...))
}

func (m *mix) creation() vault.Change {
	file := fmt.Sprintf("projects/p%d/made/m%08d.md", m.rng.IntN(4), m.rng.IntN(1e8))
	return vault.Change{Path: file, After: document(file)}
}

func (m *mix) create(ctx context.Context) ([]vault.Operation, error) {
	c := m.creation()
	ops, err := m.v.Apply(ctx, batch(step(vault.OpCreate, c)))
	if err == nil {
		m.made = append(m.made, c.Path)
	}
	return ops, err
}

// remove deletes a document that operations made or, rarely, one that is edited.
func (m *mix) remove(ctx context.Context) ([]vault.Operation, error) {
	file := m.file()
	if len(m.made) > 0 && m.rng.IntN(10) > 0 {
		file = m.made[m.rng.IntN(len(m.made))]
	}
	now, err := m.v.Read(file)
	if err != nil || path.Base(path.Dir(file)) != "made" && m.rng.IntN(3) > 0 {
		return nil, errNothing
	}
	return m.v.Apply(ctx, batch(step(vault.OpDelete, vault.Change{Path: file, Before: now})))
}

func (m *mix) undo(ctx context.Context) ([]vault.Operation, error) {
	if len(m.done) == 0 {
		return nil, errNothing
	}
	i := m.rng.IntN(len(m.done))
	op := m.done[i]
	m.done = append(m.done[:i], m.done[i+1:]...)
	t := vault.UndoTarget{ID: op.ID}
	if m.rng.IntN(3) == 0 {
		t = vault.UndoTarget{Batch: op.Batch}
	}
	return m.v.Undo(ctx, t, vault.Origin{Actor: vault.ActorUser, Client: "torture"})
}

// propose is acknowledged only by the approval.
func (m *mix) propose(ctx context.Context) ([]vault.Operation, error) {
	c, err := m.change(ctx, m.file())
	if err != nil {
		return nil, err
	}
	ops, err := m.v.Propose(ctx, batch(step(vault.OpUpdate, c)))
	m.asked = append(m.asked, ops...)
	return nil, err
}

func (m *mix) approve(ctx context.Context) ([]vault.Operation, error) {
	if len(m.asked) == 0 {
		return nil, errNothing
	}
	i := m.rng.IntN(len(m.asked))
	op := m.asked[i]
	m.asked = append(m.asked[:i], m.asked[i+1:]...)
	if m.rng.IntN(5) == 0 {
		_, err := m.v.Reject(ctx, op.ID, "", vault.Origin{Actor: vault.ActorUser})
		return nil, err
	}
	op, err := m.v.Approve(ctx, op.ID, op.Digest, vault.Origin{Actor: vault.ActorUser})
	if err != nil {
		return nil, err
	}
	return []vault.Operation{op}, nil
}

// turn writes into a conversation.
func (m *mix) turn(ctx context.Context) ([]vault.Operation, error) {
	t := conversation.Turn{ID: m.v.NewID(), Session: "s1", At: time.Now(), User: "go on", Reply: "gone on"}
	if _, err := conversation.AppendTurn(ctx, m.v, t); err != nil {
		return nil, err
	}
	m.d.out.send(message{Is: "ack", Text: t.ID})
	return nil, nil
}
