//go:build unix

package markdown

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A load is a document of n parts and edits of it.
type load struct {
	name  string
	n     int // the larger of two sizes that are compared
	src   func(n int) string
	edits map[string]func(d *Document, n int) error
}

func loads() []load {
	// Most of an edit's error cases parse as much as a success; loads must succeed.
	fail := func(_ Edit, err error) error { return err }
	named := map[string]func(*Document, int) error{
		"InsertSection": func(d *Document, n int) error { return fail(d.InsertSection(fmt.Sprintf("h#%d", n/2), 0, "x", nil)) },
		"InsertSectionBefore": func(d *Document, n int) error {
			return fail(d.InsertSectionBefore(fmt.Sprintf("h#%d", n/2), 0, "x", nil))
		},
		"EditSection": func(d *Document, n int) error {
			return fail(d.EditSection(fmt.Sprintf("h#%d", n/2), Replace, []byte("x")))
		},
		"AppendItem": func(d *Document, n int) error { return fail(d.AppendItem(fmt.Sprintf("h#%d", n/2), "x")) },
	}
	items := map[string]func(*Document, int) error{
		"EditItem":   func(d *Document, n int) error { return fail(d.EditItem(n/2, "x")) },
		"CheckItem":  func(d *Document, n int) error { return fail(d.CheckItem(n/2, true)) },
		"CutItem":    func(d *Document, n int) error { return fail(d.CutItem(n / 2)) },
		"AppendItem": func(d *Document, _ int) error { return fail(d.AppendItem("", "x")) },
	}
	properties := map[string]func(*Document, int) error{
		"AddToProperty":      func(d *Document, _ int) error { return fail(d.AddToProperty("t", "y")) },
		"RemoveFromProperty": func(d *Document, _ int) error { return fail(d.RemoveFromProperty("t", "x")) },
		"SetProperties": func(d *Document, _ int) error {
			return fail(d.SetProperties([]Setting{{Key: "t", Unset: true}, {Key: "u", Value: "1"}}))
		},
	}
	repeat := func(before, part, after string) func(int) string {
		return func(n int) string { return before + strings.Repeat(part, n) + after }
	}
	return []load{
		{"headings", 100_000, repeat("", "## h\n\ntext\n\n", ""), named},
		{"items", 100_000, repeat("", "- [ ] a\n", ""), items},
		{"loose items", 100_000, repeat("", "1. [ ] a\n\n   b\n\n", ""), map[string]func(*Document, int) error{"AppendItem": items["AppendItem"]}},
		{"10 MB of text", 200_000, repeat("---\na: 1\n---\n# h\n", strings.Repeat("word ", 10)+"\n\n", "# h\n"), map[string]func(*Document, int) error{
			"SetProperties": properties["SetProperties"], "AddToProperty": properties["AddToProperty"],
			"InsertSection": func(d *Document, _ int) error { return fail(d.InsertSection("h#1", 0, "x", nil)) },
			"AppendItem":    func(d *Document, _ int) error { return fail(d.AppendItem("h#1", "x")) },
		}},
		{"lines of a list", 10_000, repeat("---\nt:\n", "  - x\n", "  - z\nu: 1\n---\n"), properties},
		{"list in brackets", 20_000, repeat("---\nt: [", "x, ", "z]\nu: 1\n---\n"), properties},
	}
}

// grows reports whether eight times the size takes more than 28 times as long: a
// cost in proportion is eight times, one that grows with the square 64 times as
// high. It counts the processor's time, since the clock's depends on what else the
// machine does; what disturbs that one too makes it longer, so the shortest counts.
// The collector, which takes what processors nobody else does, waits meanwhile.
func grows(n int, run func(n int)) bool {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	shortest := func(n int, best time.Duration) time.Duration {
		runtime.GC()
		start := used()
		run(n)
		return min(best, used()-start)
	}
	part, whole := time.Hour, time.Hour
	for range 5 {
		part, whole = shortest(n/8, shortest(n/8, part)), shortest(n, whole)
		if whole < 28*part+5*time.Millisecond {
			return false
		}
	}
	return true
}

// used returns the processor's time that this process took so far.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func TestEditsAreLinear(t *testing.T) {
	for _, l := range loads() {
		part, whole := []byte(l.src(l.n/8)), []byte(l.src(l.n))
		for name, edit := range l.edits {
			var fault error
			slow := grows(l.n, func(n int) {
				src := whole
				if n < l.n {
					src = part
				}
				if err := edit(Parse(src), n); err != nil {
					fault = err
				}
			})
			if fault != nil {
				t.Errorf("%s, %s: %v", l.name, name, fault)
			}
			if slow {
				t.Errorf("%s, %s: the cost grows faster than the size", l.name, name)
			}
		}
	}
}

// TestLinksAreLinear goes over the links of front matter that is one line.
func TestLinksAreLinear(t *testing.T) {
	if grows(16_000, func(n int) {
		for range EachLink(Parse([]byte("---\na: [" + strings.Repeat("[[a]],", n) + "]\n---\n"))) {
			_ = n
		}
	}) {
		t.Error("the cost grows faster than the size")
	}
}

// TestGrows shows that a cost that grows with the square is found.
func TestGrows(t *testing.T) {
	sink := 0
	quadratic := func(n int) {
		for i := range n {
			for j := range n {
				sink += i ^ j
			}
		}
	}
	if !grows(12_000, quadratic) {
		t.Error("a quadratic cost is not found")
	}
	if grows(20_000_000, func(n int) {
		for i := range n {
			sink += i
		}
	}) {
		t.Error("a linear cost is taken for more")
	}
}
