package interpret

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// TestReadsAnything: whatever is typed, reading it ends and doesn't panic, and
// every meaning has its clause, which the talking side relies on.
func TestReadsAnything(t *testing.T) {
	words := rapid.SampledFrom(strings.Fields("let us switch to the boat and houseboat coffee shop delete task rename project to into merge with forget that I you said what is missing when will we be done draft , . : ; ? ! \" ' - ( ) \n don't 5 Friday by next \u200b \x00 \x07 \xff ß 日本語 🙂 e\u0301 “ ” ’ ... …"))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words, 0, 40).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "\n"}).Draw(t, "gap"))
		if rapid.Bool().Draw(t, "any") {
			text = rapid.String().Draw(t, "text")
		}
		r := Reader{sit: offlinetest.Situation(rapid.SampledFrom([]string{"", "coffee-shop"}).Draw(t, "active"))}
		for _, m := range r.Read(text) {
			if m.Clause == nil {
				t.Fatalf("%q: a %s without its clause", text, m.Intent)
			}
			if m.About == "elsewhere" && len(m.Project.Found) != 1 {
				t.Fatalf("%q: elsewhere in %d projects", text, len(m.Project.Found))
			}
		}
	})
}

// TestReadsTalk reads halves of sentences that people said, put together at random: what is
// asked, told and ordered meets in one message, and no message may break the reader.
// KIST_TALKS sets how many are read.
func TestReadsTalk(t *testing.T) {
	var said []string
	for _, set := range readSets(t) {
		for _, l := range set.utterances {
			said = append(said, l.utterance)
		}
	}
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("KIST_TALKS"), "250"))
	random := rand.New(rand.NewPCG(1, 7))
	piece := func() string {
		words := strings.Fields(said[random.IntN(len(said))])
		from := random.IntN(len(words)) * random.IntN(2)
		return strings.Join(words[from:], " ")
	}
	r := Reader{sit: offlinetest.Situation("coffee-shop")}
	for range n {
		text := piece()
		for range random.IntN(3) {
			text += []string{" ", ", ", " and ", ", and ", ". ", "? ", "; then ", " und "}[random.IntN(8)] + piece()
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%q: %v", text, p)
				}
			}()
			r.Read(text)
		}()
	}
}

// longMessages are 100 KB each, of the kinds that cost most: one sentence without
// an end, many short ones, one clause after another, names all over, nothing but
// marks.
func longMessages() map[string]string {
	out := map[string]string{}
	for name, piece := range map[string]string{
		"words": "house boat and then we go on to ", "sentences": "Let's talk about the boat. ", "commas": "delete the task, and then, ", "names": "coffee shop fitness app recipe app houseboat renovation ",
		"marks": "\" ' , - : ( ) ", "to": "rename it to to to ", "letters": "a", "quotes": "\"x\" ", "not": "not, ", "lines": "- buy milk\n", "drafts": "what drafts do I have? ",
	} {
		out[name] = strings.Repeat(piece, 100_000/len(piece))
	}
	return out
}

// TestLongMessage holds that the work on a long message is bounded. How long it
// takes is BenchmarkRead's to tell; a reader with quadratic cost takes minutes here.
func TestLongMessage(t *testing.T) {
	r := Reader{sit: offlinetest.Situation("coffee-shop")}
	for name, text := range longMessages() {
		if n := len(r.Read(text)); n > maxClauses {
			t.Errorf("%s: %d clauses are read for commands; the bound is %d", name, n, maxClauses)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	r := Reader{sit: offlinetest.Situation("coffee-shop")}
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			r.Read("ok enough about plants, could we please go back to the houseboat for a minute")
		}
	})
	many := Reader{sit: offlinetest.Situation("coffee-shop")}
	for i := range 1000 {
		many.sit.Projects = append(many.sit.Projects, model.Project{Slug: fmt.Sprintf("p%d", i), Name: fmt.Sprintf("Garden %c%c Study %d", 'a'+i%26, 'b'+i/26%20, i), Status: "active"})
	}
	b.Run("short, among 1000 projects", func(b *testing.B) {
		for b.Loop() {
			many.Read("ok enough about plants, could we please go back to the houseboat for a minute")
		}
	})
	for name, text := range longMessages() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Read(text)
			}
		})
	}
}
