package main

import (
	"context"
	"errors"
	"strings"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// A turn shows one turn of a conversation as it streams in and keeps what the
// next one needs.
type turn struct {
	c       *cli
	session string
	project string
	batches []string // of the operations carried out, in order, each once
	midline bool     // the last text did not end its line
}

// send says something and shows every event until the turn ends.
func (t *turn) send(ctx context.Context, k *dial.Client, req *v1.SendRequest) error {
	stream, err := k.Session.Send(ctx, req)
	if err != nil {
		return err
	}
	defer stream.Close()
	ended := false
	for stream.Receive() {
		ev := stream.Msg()
		if t.c.json {
			if err := t.c.out.jsonLine(ev); err != nil {
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
	return t.c.out.err
}

// event takes note of one event and, unless it went out as JSON, shows it.
func (t *turn) event(ev *v1.SendResponse) (end bool, err error) {
	switch e := ev.Event.(type) {
	case *v1.SendResponse_Operation:
		t.noteBatch(e.Operation.Batch)
	case *v1.SendResponse_Done:
		t.session, t.project = e.Done.Session, e.Done.Project
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
	out, log := t.c.out, t.c.log
	if e, ok := ev.Event.(*v1.SendResponse_TextDelta); ok {
		if e.TextDelta.Text != "" {
			out.text(e.TextDelta.Text)
			t.midline = !strings.HasSuffix(e.TextDelta.Text, "\n")
		}
		return
	}
	switch e := ev.Event.(type) {
	case *v1.SendResponse_Operation:
		t.freshLine()
		out.opLine(e.Operation)
	case *v1.SendResponse_ApprovalRequest:
		t.freshLine()
		out.opLine(e.ApprovalRequest.Operation)
	case *v1.SendResponse_ContextSwitch:
		t.freshLine()
		log.printf("%s\n", log.paint(cyan, "now in: "+orElse(e.ContextSwitch.Name, orElse(e.ContextSwitch.Project, "no project"))))
	case *v1.SendResponse_Notice:
		t.freshLine()
		log.printf("%s\n", log.paint(yellow, e.Notice.Text))
	case *v1.SendResponse_ToolCall:
		if e.ToolCall.Error != "" {
			t.freshLine()
			log.printf("%s\n", log.paint(dim, e.ToolCall.Name+": "+e.ToolCall.Error))
		}
	}
}

// freshLine ends a line that the model's text left open.
func (t *turn) freshLine() {
	if t.midline {
		t.c.out.printf("\n")
		t.midline = false
	}
}

func (t *turn) noteBatch(batch string) {
	if n := len(t.batches); batch != "" && (n == 0 || t.batches[n-1] != batch) {
		t.batches = append(t.batches, batch)
	}
}
