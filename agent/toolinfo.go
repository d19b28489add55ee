package agent

import (
	"context"
	"encoding/json"

	"kist/agent/policy"
	"kist/agent/tool"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// ToolInfo describes a tool.
type ToolInfo struct {
	Name, Description string
	Class             string // read, add, change, destroy or external
	Policy            string // auto, ask or never
	Schema            json.RawMessage
	On                bool   // it is offered to the model now
	Why               string // why it is on or off, and what policy goes by
	Undo              string // how what it does is taken back; empty: it changes nothing
}

// Tools lists every tool with what policy says of it and whether it is on: in a
// session, or outside any project when its id is empty. It returns vault.ErrNotFound
// for a session that doesn't exist.
func (a *Agent) Tools(ctx context.Context, session string) ([]ToolInfo, error) {
	env := &tool.Env{Vault: a.vault, Search: a.search, Now: a.now(), Sync: a.synced}
	if session != "" {
		sess, err := conversation.FindSession(ctx, a.vault, session)
		if err != nil {
			return nil, wrap("session", err)
		}
		env.Project, env.Mode, env.Phase, env.Draft = sess.Project, sess.Mode, sess.Phase, sess.Draft
		env.Back = sess.Project != "" || len(sess.Stack) > 0
	}
	at := policy.Place{AgentMade: true}
	in := "in a project that kist made"
	if p, err := entity.FindProject(ctx, a.vault, env.Project); env.Project != "" && err == nil {
		at.AgentMade = madeByAgent(p)
		if !at.AgentMade {
			in = "in a project that you made"
		}
	}
	offered := map[string]bool{}
	for _, t := range a.tools.Offer(env) {
		offered[t.Name] = true
	}
	decides := a.policy()
	var out []ToolInfo
	for _, t := range a.tools.All() {
		v := decides.Decide(t.Name, t.Class, at)
		out = append(out, ToolInfo{
			Name: t.Name, Description: t.Description, Class: string(t.Class), Policy: string(v), Schema: t.Schema,
			On: offered[t.Name], Why: t.When() + "; " + decides.Reason(t.Name, t.Class, in), Undo: undoOf(t),
		})
	}
	return out, nil
}

// undoOf says how a tool's effect is taken back.
func undoOf(t tool.Tool) string {
	switch {
	case t.Class == tool.Read:
		return ""
	case t.Class == tool.External:
		return "undo the operation; what was sent can't be taken back"
	case t.Name == "undo":
		return "redo the operation"
	}
	return "undo the operation"
}
