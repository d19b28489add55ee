package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"kist/cmd/kist/find"
	"kist/cmd/kist/output"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
)

// hostile returns every C0 and C1 control, every bidi control, the sequences that
// terminals act on, and bytes that are no UTF-8.
func hostile() []string {
	var all []string
	for r := rune(0); r < 0x20; r++ {
		all = append(all, string(r))
	}
	for r := rune(0x7f); r <= 0x9f; r++ {
		all = append(all, string(r))
	}
	for _, r := range "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\U000e0041" {
		all = append(all, string(r))
	}
	return append(all,
		"\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
		"\x1b]52;c;aGk=\x07", "\x1bP+q544e\x1b\\", "\x1b_apc\x1b\\", "\x1bc", "\u009b31m", "\u009d0;t\u009c",
		"safe\rover", "a\bb", "\xff\xfe", "\x9b31m", "tail\xc3",
	)
}

// harmful finds what a terminal or an eye could be fooled by.
func harmful(s string, multiline bool) (rune, bool) {
	for _, r := range s {
		if multiline && (r == '\n' || r == '\t') || r == 0x200c || r == 0x200d {
			continue
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 || r == unicode.ReplacementChar {
			return r, true
		}
	}
	return 0, false
}

func TestLineAndBlockLetNothingHarmfulThrough(t *testing.T) {
	for _, h := range hostile() {
		in := "before " + h + " after"
		for name, out := range map[string]string{"line": terminal.Line(in), "block": terminal.Block(in)} {
			if r, bad := harmful(out, name == "block"); bad {
				t.Errorf("%s(%q) = %q: %U got through", name, in, out, r)
			}
			if !strings.HasPrefix(out, "before ") || !strings.HasSuffix(out, " after") {
				t.Errorf("%s(%q) = %q: lost text around it", name, in, out)
			}
		}
	}
}

func TestVisibleForms(t *testing.T) {
	for _, tt := range []struct{ in, line, block string }{
		{"plain äöü 日本 🚣", "plain äöü 日本 🚣", "plain äöü 日本 🚣"},
		{"👩‍🔧", "👩‍🔧", "👩‍🔧"},
		{"a\nb\tc", "a␊b␉c", "a\nb\tc"},
		{"a\r\nb", "a␍␊b", "a\nb"},
		{"a\rb", "a␍b", "a␍b"},
		{"\x1b[31m", "␛[31m", "␛[31m"},
		{"\x7f", "␡", "␡"},
		{"\u0085\u202e", `\u0085\u202e`, `\u0085\u202e`},
		{"\xff", `\xff`, `\xff`},
	} {
		if got := terminal.Line(tt.in); got != tt.line {
			t.Errorf("line(%q) = %q, want %q", tt.in, got, tt.line)
		}
		if got := terminal.Block(tt.in); got != tt.block {
			t.Errorf("block(%q) = %q, want %q", tt.in, got, tt.block)
		}
	}
}

// TestNothingHarmfulReachesATerminal puts hostile text into every field of what
// the commands show and looks at every byte that a terminal would get.
func TestNothingHarmfulReachesATerminal(t *testing.T) {
	for _, h := range hostile() {
		var buf bytes.Buffer
		p := &printer{&output.Printer{Out: &buf, TTY: true}}
		showEverything(p, h)
		if r, bad := harmful(buf.String(), true); bad {
			t.Errorf("%q: %U reached the terminal", h, r)
		}
		if p.Err != nil {
			t.Error(p.Err)
		}
	}
}

// showEverything prints each kind of thing with h in all of its texts.
func showEverything(p *printer, h string) {
	c := &cli{out: p, log: p}
	op := &v1.Operation{
		Id: h + "0123456789", Status: h, Type: h, Actor: h, Client: h, Session: h, Batch: h, Reason: h, Error: h, Undoes: h,
		Entity: &v1.Entity{Type: h, Path: h}, Changes: []*v1.FileChange{{Path: h, Patch: "-" + h + "\n+" + h + "\n"}, {Path: h}, {Path: h, From: h}},
	}
	p.operation(op)
	p.opLine(&v1.Operation{Id: h, Type: "move", Changes: op.Changes[2:]})
	p.conflict(&v1.Conflict{Path: h, Reason: h, Patch: "-" + h + "\n+" + h + "\n"})
	p.operations([]*v1.Operation{op})
	find.Hit(p.Printer, &v1.Hit{Path: h, Heading: h, Excerpt: "x" + h + "y", Highlights: []*v1.Span{{Start: 0, End: 1 + int32(len(h))}}})
	p.tasks([]*v1.Task{{Path: h, Title: h, Due: h, Priority: h, Line: 3}})
	p.projects([]*v1.Project{{Slug: h, Name: h, Status: h}})
	showProject(p, &v1.GetProjectResponse{
		Project: &v1.Project{Name: h, Path: h, Description: h, Status: h}, Summary: h, Decisions: []string{h}, NextSteps: []string{h},
	})
	p.problems([]*v1.Problem{{Path: h, Line: 1, Column: 2, Message: h, Hint: h}})
	p.outline(&v1.Document{Path: h, Properties: []*v1.Property{{Key: h, Value: h}}, Sections: []*v1.Section{{Heading: h, Level: 2}}})
	p.Raw([]byte(h))
	p.Table(statusRows(p, &v1.GetStatusResponse{Vault: h, Url: h, Socket: h, Version: h, Device: h, Watcher: h, Model: h, ReadOnly: h, Vanished: h,
		Index: &v1.GetIndexStatusResponse{State: h, Notice: h}}))
	p.checks([]check{{Name: h, Status: "fail", Detail: h, Hint: h}})
	c.report(hintError{errors.New(h), h})
	c.report(turnError{&v1.TurnError{Code: h, Message: h, Hint: h}})
	t := &turn{c: c}
	for _, ev := range []*v1.SendResponse{
		{Event: &v1.SendResponse_TextDelta{TextDelta: &v1.TextDelta{Text: h}}},
		{Event: &v1.SendResponse_ToolCall{ToolCall: &v1.ToolCall{Name: h, Error: h}}},
		{Event: &v1.SendResponse_Operation{Operation: op}},
		{Event: &v1.SendResponse_ApprovalRequest{ApprovalRequest: &v1.ApprovalRequest{Operation: op}}},
		{Event: &v1.SendResponse_ContextSwitch{ContextSwitch: &v1.ContextSwitch{Project: h, Name: h}}},
		{Event: &v1.SendResponse_Notice{Notice: &v1.Notice{Text: h}}},
	} {
		t.show(ev)
	}
	// The value is encoded before it is written; an error would show as missing output.
	_ = p.JSON(op)
	_ = p.JSONLine(op)
	p.Printf("%s %v\n", prompt(h, ""), fmt.Errorf("%s", h))
}
