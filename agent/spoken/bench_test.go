package spoken

import (
	"strings"
	"testing"
)

// What an answer costs, by the piece of four bytes: prose, and calls with long arguments.
func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"prose": strings.Repeat("So the hull (of steel) is dry, and [I] weld it tomorrow; search is slow.\n", 800),
		"call":  `{"name":"create_note","arguments":{"text":"` + strings.Repeat("So the hull (of steel) is dry, and [I] weld it tomorrow.\\n", 1000) + `"}}`,
		"nest":  strings.Repeat(`{"title":`, 5000), "tool": strings.Repeat(`{"tool":`, 5000), "list": strings.Repeat(`[{"name":`, 5000), "marks": strings.Repeat("<", 50000), "fence": strings.Repeat("```\n{", 10000),
		"paren": strings.Repeat(`create_task(`, 5000), "open": strings.Repeat("<tool_call>{", 5000), "bars": strings.Repeat("<|a", 20000), "squares": strings.Repeat("[", 60000), "under": strings.Repeat("create_", 9000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := New(tools, nil)
				for at := 0; at < len(text); at += 4 {
					r.Add(text[at:min(len(text), at+4)])
				}
				r.Flush()
			}
		})
	}
}
