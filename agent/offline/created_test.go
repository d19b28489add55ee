package offline

import (
	"bufio"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
	"kist/agent/offline/turn"
)

// Answers to the question whether there is to be a project, by what they are.
var (
	assents  = []string{"yes", "yes please", "sure", "go ahead", "ok, do it", "of course", "Yes!", "ja", "go"}
	refusals = []string{"no", "no thanks", "rather not", "better not", "Nah. Put the post on the list", "no, keep it, just push the deadline to Wednesday"}
	wavering = []string{"wait", "hm, not sure", "let me think", "maybe later", "what would that do?", "yes, but only next week", "yes and no"}
	telling  = []string{"complete water plants", "My neighbour Jean's had her knee done", "remind me to ring the plumber", "move the survey to friday", "fix the door is done", "it needs new tiles",
		"we'll need forty chairs by March", "the vicar is called Tom", "Bo pays for the paint", "our cat is called Pudding and hates the post", "I'll have to buy stamps", "show me tasks with no project", "and order the cake", "it was named after a river", "Anna's project is called Blue Door.", "open the project called Front Desk", "called the insurance, done", "I prefer to be called Kate", "when can I call this finished", "my sister calls it the next step, I call it Tuesday"}
)

// A dialogue is a question about a project, and what is said to it. The oracle knows of what
// kind that is, and nothing else.
type dialogue struct {
	kind, text string
	question   model.Question
	here       string
}

const (
	newName = "Zephyr"
	newText = "the quibbling of the wherries wants seeing to"
)

func dialogueOf(r *rand.Rand, others []string) dialogue {
	one := func(list []string) string { return list[r.IntN(len(list))] }
	d := dialogue{question: model.Question{Kind: turn.AskCreate, Args: map[string]string{"name": newName, "text": newText}}, here: one([]string{"", "coffee-shop", "houseboat-renovation"})}
	if r.IntN(2) == 0 {
		d.question.Args["on"] = "yes"
	}
	switch r.IntN(8) {
	case 0:
		d.kind, d.text = "assent", one(assents)
	case 1:
		d.kind, d.text = "assent", one([]string{newName, "call it Kestrel", "yes, but I'd like it to be called Kestrel", "no, just call it Kestrel", "it's called Kestrel", "the project should be called Kestrel", "called Kestrel"})
	case 2:
		d.kind, d.text = "refusal", one(refusals)
	case 3:
		d.kind, d.text = "doubt", one(wavering)
	case 4, 5:
		d.kind, d.text = "telling", one(telling)
	default:
		d.kind, d.text = "other", one(others)
	}
	return d
}

// made: the partner begins the project that was asked about. Its calls find nothing.
func (d dialogue) made(t *testing.T) bool {
	sit := offlinetest.Situation(d.here)
	sit.Question, sit.Turns = d.question, 3
	req := modelRequest(sit, newText, d.text)
	for range 12 {
		_, calls, _ := generate(t, req)
		if len(calls) == 0 {
			return false
		}
		req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: calls})
		for _, c := range calls {
			if c.Name == "create_project" && (strings.Contains(string(c.Arguments), newName) || strings.Contains(string(c.Arguments), newText)) {
				return true
			}
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, CallID: c.ID, Tool: c.Name, Text: `{"ok":true,"status":"done","result":{}}`})
		}
	}
	return false
}

// TestNoProjectIsMadeUnasked answers the question whether to make a project in all manners, and
// with what the labelled sets have that is no answer: only clear assent, or a name for it, makes
// it. KIST_DIALOGUES says how many.
func TestNoProjectIsMadeUnasked(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("KIST_DIALOGUES"), "300"))
	if err != nil {
		t.Fatal(err)
	}
	others, faults := unanswering(t), map[string]bool{}
	for i := range n {
		d := dialogueOf(rand.New(rand.NewPCG(3, uint64(i))), others)
		if made := d.made(t); made != (d.kind == "assent") {
			faults[fmt.Sprintf("%s %q, on %q, in %q: made %v", d.kind, d.text, d.question.Args["on"], d.here, made)] = true
		}
	}
	for fault := range faults {
		t.Error(fault)
	}
	t.Logf("%d dialogues, %d kinds of fault", n, len(faults))
}

// unanswering are messages of the labelled sets that neither agree to anything nor ask for a project.
func unanswering(t *testing.T) (out []string) {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/dialogues/*.tsv")
	if err != nil || len(paths) < 12 {
		t.Fatalf("only %d sets: %v", len(paths), err)
	}
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(f); sc.Scan(); {
			cols := strings.Split(sc.Text(), "\t")
			if len(cols) != 4 || strings.HasPrefix(cols[0], "#") || cols[0] == "consent" || cols[0] == "create_project" || cols[0] == "project_create" || cols[0] == "rename_project" {
				continue
			}
			out = append(out, cols[3])
		}
		f.Close()
	}
	return out
}
