package rpc

import (
	"kist/agent"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/merge"
)

func entityOf(e vault.Entity) *kistv1.Entity {
	return &kistv1.Entity{Type: text(e.Type), Id: text(e.ID), Path: text(e.Path)}
}

// maxPatches is how many bytes of patches an answer has beside other things.
const maxPatches = 256 << 10

// operation is an operation beside other things: of a large one the rest has to be asked for.
func operation(op vault.Operation) *kistv1.Operation { return operations([]vault.Operation{op})[0] }

// operations are several in one answer. Of more than fit into it, as no call that people make
// has them, the last are left out: their batch tells.
func operations(ops []vault.Operation) []*kistv1.Operation {
	out := each(ops, whole)
	patches, room := 0, page.MaxBytes
	for _, o := range out {
		for _, c := range o.Changes {
			patches += len(c.Patch)
		}
	}
	for i, o := range out {
		if patches > maxPatches {
			for _, c := range o.Changes {
				c.PatchLeftOut = c.Patch != ""
			}
			unpatched(o)
		}
		if room -= page.Bytes(fewer(o)); room < 0 && i > 0 {
			return out[:i]
		}
	}
	return out
}

// maxChanges is how many bytes an operation's changes have outside of GetOperation.
const maxChanges = page.MaxBytes / 2

// fewer leaves changes out that are too many.
func fewer(o *kistv1.Operation) *kistv1.Operation {
	room := maxChanges
	for i, c := range o.Changes {
		if room -= page.Bytes(c); room < 0 {
			o.MoreChanges = int32s(len(o.Changes) - i)
			o.Changes = o.Changes[:i]
			break
		}
	}
	return o
}

// whole is all of an operation.
func whole(op vault.Operation) *kistv1.Operation {
	return &kistv1.Operation{
		Id:         text(op.ID),
		At:         timestamp(op.At),
		Status:     text(string(op.Status)),
		Type:       text(string(op.Type)),
		Entity:     entityOf(op.Entity),
		Actor:      text(string(op.Actor)),
		Client:     text(op.Client),
		Session:    text(op.Session),
		Turn:       text(op.Turn),
		Batch:      text(op.Batch),
		Seq:        int32s(op.Seq),
		Reason:     text(op.Reason),
		Changes:    each(op.Changes, fileChange),
		Error:      text(op.Error),
		DurationMs: int32s(op.Duration.Milliseconds()),
		Undoes:     text(op.Undoes),
		UndoneBy:   text(op.UndoneBy),
		Digest:     text(op.Digest),
	}
}

func fileChange(c vault.FileChange) *kistv1.FileChange {
	return &kistv1.FileChange{
		Path:   text(c.Path),
		From:   text(c.From),
		Before: text(string(c.Before)),
		After:  text(string(c.After)),
		Patch:  text(merge.Named(c.Patch, c.Path)),
	}
}

// listed leaves the patches out.
func listed(op vault.Operation) *kistv1.Operation {
	return fewer(unpatched(whole(op)))
}

func unpatched(o *kistv1.Operation) *kistv1.Operation {
	for _, c := range o.Changes {
		c.Patch = ""
	}
	return o
}

func project(p entity.Project) *kistv1.Project {
	return &kistv1.Project{
		Id:          text(p.ID),
		Slug:        text(p.Slug),
		Name:        text(p.Name),
		Path:        text(p.Path),
		Status:      text(p.Status),
		Priority:    text(p.Priority),
		Tags:        texts(p.Tags),
		Description: text(p.Description),
		Created:     timestamp(p.Created),
		Updated:     timestamp(p.Updated),
		CreatedBy:   text(p.CreatedBy),
		OpenTasks:   int32s(p.OpenTasks),
		DoneTasks:   int32s(p.DoneTasks),
	}
}

func task(t entity.Task) *kistv1.Task {
	return &kistv1.Task{
		Id:       text(t.ID),
		Path:     text(t.Path),
		Line:     int32s(t.Line),
		Title:    name(t.Title),
		Status:   text(t.Status),
		Priority: text(t.Priority),
		Start:    text(t.Start),
		Due:      text(t.Due),
		Duration: text(t.Duration),
		Project:  text(t.Project),

		Scheduled: text(t.Scheduled),
		Done:      text(t.Done),
		Created:   text(t.Created),
		Repeat:    text(t.Repeat),
		Tags:      each(t.Tags, name),
	}
}

// textMap is texts for a map whose keys are ours.
func textMap(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = text(v)
	}
	return out
}

func draft(d entity.Draft) *kistv1.Draft {
	return &kistv1.Draft{
		Id:                text(d.ID),
		Slug:              text(d.Slug),
		Path:              text(d.Path),
		Name:              text(d.Name),
		Description:       text(d.Description),
		Status:            text(d.Status),
		DimensionsCovered: texts(d.Covered),
		FollowUp:          texts(d.FollowUp),
		QuestionCount:     int32s(d.Questions),
		Created:           timestamp(d.Created),
		Expires:           timestamp(d.Expires),
		FinalizedProject:  text(d.Finalized),
		Session:           text(d.Session),
		Tasks:             texts(d.Tasks),
		Modified:          timestamp(d.Modified),
	}
}

func memory(m entity.Memory) *kistv1.Memory {
	return &kistv1.Memory{
		Id:         text(m.ID),
		Path:       text(m.Path),
		Content:    text(m.Content),
		Scope:      text(m.Scope),
		Project:    text(m.Project),
		Confidence: m.Confidence,
		Source:     text(m.Source),
		Created:    timestamp(m.Created),
		Supersedes: text(m.Supersedes),
	}
}

func session(s conversation.Session) *kistv1.Session {
	return &kistv1.Session{
		Id:           text(s.ID),
		Mode:         text(s.Mode),
		Project:      text(s.Project),
		ProjectStack: texts(s.Stack),
		Created:      timestamp(s.Created),
		LastUsed:     timestamp(s.LastUsed),
		Turns:        int32s(s.Turns),
		Phase:        text(s.Phase),
		Draft:        text(s.Draft),
		Question:     text(s.Question.Text),
		Summary:      text(s.Summary),
		Interrupted:  text(interrupted(s)),
		Title:        text(s.Title),
	}
}

func interrupted(s conversation.Session) string {
	if s.Interrupted == nil {
		return ""
	}
	return s.Interrupted.Text
}

func tool(t agent.ToolInfo) *kistv1.Tool {
	return &kistv1.Tool{
		Name:        text(t.Name),
		Description: text(t.Description),
		Class:       text(t.Class),
		Policy:      text(t.Policy),
		Schema:      text(string(t.Schema)),
		On:          t.On,
		Why:         text(t.Why),
		Undo:        text(t.Undo),
	}
}
