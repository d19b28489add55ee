package agent_test

import (
	"context"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kist/agent"
	"kist/agent/model"
	"kist/agent/offline"
)

// reworded is the offline partner with all its questions in other words. It reads the
// instructions as well, as a language model does.
type reworded struct{ *offline.Partner }

const otherWords = "Qu'en dites-vous ?"

func (r reworded) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if !strings.Contains(told(req), "kist") {
			panic("no instructions")
		}
		if req.Situation.Question.Text != "" {
			req.Situation.Question.Text = otherWords
		}
		words := ""
		var text strings.Builder
		var stop model.Stop
		for e, err := range r.Partner.Generate(ctx, req) {
			switch {
			case err != nil:
				yield(e, err)
				return
			case e.Text != "":
				text.WriteString(e.Text)
				continue
			case e.Stop != "": // after the words
				stop = e.Stop
				continue
			case e.Ask != nil:
				q := *e.Ask
				words, q.Text = q.Text, otherWords
				e.Ask = &q
			}
			if !yield(e, nil) {
				return
			}
		}
		said := text.String()
		if words != "" {
			said = strings.ReplaceAll(said, words, otherWords)
		}
		if said != "" && !yield(model.Event{Text: said}, nil) {
			return
		}
		yield(model.Event{Stop: stop}, nil)
	}
}

// Nothing depends on how a question is put: the scenes leave the same files behind. The short form plays
// three of them, KIST_FROZEN=all each.
func TestOtherWordsSameEffects(t *testing.T) {
	scenes := []string{"choose", "dates-move", "update-own"}
	if os.Getenv("KIST_FROZEN") == "all" {
		scenes = append(scenes, "coffee-shop", "create-named", "offers", "create-complex", "draft-resumed", "restructure")
	}
	for _, name := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile("../testdata/dialogues/" + name + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			var start txtar.Archive
			input, want := "", ""
			for _, f := range archive.Files {
				switch f.Name {
				case "input":
					input = string(f.Data)
				case "files":
					want = string(f.Data)
				case "transcript":
				default:
					start.Files = append(start.Files, f)
				}
			}
			s := newStage(t, string(txtar.Format(&start)), reworded{offline.New()}, agent.Options{Seed: "scene"})
			talk := s.play(t, input)
			if diff := cmp.Diff(want, s.files(t)); diff != "" {
				t.Errorf("files (-want +got):\n%s\n%s", diff, talk)
			}
		})
	}
}
