package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kist/cmd/kist/output"
	"kist/cmd/kist/talk"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// A turn shows one turn of a conversation as it streams in and keeps what the
// next one needs.
type turn struct {
	c        *cli
	session  string
	project  string
	mode     string // of the session, as far as it is known
	names    bool   // say at the end which project the reply is in
	switched bool   // that was said already
	draft    string // what was last told of the draft
	usage    *v1.Usage
	batches  []string          // of the operations carried out, in order, each once
	midline  bool              // the last text did not end its line
	spoke    bool              // what was shown last is the reply's
	flow     terminal.Wrapper  // of the reply
	refused  talk.Refused      // calls of this turn that weren't carried out
	explain  *talk.Explanation // nil: nobody can ask for it
}

// send says something and shows every event until the turn ends.
func (t *turn) send(ctx context.Context, k *dial.Client, req *v1.SendRequest) error {
	if req.RequestId == "" {
		req.RequestId = dial.NewID()
	}
	defer func() {
		if ctx.Err() != nil { // whoever breaks off doesn't want the rest of it
			breakOff(k, req.RequestId)
		}
	}()
	stream, err := k.Session.Send(ctx, req)
	if err != nil {
		return err
	}
	defer stream.Close()
	ended := false
	for stream.Receive() {
		ev := stream.Msg()
		if t.c.json {
			if err := t.c.out.JSONLine(ev); err != nil {
				return err
			}
		}
		end, err := t.event(ev)
		if err != nil {
			return err
		}
		ended = ended || end
	}
	t.freshLine()
	if err := stream.Err(); err != nil {
		return err
	}
	if !ended {
		return errors.New("the daemon ended the turn without saying why")
	}
	return t.c.out.Err
}

// breakOff ends a turn, and returns when that is written down.
func breakOff(k *dial.Client, turn string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = k.Session.CancelTurn(ctx, &v1.CancelTurnRequest{Turn: turn}) // it may never have come there
}

// event takes note of one event and, unless it went out as JSON, shows it.
func (t *turn) event(ev *v1.SendResponse) (end bool, err error) {
	switch e := ev.Event.(type) {
	case *v1.SendResponse_Operation:
		t.noteBatch(e.Operation.Batch)
	case *v1.SendResponse_SessionPhase:
		t.mode = e.SessionPhase.Mode
	case *v1.SendResponse_Usage:
		t.usage = e.Usage
	case *v1.SendResponse_Done:
		t.session, t.project = e.Done.Session, e.Done.Project
		t.end()
		return true, nil
	case *v1.SendResponse_Error:
		t.freshLine()
		if t.c.json {
			// The event on standard output said it all.
			_, code := explain(turnError{e.Error})
			return true, reportedError{code}
		}
		return true, turnError{e.Error}
	}
	if !t.c.json {
		t.show(ev)
	}
	return false, nil
}

func (t *turn) show(ev *v1.SendResponse) {
	out, notes := t.c.out, t.c.log
	if e, ok := ev.Event.(*v1.SendResponse_TextDelta); ok {
		t.text(e.TextDelta.Text)
		return
	}
	if line := t.explain.Of(ev); line != "" {
		t.freshLine()
		notes.wrapped(func(p *printer) { p.Printf("%s\n", p.Paint(output.Dim, line)) })
	}
	switch e := ev.Event.(type) {
	case *v1.SendResponse_Operation:
		t.freshLine()
		out.wrapped(func(p *printer) { p.opLine(e.Operation) })
	case *v1.SendResponse_ApprovalRequest:
		t.freshLine()
		out.wrapped(func(p *printer) { p.opLine(e.ApprovalRequest.Operation) })
	case *v1.SendResponse_ContextSwitch:
		t.freshLine()
		t.switched = true
		notes.Printf("%s\n", notes.Paint(output.Cyan, "now in: "+orElse(e.ContextSwitch.Name, orElse(e.ContextSwitch.Project, "no project"))))
	case *v1.SendResponse_Notice, *v1.SendResponse_AnsweredBy, *v1.SendResponse_Struck:
		if line := talk.Notice(ev); line != "" {
			t.freshLine()
			notes.wrapped(func(p *printer) { p.Printf("%s\n", p.Paint(output.Yellow, line)) })
		}
	case *v1.SendResponse_SessionPhase:
		t.freshLine()
		notes.Printf("%s\n", notes.Paint(output.Dim, talk.Phase(e.SessionPhase)))
	case *v1.SendResponse_DraftUpdate:
		t.draft = talk.Draft(e.DraftUpdate) // the last one of the turn says it all
	case *v1.SendResponse_ToolCall:
		if e.ToolCall.Error != "" {
			t.showRefused(e.ToolCall.Name + ": " + e.ToolCall.Error)
		}
	}
}

// showRefused shows what is said of a call that wasn't carried out.
func (t *turn) showRefused(text string) {
	if t.refused.Shows(text) {
		t.freshLine()
		t.c.log.Printf("%s\n", t.c.log.Paint(output.Dim, text))
	}
}

// end tells what is worth telling once a turn: the draft as it is now, the tokens,
// the project.
func (t *turn) end() {
	usage := t.usage
	t.usage = nil
	if t.c.json {
		return
	}
	notes := t.c.log
	t.freshLine()
	if more := t.refused.Rest(); more != "" {
		notes.Printf("%s\n", notes.Paint(output.Dim, more))
	}
	if line := t.explain.Rest(); line != "" {
		notes.Printf("%s\n", notes.Paint(output.Dim, line))
	}
	if t.draft != "" {
		notes.Printf("%s\n", notes.Paint(output.Dim, t.draft))
		t.draft = ""
	}
	if usage != nil && usage.TurnTokens > 0 {
		notes.Printf("%s\n", notes.Paint(output.Dim, talk.Tokens(usage)))
	}
	if t.names && !t.switched && t.project != "" {
		notes.Printf("%s\n", notes.Paint(output.Dim, "in: "+t.project))
	}
}

// enter begins the session that a mode asks for, and shows how it opens. With quiet
// the opening is shown only where it offers an unfinished draft: what is said next
// is known already.
func (t *turn) enter(ctx context.Context, k *dial.Client, req *v1.SendRequest, quiet bool) error {
	if req.Mode == "" || req.Mode == "general" || req.Session != "" && req.Session != "new" {
		return nil
	}
	r, err := k.Session.StartSession(ctx, &v1.StartSessionRequest{Mode: req.Mode, Project: req.Project})
	if err != nil {
		return err
	}
	t.session, t.project, t.mode = r.Session.Id, r.Session.Project, r.Session.Mode
	req.Session, req.Project, req.Mode = r.Session.Id, "", ""
	switch {
	case t.c.json && !quiet:
		return t.c.out.JSONLine(r)
	case t.c.json:
	case !quiet:
		t.c.out.wrapped(func(p *printer) { p.Text(r.Opening + "\n") })
	case len(r.Drafts) > 0:
		t.c.log.Printf("%s\n", t.c.log.Paint(output.Dim, fmt.Sprintf("%d unfinished; kist draft list shows them", len(r.Drafts))))
	}
	return t.c.out.Err
}

// text shows a piece of the reply.
func (t *turn) text(s string) {
	if s == "" {
		return
	}
	if !t.spoke {
		s = strings.TrimPrefix(s, "\n") // one empty line behind what has ended its own is enough
	}
	t.spoke, t.midline = true, !strings.HasSuffix(s, "\n")
	if t.flow.Width = t.c.out.Columns(); t.flow.Width == 0 {
		t.c.out.Text(s)
		return
	}
	t.c.out.Write([]byte(t.flow.Add(terminal.Block(s))))
}

// freshLine ends a line that the model's text left open, before something else is shown.
func (t *turn) freshLine() {
	t.spoke = false
	if t.midline {
		t.c.out.Write([]byte(t.flow.Add("\n")))
		t.midline = false
	}
}

func (t *turn) noteBatch(batch string) {
	if n := len(t.batches); batch != "" && (n == 0 || t.batches[n-1] != batch) {
		t.batches = append(t.batches, batch)
	}
}
