//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"kist/cmd/kist/lsp/lsptest"
)

// What kist lsp holds of a note of 3 MB, once it was checked, is little more than the note: it
// is to stay below 40 MB, of which 20 are the program.
func TestMemoryOfTheLanguageServer(t *testing.T) {
	line := "Some words of a paragraph that says little about anything at all.\n"
	text, err := json.Marshal(strings.Repeat(line, 3_000_000/len(line)))
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, lsptest.Dialogue{})
	e := s.editor()
	s.must(e.Play("> initialize {\"rootUri\":\"$ROOT\",\"capabilities\":{}}\n! initialized {}\n" +
		fmt.Sprintf("! textDocument/didOpen {\"textDocument\":{\"uri\":\"$ROOT/big.md\",\"version\":1,\"text\":%s}}\n", text)))
	for i := range 5 {
		s.must(e.Play(fmt.Sprintf("! textDocument/didChange {\"textDocument\":{\"uri\":\"$ROOT/big.md\",\"version\":%d},"+
			"\"contentChanges\":[{\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,\"character\":0}},\"text\":\"x\"}]}\n"+
			"> textDocument/hover {\"textDocument\":{\"uri\":\"$ROOT/big.md\"},\"position\":{\"line\":0,\"character\":3}}\n", i+2)))
	}
	const most = 18 << 10 // KiB
	var held map[string]int
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", e.cmd.Process.Pid))
		s.must(err)
		held = map[string]int{}
		for row := range strings.Lines(string(data)) {
			name, n, _ := strings.Cut(row, ":")
			var kib int
			fmt.Sscan(n, &kib)
			held[name] = kib
		}
		if held["Anonymous"] <= most || time.Now().After(deadline) {
			break
		}
	}
	t.Logf("anonymous %d KiB, PSS %d, RSS %d", held["Anonymous"], held["Pss"], held["Rss"])
	if held["Anonymous"] > most {
		t.Errorf("%d KiB of its own, and there may be %d", held["Anonymous"], most)
	}
	s.must(e.Play("! exit {}"))
	s.must(e.wait())
}
