package main

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

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
	p.printf("%s %s %s", p.paint(style, sign), verb, op.Entity.GetType())
	if target := opTarget(op); target != "" {
		p.printf(" %s", p.paint(bold, target))
	}
	if op.Reason != "" {
		p.printf(" (%s)", op.Reason)
	}
	p.printf(" %s\n", p.paint(dim, "["+shortID(op.Id)+"]"))
	if op.Error != "" {
		p.printf("  %s\n", p.paint(red, op.Error))
	}
}

// opWords gives an operation's sign, colour and verb.
func opWords(op *v1.Operation) (sign string, s style, verb string) {
	switch op.Type {
	case "create":
		sign, s, verb = "+", green, "created"
	case "delete":
		sign, s, verb = "-", red, "deleted"
	case "move":
		sign, s, verb = ">", yellow, "moved"
	case "update":
		sign, s, verb = "~", yellow, "changed"
	default:
		sign, s, verb = "!", cyan, op.Type
	}
	switch op.Status {
	case "completed":
	case "approved", "begun": // here in this moment, or on another device
		sign, s, verb = "…", cyan, op.Status+", not done yet: "+op.Type
	case "proposed":
		sign, s, verb = "?", cyan, "proposes to "+op.Type
	case "rolled_back":
		sign, s, verb = "x", red, "rolled back: "+op.Type
	default:
		sign, s, verb = "x", red, op.Status+": "+op.Type
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
	var t table
	for _, task := range tasks {
		box := p.paint(bold, "[ ]")
		switch task.Status {
		case "done":
			box = p.paint(green, "[x]")
		case "cancelled":
			box = p.paint(dim, "[-]")
		case "in_progress":
			box = p.paint(yellow, "[/]")
		}
		ref := task.Path
		if task.Line > 0 {
			ref = lineRef(task.Path, task.Line)
		}
		due := ""
		if task.Due != "" {
			due = "due " + task.Due
		}
		t.add(box, task.Title, due, task.Priority, p.paint(dim, ref))
	}
	p.table(t)
}

func statusText(p *printer, status string) safe {
	switch status {
	case "active", "completed", "done", "ready":
		return p.paint(green, status)
	case "archived", "cancelled", "rejected":
		return p.paint(dim, status)
	case "failed", "rolled_back", "superseded":
		return p.paint(red, status)
	default:
		return p.paint(yellow, status)
	}
}

func taskCount(open int32) safe {
	if open == 0 {
		return ""
	}
	return plural(int(open), "open task")
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
			p.printf("%s\n", p.paint(bold, l))
		case strings.HasPrefix(l, "@@"):
			p.printf("%s\n", p.paint(cyan, l))
		case strings.HasPrefix(l, "+"):
			p.printf("%s\n", p.paint(green, l))
		case strings.HasPrefix(l, "-"):
			p.printf("%s\n", p.paint(red, l))
		default:
			p.printf("%s\n", l)
		}
	}
}

// change prints what happens to one file.
func (p *printer) change(ch *v1.FileChange) {
	p.printf("\n")
	switch {
	case ch.From != "":
		p.printf("%s -> %s\n", p.paint(bold, ch.From), p.paint(bold, ch.Path))
	case ch.Patch == "":
		p.printf("%s: only hashes were kept\n", p.paint(bold, ch.Path))
	}
	p.diff(ch.Patch)
}

// conflict prints what the file holds and what it would hold, as a diff from the
// one to the other.
func (p *printer) conflict(c *v1.Conflict) {
	if c.GetPatch() == "" {
		return
	}
	p.printf("\n%s\n", p.paint(dim, "what it says now (-) and what it would say (+):"))
	p.diff(c.Patch)
	p.printf("\n")
}

// hanging makes text of several lines fit for where one is expected: the others
// follow below it, indented, so that none passes for a line of kist's own.
func hanging(s string) safe {
	return safe(strings.ReplaceAll(terminal.Block(strings.TrimSpace(s)), "\n", "\n      "))
}

// lineRef names a line of a file the way compilers do.
func lineRef(path string, n int32) string { return fmt.Sprintf("%s:%d", path, n) }

func plural(n int, noun string) safe {
	if n == 1 {
		return safe("1 " + noun)
	}
	return safe(fmt.Sprintf("%d %ss", n, noun))
}
