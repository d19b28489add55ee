package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/agent/consent"
	"kist/agent/effect"
	"kist/agent/ending"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
)

// A turn is written into its session before anything of it happens, and taken out
// when it is in the conversation. One that is still there when the session is
// loaded was interrupted: by a crash, a power cut, a kill.

// open keeps the message until the turn is recorded. The disk takes its time, in which
// the turn may read and think; but nothing is told and nothing written before opened
// has returned nil.
func (t *turn) open(ctx context.Context) {
	t.at = t.now()
	t.sess.Interrupted = &conversation.OpenTurn{
		ID: t.id, At: t.at, Client: t.msg.Client, Text: t.msg.Text, Project: t.sess.Project, Continues: t.continues,
	}
	if t.start != nil {
		t.sess.Interrupted.Project = t.start.Project
	}
	saved, sess := make(chan error, 1), t.sess
	sess.Stack, sess.Asked, sess.Tainted, sess.Offers = slices.Clone(sess.Stack), slices.Clone(sess.Asked), slices.Clone(sess.Tainted), slices.Clone(sess.Offers)
	go func() { saved <- wrap("save session", conversation.SaveSession(ctx, t.vault, sess)) }()
	t.opening = saved
}

// opened waits until the message is kept, if it is being kept.
func (t *turn) opened() error {
	if t.opening != nil {
		t.passing, t.unkept = ending.Passes(<-t.opening)
		t.opening = nil
	}
	return t.unkept
}

// recover puts an interrupted turn into the conversation with what was done of it,
// and takes it up again if this message says so. Its text comes from a file, which
// others may have written: going on with it, the turn is tainted.
func (t *turn) recover(ctx context.Context) error {
	cut := t.sess.Interrupted
	if cut == nil {
		return nil
	}
	cut.Text = strings.ToValidUTF8(cut.Text[:min(len(cut.Text), maxMessage)], "")
	if _, ok := t.projects.project(cut.Project); !ok {
		cut.Project = ""
	}
	all, err := t.vault.Operations(ctx, vault.Filter{Session: t.sess.ID})
	if err != nil {
		return wrap("list operations", err)
	}
	slices.Reverse(all)
	ops := ofTurns(all, cut.ID)
	same := cut.ID == t.id // the same request again: it is gone on with, and written down at its end
	if !same {
		if err := t.recordCut(ctx, *cut, ops); err != nil {
			return err
		}
		t.sess.Turns++
	}
	t.sess.Interrupted = nil
	if len(ops) > 0 && !slices.Contains(t.sess.Tainted, cut.ID) {
		t.sess.Tainted = append(t.sess.Tainted, cut.ID) // nobody knows any more whether it was
	}
	if strings.TrimSpace(cut.Text) == "" {
		return nil
	}
	made := ""
	if n := len(ops); n > 0 {
		made = fmt.Sprintf(" %d of its changes had been made or proposed: `kist op list --session %s` shows them.", n, t.sess.ID)
	}
	if same || consent.Read(t.msg.Text) == consent.Go {
		t.emit(Notice{"Going on with your last message, which was interrupted: “" + prose.OneLine(cut.Text, 200) + "”." + made})
		t.msg.Text, t.tainted = cut.Text, true
		if t.start == nil && cut.Project != "" && cut.Project != t.sess.Project {
			t.start = &tool.Move{Project: cut.Project}
		}
		t.continues = append(cut.Continues[max(0, len(cut.Continues)-20):], cut.ID) // so many interruptions of one message are remembered
		return t.remade(ctx, ofTurns(all, t.continues...))
	}
	suspend(&t.sess) // something was said since they were shown
	t.emit(Notice{"Your last message was interrupted: “" + prose.OneLine(cut.Text, 200) + "”." + made + " Nothing is lost; send it again if you still want it."})
	return nil
}

// recordCut writes the interrupted turn, unless the crash came after that. The turn
// may have gone to another project before it was written.
func (t *turn) recordCut(ctx context.Context, cut conversation.OpenTurn, ops []vault.Operation) error {
	was := conversation.Turn{ID: cut.ID, Session: t.sess.ID, Project: cut.Project, At: cut.At, User: cut.Text, Reply: "(This turn was interrupted.)"}
	for _, op := range ops {
		was.Operations = append(was.Operations, op.ID)
	}
	places := []string{cut.Project, ""}
	for _, p := range t.projects.all {
		places = append(places, p.Slug)
	}
	for _, project := range places {
		there := was
		there.Project = project
		found, err := conversation.HasTurn(ctx, t.vault, there)
		if err != nil {
			return wrap("read conversation", err)
		}
		if found {
			if _, ok := t.projects.project(project); ok || project == "" {
				t.sess.Project = project
			}
			return nil
		}
	}
	if now := t.now(); was.At.IsZero() || was.At.Sub(now).Abs() > 366*24*time.Hour {
		was.At = now // the file was edited, or a clock was far off
	}
	_, err := conversation.AppendTurn(ctx, t.vault, was)
	return wrap("write conversation", err)
}

// remade looks up what the operations of an interrupted turn did. Those that came to
// nothing are made again.
func (t *turn) remade(ctx context.Context, ops []vault.Operation) error {
	for _, op := range ops {
		if op.Status != vault.StatusCompleted && op.Status != vault.StatusProposed || op.UndoneBy != "" {
			continue
		}
		full, err := t.vault.Operation(ctx, op.ID)
		if err != nil {
			return wrap("read operation", err)
		}
		t.made = append(t.made, done{full, effect.Done(full)})
	}
	return nil
}
