package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
)

// What a language model has answered at length isn't filed as news where it was asked for
// something, and the reply doesn't say that nothing was done about it. What surely is news,
// told by itself, is kept all the same, and so is all that is poured out.
func TestAnsweredIsNotFiled(t *testing.T) {
	const answer = "Oak takes it well: sand it along the grain, wipe the dust off, and give it three thin coats with a day between them."
	for _, c := range []struct {
		text string
		kept string // in some file but the conversation; empty: nothing is
	}{
		{"How should I varnish the oak table? It stands in the shed and has two scratches.", ""},
		{"Explain to me why the varnish on the table peels off after two winters.", ""},
		{"Compare oak and ash for the handrail of the stairs, please.", ""},
		{"Remember that the varnish is in the shed and tell me whether oak needs it.", ""},
		{"Write three names for the boat that begin with H.", ""},
		{"The surveyor comes on Monday at 9 and brings the new drawings.", "surveyor"},
	} {
		s := newStage(t, boats, agenttest.NewScript(agenttest.Say(answer)), agent.Options{Preset: "auto"})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: c.text, Project: "atlas"}))
		if strings.Contains(got, "nothing about") || strings.Contains(got, "ot written down") {
			t.Errorf("%q: %s", c.text, got)
		}
		kept := ""
		err := filepath.WalkDir(filepath.Join(s.vault.Dir(), "projects/atlas"), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "conversations") {
				return err
			}
			text, err := os.ReadFile(path)
			kept += string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		memories, _ := filepath.Glob(filepath.Join(s.vault.Dir(), "memories/*.md"))
		if c.kept == "" && (len(memories) > 0 || strings.Contains(got, "Operation")) || !strings.Contains(kept, c.kept) {
			t.Errorf("%q: %v\n%s\n%s", c.text, memories, kept, got)
		}
	}
}
