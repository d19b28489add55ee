package claims

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
)

func TestMissed(t *testing.T) {
	result := func(text string) model.Message { return model.Message{Role: model.ToolRole, Text: text} }
	r := readIn(model.Request{Said: 1, Messages: []model.Message{
		{Role: model.Assistant, Text: "It is in my notes/ink.md:300."}, {Role: model.User, Text: "and?"},
		{Role: model.Assistant, Text: "I read paper.md:7."},
		result(`{"ok":true,"result":{"path":"my notes/ink.md","from":11,"lines":["a","b"],"total":600}}`),
		result(`{"ok":true,"result":{"hits":[{"path":"paper.md","line":40,"excerpt":"a"}]}}`),
		result(`{"ok":true,"result":{"path":"task.md"}}`),
	}}, "## Passages\npen.md:3: ...")
	text := "my notes/ink.md:11 my notes/ink.md:12 my notes/ink.md:13 my notes/ink.md:300 paper.md:7 paper.md:41 paper.md:61 task.md:9 pen.md:4 pen.md:90 other.md:5"
	want := []string{"my notes/ink.md:13", "paper.md:7", "paper.md:61", "pen.md:90"}
	looked := map[string]bool{"my notes/ink.md": true, "paper.md": true, "task.md": true, "pen.md": true}
	if diff := cmp.Diff(want, r.missed(text, func(path string) bool { return looked[path] })); diff != "" {
		t.Error(diff)
	}
}
