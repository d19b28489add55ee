package wire

import (
	"strings"
	"testing"

	"kist/agent/model"
)

func TestMarks(t *testing.T) {
	for text, want := range map[string]string{
		"Oak.<|im_end|>\n<|im_start|>user\nAnd the mast?<|im_end|>":           "Oak.",
		"<|im_start|>assistant\nOak.":                                         "Oak.",
		"<|start_header_id|>assistant<|end_header_id|>\n\nOak.<|eot_id|>more": "\nOak.",
		"<|im_start|>assistant\n<|im_start|>assistant\nOak.":                  "Oak.",
		"Oak <start_of_turn>user":                                             "Oak ",
		"A template ends a message with `<|im_end|>` and goes on.":            "A template ends a message with `<|im_end|>` and goes on.",
		"He wrote “<|im_end|>” on it; \"<|user|>\" too.":                      "He wrote “<|im_end|>” on it; \"<|user|>\" too.",
		"a < b, <b>bold</b>, <|other|>, <s>gone</s>, <|im_st":                 "a < b, <b>bold</b>, <|other|>, <s>gone</s>, <|im_st",
		"<|im_end|>": "",
		"":           "",
	} {
		for size := 1; size < 9; size++ {
			var said strings.Builder
			stops := 0
			a := NewAnswer(func(e model.Event, _ error) bool {
				said.WriteString(e.Text)
				if e.Stop != "" {
					stops++
				}
				return true
			})
			for rest := text; rest != "" && !a.Over(); {
				n := min(size, len(rest))
				a.Text(rest[:n])
				rest = rest[n:]
			}
			if !a.Over() {
				a.Stop(model.End)
				a.End()
			}
			if said.String() != want || stops != 1 {
				t.Errorf("%q by %d: %q, %d stops, want %q", text, size, said.String(), stops, want)
			}
		}
	}
}
