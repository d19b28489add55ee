package models_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/brief"
	"kist/agent/model"
	"kist/agent/tool"
	"kist/agent/window"
	"kist/vault/vaulttest"
)

var update = flag.Bool("update", false, "write the golden prompts")

// fullRequest has more of everything than a small window holds: the step before has read two
// documents.
func fullRequest(t *testing.T, mode string) model.Request {
	t.Helper()
	w, err := brief.New()
	if err != nil {
		t.Fatal(err)
	}
	s := model.Situation{Now: vaulttest.Now, Mode: mode, Turns: 12, Summary: "20 Nov: the mooring is paid until May. " + prose, Question: model.Question{Kind: model.Open, Text: "Which plank first?"}}
	for i := range 90 {
		s.Projects = append(s.Projects, model.Project{Slug: fmt.Sprintf("p-%d", i), Name: fmt.Sprintf("Project %d", i), Description: "All that is known of it, and who does what until when.", Status: "active"})
	}
	s.Project = &s.Projects[3]
	for i := range 12 {
		s.Passages = append(s.Passages, model.Passage{Path: fmt.Sprintf("projects/p-3/notes/plank-%d.md", i), Line: 3 * (i + 1), Heading: "Hull", Text: prose})
	}
	for i := range brief.Memories {
		s.Memories = append(s.Memories, fmt.Sprintf("The yard is closed on day %d of the month.", i+1))
	}
	if mode == "project_create" {
		s.Phase = "clarifying"
		s.Draft = &model.Draft{Slug: "raft", Name: "Raft", Status: "in_progress", Dimensions: map[string]string{"goals_momentum": "Afloat by May."}, FollowUp: []string{"power_resources"}, Questions: 2}
	}
	req := model.Request{Brief: func(room int) model.Brief { return w.Write(s, room) }, Situation: s}
	r, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	env := tool.Env{Mode: mode, Phase: s.Phase, Project: "p-3", Waiting: true}
	if s.Draft != nil {
		env.Draft = s.Draft.Slug
	}
	for _, t := range r.Offer(&env) {
		req.Tools = append(req.Tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Rank: t.Rank()})
	}
	for i := range 12 {
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: fmt.Sprintf("What about plank %d?", i)}, model.Message{Role: model.Assistant, Text: fmt.Sprintf("Plank %d. %s", i, strings.Repeat(prose, 2))})
	}
	req.Said = len(req.Messages)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "Now look at plank 3 and plank 4, and note what you find."})
	for step := range 2 {
		called := model.Message{Role: model.Assistant, Text: fmt.Sprintf("Step %d.", step)}
		var told []model.Message
		for i := range 2 {
			id := fmt.Sprintf("call-%d-%d", step, i)
			called.Calls = append(called.Calls, model.Call{ID: id, Name: "read_document", Arguments: fmt.Appendf(nil, `{"path":"projects/p-3/notes/plank-%d.md"}`, 2*step+i)})
			text, err := json.Marshal(map[string]any{"ok": true, "result": map[string]string{"text": strings.Repeat(prose, 100)}})
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, model.Message{Role: model.ToolRole, CallID: id, Tool: "read_document", Text: string(text)})
		}
		req.Messages = append(append(req.Messages, called), told...)
	}
	return req
}

// TestGoldenPrompts: what a window of each profile is sent of more than it holds: instructions
// to the letter, and of tools and messages which there are, and how long.
func TestGoldenPrompts(t *testing.T) {
	for size, most := range map[int]struct{ tools, brief, result int }{4096: {8, 900, 1500}, 8192: {24, 1800, 5000}, 32768: {40, 3500, 20_000}} {
		for _, mode := range []string{"general", "project_create"} {
			req, err := window.Fit(fullRequest(t, mode), size, 1)
			if err != nil {
				t.Fatal(err)
			}
			b := req.Brief(0)
			if n := model.Tokens(b.Rules) + model.Tokens(b.Now); n > most.brief || len(req.Tools) > most.tools {
				t.Errorf("%d, %s: %d tokens of instructions and %d tools", size, mode, n, len(req.Tools))
			}
			var out strings.Builder
			fmt.Fprintf(&out, "window %d, to read %d, to answer %d\n\n== rules\n%s\n== now\n%s\n== tools\n", size, req.Input, req.MaxOutput, b.Rules, b.Now)
			for _, tool := range req.Tools {
				fmt.Fprintf(&out, "%s: %d tokens\n", tool.Name, tool.Tokens())
			}
			out.WriteString("\n== messages\n")
			for i, m := range req.Messages {
				if m.Role == model.ToolRole && len(m.Text) > most.result {
					t.Errorf("%d, %s: a result of %d bytes", size, mode, len(m.Text))
				}
				mark := ""
				if i == req.Said {
					mark = " (said)"
				}
				fmt.Fprintf(&out, "%s%s, %d tokens: %.50q ... %q\n", m.Role, mark, m.Tokens(), m.Text, m.Text[max(0, len(m.Text)-50):])
			}
			path := fmt.Sprintf("testdata/prompt-%dK-%s.golden", size>>10, mode)
			if *update {
				if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}
