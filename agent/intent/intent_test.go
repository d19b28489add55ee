package intent_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"kist/agent/intent"
	"kist/agent/language"
)

func load(t testing.TB) *intent.Reader {
	t.Helper()
	r, err := intent.Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var projects = []string{"Houseboat Renovation", "Coffee Shop", "Fitness App"}

func ExampleReader_Read() {
	r, err := intent.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	readings := r.Read(intent.Input{Text: "let's talk about the coffee shop", Projects: projects, Project: projects[0]})
	fmt.Println(readings[0].Intent, readings[0].P > 0.9)
	// Output: switch true
}

func TestReadingsAreProbabilities(t *testing.T) {
	r := load(t)
	for _, text := range []string{"", " ", "\n", "?", "go", "\xff\xfe", "日本語", strings.Repeat("we switch to the coffee shop ", 5000)} {
		readings, sum := r.Read(intent.Input{Text: text, Projects: append(projects, "", "the", "-")}), 0.0
		for i, v := range readings {
			sum += v.P
			if v.P < 0 || i > 0 && v.P > readings[i-1].P {
				t.Errorf("%.20q: %v after %v", text, v, readings[i-1])
			}
		}
		if math.Abs(sum-1) > 1e-6 || len(readings) < 30 {
			t.Errorf("%.20q: %d readings add up to %v", text, len(readings), sum)
		}
	}
}

func TestWeightsAreSmall(t *testing.T) {
	info, err := os.Stat("weights.bin")
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("weights: %v bytes, %v", info.Size(), err)
	}
}

func BenchmarkRead(b *testing.B) {
	r := load(b)
	many := make([]string, 1000)
	for i := range many {
		many[i] = fmt.Sprintf("Project Number %d of the Workshop", i)
	}
	texts := map[string]string{
		"line":      "could we please go back to the coffee shop and see what's due next week?",
		"paragraph": strings.Repeat("The builder came on Monday and said that the beam is oak, so we wait until May. ", 12),
	}
	for name, text := range texts {
		for _, names := range [][]string{projects, many} {
			b.Run(fmt.Sprintf("%s/%d", name, len(names)), func(b *testing.B) {
				for b.Loop() {
					r.Read(intent.Input{Text: text, Projects: names, Project: names[0]})
				}
			})
		}
	}
}

// BenchmarkParts cuts a message of one sentence, and one of twelve.
func BenchmarkParts(b *testing.B) {
	r := load(b)
	sentence := "The builder came on Monday and said that the beam is oak, so we wait until May. "
	for n := range map[int]bool{1: true, 12: true} {
		text := strings.Repeat(sentence, n)
		toks := language.Tokenize(text)
		starts := []int{0}
		for i, t := range toks[:len(toks)-1] {
			if t.Norm == "." {
				starts = append(starts, i+1)
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r.Parts(intent.Input{Text: text, Projects: projects, Project: projects[0]}, toks, starts)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b)
	}
}
