package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/offline"
)

// BenchmarkTurn measures whole turns of the offline partner, first event and
// last, in a vault of many files. Set KIST_FILES to change how many.
func BenchmarkTurn(b *testing.B) {
	files := 2000
	if s := os.Getenv("KIST_FILES"); s != "" {
		if _, err := fmt.Sscan(s, &files); err != nil {
			b.Fatal(err)
		}
	}
	projects := files / 10 // 1,000 in a vault of 10,000
	var archive strings.Builder
	archive.WriteString(boats)
	for i := range files {
		fmt.Fprintf(&archive, "-- %s --\n# Page %d\n\nThe %d. entry of the log is about weather, tides and rope %d.\n", filepath.Join("log", fmt.Sprint(i%50), fmt.Sprintf("page-%d.md", i)), i, i, i%97)
	}
	for i := range projects {
		fmt.Fprintf(&archive, "-- projects/project-%d/project.md --\n---\ntype: project\nname: Undertaking %d\nstatus: active\n---\n# Undertaking %d\n\nAbout harbour %d.\n-- projects/project-%d/tasks/do.md --\n---\ntype: task\ntitle: Do %d\nstatus: todo\n---\n", i, i, i, i, i, i)
	}
	s := newStage(b, archive.String(), offline.New(), agent.Options{})
	if err := s.index.Wait(b.Context(), 0); err != nil {
		b.Fatal(err)
	}
	s.send(b, agent.Message{Text: "switch to atlas"})
	for name, text := range map[string]string{
		"add": "add a task to draw map %d", "ask": "what do we know about rope %d?", "switch": "let's talk about the houseboat", "list": "list my projects",
	} {
		b.Run(name, func(b *testing.B) {
			var first, whole []time.Duration
			for i := range b.N {
				message := text
				if strings.Contains(text, "%d") {
					message = fmt.Sprintf(text, i)
				}
				start, seen := time.Now(), false
				for e, err := range s.agent.Send(b.Context(), agent.Message{Text: message, Project: "atlas"}) {
					if err != nil {
						b.Fatal(err)
					}
					if f, ok := e.(agent.Failed); ok {
						b.Fatal(f.Err)
					}
					if !seen {
						first, seen = append(first, time.Since(start)), true
					}
				}
				whole = append(whole, time.Since(start))
			}
			slices.Sort(first)
			slices.Sort(whole)
			b.ReportMetric(float64(first[len(first)*95/100].Microseconds())/1000, "ms-first-p95")
			b.ReportMetric(float64(whole[len(whole)*95/100].Microseconds())/1000, "ms-p95")
		})
	}
}
