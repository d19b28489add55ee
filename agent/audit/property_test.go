package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

// of makes the material of a project's text and a task's, without a vault.
func of(text, taskText string) *material {
	m := &material{slug: "p", name: text, status: "active", today: dayOf(vaulttest.Now), active: dayOf(vaulttest.Now)}
	m.project = newFile("projects/p/project.md", markdown.Parse([]byte(text)))
	f := newFile("projects/p/tasks/t.md", markdown.Parse([]byte(taskText)))
	m.files = []*file{m.project, f}
	due, _ := f.key("due")
	start, _ := f.key("start")
	status, _ := f.key("status")
	duration, _ := f.key("duration")
	title, _ := f.key("title")
	m.tasks = append(m.tasks, newTask(entity.Task{Path: f.path, Title: title, Status: status, Due: due, Start: start, Duration: duration}, f))
	for _, file := range m.files {
		for _, item := range file.doc.Items() {
			m.tasks = append(m.tasks, newTask(entity.Task{Path: file.path, Line: item.Line, Title: item.Text, Status: "todo"}, file))
		}
	}
	return m
}

// sound checks what holds of every report.
func sound(t interface{ Fatalf(string, ...any) }, r Report, lines map[string]int) {
	if len(r.Findings) > maxFindings || len(r.Strengths) > maxStrength || r.Completeness < 0 || r.Completeness > 1 {
		t.Fatalf("%d findings, %d strengths, completeness %g", len(r.Findings), len(r.Strengths), r.Completeness)
	}
	for i, f := range r.Findings {
		if f.Severity < 1 || f.Severity > 10 || f.Severity > r.Severity || i > 0 && f.Severity > r.Findings[i-1].Severity {
			t.Fatalf("severity %d at %d, the report's is %d", f.Severity, i, r.Severity)
		}
		if len(f.Evidence) == 0 || len(f.Evidence) > maxEvidence {
			t.Fatalf("%q has %d pieces of evidence", f.Title, len(f.Evidence))
		}
		for _, e := range f.Evidence {
			if n, ok := lines[e.Path]; !ok || e.Line < 1 || e.Line > max(n, 1) {
				t.Fatalf("%q: evidence at %s:%d, which has %d lines", f.Title, e.Path, e.Line, n)
			}
			if utf8.RuneCountInString(e.Text) > maxText+1 {
				t.Fatalf("a text of %d characters", len(e.Text))
			}
		}
	}
	for _, c := range Format(r) {
		if c != '\n' && unicode.IsControl(c) || c == '<' || c == utf8.RuneError {
			t.Fatalf("%q in the Markdown", c)
		}
	}
}

func lineCount(text string) int {
	return strings.Count(text, "\n") + min(1, len(text)-strings.LastIndexByte(text, '\n')-1)
}

func check(t interface{ Fatalf(string, ...any) }, project, task string) {
	m := of(project, task)
	r := m.report()
	if diff := cmp.Diff(r, m.report()); diff != "" {
		t.Fatalf("a second report differs:\n%s", diff)
	}
	sound(t, r, map[string]int{m.project.path: lineCount(project), m.files[1].path: lineCount(task)})
}

// snippets are what the checks look for, to be mixed in any order.
func snippets() []string {
	return []string{
		"# Boat\n", "## Goals & Momentum\n", "## Risks\n", "## Decisions\n", "## Next steps\n", "## Summary\n", "\n", "text and more text of no meaning at all\n",
		"- Deadline: 1 May 2027\n", "- Deadline: 2 June 2027\n", "Launch: Q3 2027\n", "We are done by March 2028.\n", "Budget: 400 euros\n", "Budget: €5k\n", "no budget.\n",
		"- [ ] buy rope\n", "- [x] buy rope\n", "- buy rope\n", "Ann Berg owns the sails.\n", "Bo is responsible for the sails\n", "Risk: it sinks\n", "- it sinks\n  - plan b\n", "8 hours a week\n",
		"The fair starts on 3 October 2026\n", "```\n", "<!--", "-->\n", "[a](b.md) [[c]]\n", "---\n", "due: 2027-01-01\n", "deadline: 2026-01-01\n", "\x00\xff\x1b[31m\n", "> - [ ] q\n", "Deadline: 99 May 99999\n",
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(snippets()), 0, 40).Draw(t, label), "")
		}
		check(t, text("project"), text("task"))
	})
}

// Repairing is never punished: a filled dimension has no lower score than an empty
// one, and completeness doesn't fall.
func TestMoreTextIsNoLessComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(sides()).Draw(t, "dimension")
		text := "# P\n\n## " + d.Heading + "\n\n"
		last, whole := -1, 0.0
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			text += rapid.SampledFrom([]string{"- a few plain words here\n", "- 42 planks of oak\n", "TBD\n"}).Draw(t, "line")
			m := of(text, "")
			scores, overall := m.measure()
			score := scores[d.Key]
			if overall < whole {
				t.Fatalf("completeness %g after %g for\n%s", overall, whole, text)
			}
			whole = overall
			if score < last || score > 10 {
				t.Fatalf("score %d after %d for\n%s", score, last, text)
			}
			last = score
		}
	})
}

func TestParseSpan(t *testing.T) {
	date := func(y int, m time.Month, d int) day { return dayOf(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) }
	one := func(y int, m time.Month, d int) span { return span{date(y, m, d), date(y, m, d)} }
	tests := map[string]span{
		"2027-03-01": one(2027, 3, 1), "1 March 2027": one(2027, 3, 1), "1st of March 2027": one(2027, 3, 1), "March 1, 2027": one(2027, 3, 1), "Sept. 3rd 2027": one(2027, 9, 3),
		"31 Dec 2027": one(2027, 12, 31), "May 2027": {date(2027, 5, 1), date(2027, 5, 31)}, "end of May 2027": {date(2027, 5, 1), date(2027, 5, 31)},
		"Q1 2027": {date(2027, 1, 1), date(2027, 3, 31)}, "Q4 2027": {date(2027, 10, 1), date(2027, 12, 31)},
		"31 April 2027": {}, "2027-02-30": {}, "99 May 2027": {}, "May 9999": {}, "": {}, "soon": {},
	}
	for text, want := range tests {
		if got, ok := parseSpan(text); got != want || ok != (want != span{}) {
			t.Errorf("%q: %s, %v; want %s", text, got, ok, want)
		}
	}
}

func TestFirstAmount(t *testing.T) {
	tests := map[string]amount{
		"€5,000": {5000, "€"}, "5.000 EUR": {5000, "€"}, "5000 euros": {5000, "€"}, "$5k": {5000, "$"}, "5k dollars": {5000, "$"}, "1,5k €": {1500, "€"}, "£12.50": {12.5, "£"},
		"2 500 euros": {2500, "€"}, "CHF 1'200": {1200, "chf"}, "1.5 million dollars": {1.5e6, "$"}, "300": {300, ""}, "about 300": {}, "": {}, "none": {},
	}
	for text, want := range tests {
		if got := firstAmount(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A file beyond all measure is read in part, and that is said.
func TestLongFile(t *testing.T) {
	m := of("# P\n"+strings.Repeat("a\n", maxLines+5), "")
	r := m.report()
	at := Evidence{m.project.path, maxLines + 2, ""}
	if f := r.Findings[len(r.Findings)-1]; f.Severity != 1 || f.Evidence[0] != at || len(m.project.lines) != maxLines {
		t.Errorf("%d lines, last finding %+v", len(m.project.lines), f)
	}
}

// FuzzReport audits whatever a project and a task hold.
func FuzzReport(f *testing.F) {
	f.Add(strings.Join(snippets(), ""), "---\ntitle: buy rope\ndue: 2026-01-01\nstart: 2026-02-31\nduration: 3h\n---\n- [ ] x\n")
	f.Add("---\nowner: [a\n---\n", "---\nowner: Bo\n---")
	f.Add("Setext\n===\n\nGoals\n---\n\n~~~\n- Deadline: 1 May 2027\n", "")
	f.Fuzz(func(t *testing.T, project, task string) { check(t, project, task) })
}

// The time for a file of hostile lines grows with its size.
func BenchmarkReport(b *testing.B) {
	for name, line := range map[string]string{
		"deadlines": "- Deadline: 1 May 2027\n", "owners": "Ann Berg owns the sails, Bo owns the mast\n", "risks": "Risk: it sinks\n", "links": "[a](b%d.md) [[c%d]]\n",
		"boxes": "- [ ] buy the rope %d\n", "comments": "<!-- a --> <!--\n", "headings": "## Goals\n", "mixed": strings.Join(snippets()[:23], ""),
	} {
		for _, n := range []int{1000, 4000} {
			var text strings.Builder
			for i := range n {
				text.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					of(text.String(), "").report()
				}
			})
		}
	}
}
