package daemon

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/agent/intent"
)

// What was picked is there at the next start, whatever became of single lines, and the
// file is its owner's alone.
func TestLessonsOutliveTheDaemon(t *testing.T) {
	path, log := filepath.Join(t.TempDir(), "lessons.jsonl"), slog.New(slog.DiscardHandler)
	first := openLessons(path, log)
	for range intent.MostExamples {
		first.Keep(intent.Example{Text: "old", Intent: intent.Ask})
	}
	first.Keep(intent.Example{Text: "the shop needs me", Intent: intent.Switch, Projects: []string{"Shop"}})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not a line\n{}\n"+string(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	again := openLessons(path, log).Examples()
	if len(again) != intent.MostExamples || again[len(again)-1].Intent != intent.Switch || strings.Contains(again[0].Text, "line") {
		t.Errorf("%d examples, the last %+v", len(again), again[len(again)-1])
	}
	if got := openLessons(filepath.Join(t.TempDir(), "none"), log).Examples(); len(got) != 0 {
		t.Errorf("%v from nothing", got)
	}
}
