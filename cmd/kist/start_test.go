package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStartIsLight holds what kist's own packages allocate before main begins, which each
// command pays for: it goes into patterns that are compiled, and those that are large are
// compiled when they are used (vault/pattern). Bytes are counted because they are the same
// on any machine.
func TestStartIsLight(t *testing.T) {
	const most, generated = 1_300_000, "kist/proto/" // it was 3.4 MB
	cmd := exec.Command("kist", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	type cost struct {
		pkg   string
		bytes int
	}
	var costs []cost
	sum, all := 0, 0
	for lines := bufio.NewScanner(&said); lines.Scan(); { // init NAME @0 ms, 0 ms clock, N bytes, N allocs
		words := strings.Fields(lines.Text())
		if len(words) != 11 || words[0] != "init" {
			continue
		}
		all++
		n, err := strconv.Atoi(words[7])
		if err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		if strings.HasPrefix(words[1], "kist/") && !strings.HasPrefix(words[1], generated) {
			costs, sum = append(costs, cost{words[1], n}), sum+n
		}
	}
	if all < 50 {
		t.Fatalf("only %d packages were begun: %s", all, said.String())
	}
	if sum > most {
		slices.SortFunc(costs, func(a, b cost) int { return b.bytes - a.bytes })
		t.Errorf("%d bytes are allocated before main, more than %d, most of them by %v", sum, most, costs[:min(8, len(costs))])
	}
}
