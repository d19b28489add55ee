package semantic

import (
	"fmt"
	"strings"
	"testing"
)

// document returns about n bytes of sections with text, tasks and a table, changed by a function
// of the number of the line.
func document(n int, change func(i int, line string) string) []byte {
	var b strings.Builder
	b.WriteString("---\ntype: project\nstatus: active\ntags: [a, b]\n---\n# Project\n")
	for i := 0; b.Len() < n; i++ {
		var line string
		switch i % 12 {
		case 0:
			line = fmt.Sprintf("\n## Section %d\n\n", i)
		case 1, 2:
			line = fmt.Sprintf("Paragraph %d has some words about the hull, the mast and number %d.\n\n", i, i*7)
		case 3:
			line = "| what | cost |\n|------|------|\n"
		case 4, 5:
			line = fmt.Sprintf("| thing %d | %d |\n", i, i*3)
		case 6:
			line = "\n"
		default:
			line = fmt.Sprintf("- [ ] task %d about the boat and its %d planks\n", i, i*5)
		}
		b.WriteString(change(i, line))
	}
	return []byte(b.String())
}

func same(_ int, line string) string { return line }

func BenchmarkMerge100KBLines(b *testing.B) {
	base := document(100_000, same)
	ours := document(100_000, func(i int, line string) string {
		return map[bool]string{true: strings.Replace(line, "[ ]", "[x]", 1), false: line}[i == 43]
	})
	theirs := document(100_000, func(i int, line string) string {
		return map[bool]string{true: strings.Replace(line, "hull", "keel", 1), false: line}[i == 302]
	})
	benchmark(b, base, ours, theirs)
}

func BenchmarkMerge100KBMeaning(b *testing.B) {
	base := document(100_000, same)
	ours := document(100_000, func(i int, line string) string {
		return map[bool]string{true: strings.Replace(line, "[ ]", "[x]", 1), false: line}[i%5 == 0]
	})
	theirs := document(100_000, func(i int, line string) string {
		return map[bool]string{true: strings.Replace(line, "boat", "ship", 1), false: line}[i%3 == 0]
	})
	benchmark(b, base, ours, theirs)
}

// BenchmarkMerge100KBUnrelated has two documents that were written anew.
func BenchmarkMerge100KBUnrelated(b *testing.B) {
	mark := func(word string) func(int, string) string {
		return func(i int, line string) string {
			return strings.NewReplacer("a", word, "e", fmt.Sprint(i)).Replace(line)
		}
	}
	benchmark(b, document(100_000, same), document(100_000, mark("x")), document(100_000, mark("y")))
}

// BenchmarkMerge1MBUnrelated is the same at the limit up to which documents are merged by meaning.
func BenchmarkMerge1MBUnrelated(b *testing.B) {
	mark := func(word string) func(int, string) string {
		return func(i int, line string) string {
			return strings.NewReplacer("a", word, "e", fmt.Sprint(i)).Replace(line)
		}
	}
	const most = 800_000 // the changed ones are longer
	benchmark(b, document(most, same), document(most, mark("x")), document(most, mark("y")))
}

func benchmark(b *testing.B, base, ours, theirs []byte) {
	b.SetBytes(int64(len(base)))
	b.ReportAllocs()
	for b.Loop() {
		Merge(base, ours, theirs, Options{Path: "a.md"})
	}
}
