package main

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"kist/cmd/kist/output"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
)

// This file says how the things that several commands show look.

// shortID is the part of an operation's id that people type.
func shortID(id string) string {
	if len(id) <= 8 {
		return id
	}
	return id[len(id)-8:]
}

// opLine prints one operation: what it did, to what, why, and its short id.
func (p *printer) opLine(op *v1.Operation) {
	if op == nil {
		return
	}
	sign, style, verb := opWords(op)
	p.Printf("%s %s %s", p.Paint(style, sign), verb, op.Entity.GetType())
	if target := opTarget(op); target != "" {
		p.Printf(" %s", p.Paint(output.Bold, target))
	}
	if op.Reason != "" {
		p.Printf(" (%s)", op.Reason)
	}
	p.Printf(" %s\n", p.Paint(output.Dim, "["+shortID(op.Id)+"]"))
	if op.Error != "" {
		p.Printf("  %s\n", p.Paint(output.Red, op.Error))
	}
}

// opWords gives an operation's sign, colour and verb.
func opWords(op *v1.Operation) (sign string, s output.Style, verb string) {
	switch op.Type {
	case "create":
		sign, s, verb = "+", output.Green, "created"
	case "delete":
		sign, s, verb = "-", output.Red, "deleted"
	case "move":
		sign, s, verb = ">", output.Yellow, "moved"
	case "update":
		sign, s, verb = "~", output.Yellow, "changed"
	default:
		sign, s, verb = "!", output.Cyan, op.Type
	}
	switch op.Status {
	case "completed":
	case "approved", "begun": // here in this moment, or on another device
		sign, s, verb = "…", output.Cyan, op.Status+", not done yet: "+op.Type
	case "proposed":
		sign, s, verb = "?", output.Cyan, "proposes to "+op.Type
	case "rolled_back":
		sign, s, verb = "x", output.Red, "rolled back: "+op.Type
	default:
		sign, s, verb = "x", output.Red, op.Status+": "+op.Type
	}
	return sign, s, verb
}

// opTarget is the path that an operation is about, or both of one that moves a file.
func opTarget(op *v1.Operation) string {
	if len(op.Changes) == 1 && op.Changes[0].From != "" {
		return op.Changes[0].From + " -> " + op.Changes[0].Path
	}
	if p := op.Entity.GetPath(); p != "" {
		return p
	}
	if len(op.Changes) > 0 {
		return op.Changes[0].Path
	}
	return op.Entity.GetId()
}

// tasks prints tasks as a list of boxes, each with what names it.
func (p *printer) tasks(tasks []*v1.Task) {
	var t output.Table
	for _, task := range tasks {
		box := p.Paint(output.Bold, "[ ]")
		switch task.Status {
		case "done":
			box = p.Paint(output.Green, "[x]")
		case "cancelled":
			box = p.Paint(output.Dim, "[-]")
		case "in_progress":
			box = p.Paint(output.Yellow, "[/]")
		}
		ref := task.Path
		if task.Line > 0 {
			ref = output.LineRef(task.Path, task.Line)
		}
		due := ""
		if task.Due != "" {
			due = "due " + task.Due
		}
		t.Add(box, task.Title, due, task.Priority, p.Paint(output.Dim, ref))
	}
	p.Table(t)
}

func statusText(p *printer, status string) output.Safe {
	switch status {
	case "active", "completed", "done", "ready":
		return p.Paint(output.Green, status)
	case "archived", "cancelled", "rejected":
		return p.Paint(output.Dim, status)
	case "failed", "rolled_back", "superseded":
		return p.Paint(output.Red, status)
	default:
		return p.Paint(output.Yellow, status)
	}
}

func taskCount(open int32) output.Safe {
	if open == 0 {
		return ""
	}
	return output.Plural(int(open), "open task")
}

// when shows a time as people on this machine read it.
func when(t *timestamppb.Timestamp) string {
	if t == nil {
		return ""
	}
	return t.AsTime().Local().Format(time.DateTime)
}

// diff prints a unified diff in colour.
func (p *printer) diff(patch string) {
	for l := range strings.Lines(patch) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "---"):
			p.Printf("%s\n", p.Paint(output.Bold, l))
		case strings.HasPrefix(l, "@@"):
			p.Printf("%s\n", p.Paint(output.Cyan, l))
		case strings.HasPrefix(l, "+"):
			p.Printf("%s\n", p.Paint(output.Green, l))
		case strings.HasPrefix(l, "-"):
			p.Printf("%s\n", p.Paint(output.Red, l))
		default:
			p.Printf("%s\n", l)
		}
	}
}

// change prints what happens to one file.
func (p *printer) change(ch *v1.FileChange) {
	p.Printf("\n")
	switch {
	case ch.From != "":
		p.Printf("%s -> %s\n", p.Paint(output.Bold, ch.From), p.Paint(output.Bold, ch.Path))
	case ch.Patch == "":
		p.Printf("%s: %s\n", p.Paint(output.Bold, ch.Path), output.NoPatch(ch.PatchLeftOut))
	}
	p.diff(ch.Patch)
}

// conflict prints what the file holds and what it would hold, as a diff from the
// one to the other.
func (p *printer) conflict(c *v1.Conflict) {
	if c.GetPatch() == "" {
		return
	}
	p.Printf("\n%s\n", p.Paint(output.Dim, "what it says now (-) and what it would say (+):"))
	p.diff(c.Patch)
	p.Printf("\n")
}

// hanging makes text of several lines fit for where one is expected: the others
// follow below it, indented, so that none passes for a line of kist's own.
func hanging(s string) output.Safe {
	return output.Safe(strings.ReplaceAll(terminal.Block(strings.TrimSpace(s)), "\n", "\n      "))
}
