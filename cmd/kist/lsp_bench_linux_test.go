package main

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/cmd/kist/lsp/lsptest"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/vault/vaulttest"
)

// BenchmarkLanguageServer is an editor of kist lsp, as it is built, in the vault of [vaulttest.Many]
// with 12,000 notes (or KIST_FILES; kept in KIST_DOORS for the next run). For each thing that it
// asks it says what that took on the clock (p50, p95), and the processor time of the daemon and of
// kist lsp until the answer; of kist lsp, at the end, its memory. All renames are taken back, to the byte.
//
//	KIST_DOORS=/tmp/doors go test ./cmd/kist -run '^$' -bench LanguageServer -benchtime 5x
func BenchmarkLanguageServer(b *testing.B) {
	files, home, dir := 12_000, b.TempDir(), filepath.Join(b.TempDir(), "notes")
	fmt.Sscan(os.Getenv("KIST_FILES"), &files)
	if kept := os.Getenv("KIST_DOORS"); kept != "" {
		dir = filepath.Join(kept, fmt.Sprint(files))
	}
	program := filepath.Join(home, "bin", "kist")
	run := func(name string, args ...string) {
		b.Helper()
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			b.Fatalf("%s %q: %v: %s", name, args, err, out)
		}
	}
	run("go", "build", "-ldflags", "-s -w", "-o", program, ".")
	for name, value := range map[string]string{"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "KIST_OLLAMA_URL": "http://127.0.0.1:1"} {
		b.Setenv(name, value)
	}
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "Folder 0")); err != nil {
		vaulttest.Many(b, dir, files)
		run(program, "init", dir)
	}
	k, err := dial.Connect(b.Context(), dir, dial.Options{Client: "bench", Executable: program, Start: true, Timeout: time.Minute})
	must(err)
	defer run(program, "down", "--vault", dir)
	defer k.Close()
	atRest := func() {
		b.Helper()
		_, err := k.Index.WaitIndex(b.Context(), &v1.WaitIndexRequest{})
		must(err)
		for last := time.Duration(0); ; time.Sleep(200 * time.Millisecond) {
			now := vaulttest.Processor(b, k.Info.PID)
			if now-last < 5*time.Millisecond {
				return
			}
			last = now
		}
	}
	atRest()
	cmd := exec.Command(program, "lsp", "--vault", dir)
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	e := lsptest.New(in, out, (&url.URL{Scheme: "file", Path: dir}).String())
	play := func(format string, args ...any) {
		b.Helper()
		must(e.Play(fmt.Sprintf(format, args...)))
	}
	play("> initialize {\"rootUri\":\"$ROOT\",\"capabilities\":{}}\n! initialized {}\n")
	open := func(p string) {
		text, err := os.ReadFile(filepath.Join(dir, p))
		must(err)
		play("! textDocument/didOpen {\"textDocument\":{\"uri\":\"$ROOT/%s\",\"version\":1,\"text\":%q}}\n? textDocument/publishDiagnostics {\"uri\":\"$ROOT/%[1]s\"}", url.PathEscape(p), text)
	}
	open("Hub.md")
	write := func(p, text string) { must(os.WriteFile(filepath.Join(dir, p), []byte(text), 0o666)) }
	write("Typed.md", "[[Boat 11\n[[Letter 8]]\n")
	defer os.Remove(filepath.Join(dir, "Typed.md"))
	open("Typed.md")
	typed := `"textDocument":{"uri":"$ROOT/Typed.md"},"position":`
	before := vaulttest.Tree(b, dir, "operations", ".kist")
	n := 0
	for _, ask := range []struct {
		name string
		call func()
		then func()
	}{
		{"complete", func() { play("> textDocument/completion {%s{\"line\":0,\"character\":9}}\n< {}", typed) }, nil},
		{"definition", func() { play("> textDocument/definition {%s{\"line\":1,\"character\":5}}\n< [{}]", typed) }, nil},
		{"saved", func() { // its link that is dead now is told
			n++
			text := fmt.Sprintf("[[Gone %d]]\n[[Letter 8]]\n", n)
			write("Typed.md", text)
			play("! textDocument/didChange {\"textDocument\":{\"uri\":\"$ROOT/Typed.md\",\"version\":%d},\"contentChanges\":[{\"text\":%q}]}\n! textDocument/didSave {\"textDocument\":{\"uri\":\"$ROOT/Typed.md\"}}\n"+
				"? textDocument/publishDiagnostics {\"diagnostics\":[{\"message\":\"~Gone %d\"}]}", n+1, text, n)
		}, func() { before["Typed.md"] = fmt.Sprintf("[[Gone %d]]\n[[Letter 8]]\n", n) }},
		{"rename", func() {
			play("> textDocument/rename {\"textDocument\":{\"uri\":\"$ROOT/Hub.md\"},\"position\":{\"line\":2,\"character\":4},\"newName\":\"Portion\"}\n< {}")
		}, func() {
			res, err := k.Operation.ListOperations(b.Context(), &v1.ListOperationsRequest{PageSize: 5})
			must(err)
			i := slices.IndexFunc(res.Operations, func(op *v1.Operation) bool { return op.Client == "lsp" })
			if len(res.Operations[i].Changes) != vaulttest.ManyLinks+1 {
				b.Fatalf("%d changes", len(res.Operations[i].Changes))
			}
			atRest()
			play("> workspace/executeCommand {\"command\":\"kist.undo\",\"arguments\":[%q]}\n< null", res.Operations[i].Id)
			if !maps.Equal(before, vaulttest.Tree(b, dir, "operations", ".kist")) {
				b.Fatal("undone, the vault isn't what it was")
			}
			atRest()
		}},
	} {
		b.Run(ask.name, func(b *testing.B) {
			var took []time.Duration
			var daemon, server time.Duration
			for b.Loop() {
				d, s, began := vaulttest.Processor(b, k.Info.PID), vaulttest.Processor(b, cmd.Process.Pid), time.Now()
				ask.call()
				took = append(took, time.Since(began))
				daemon += vaulttest.Processor(b, k.Info.PID) - d
				server += vaulttest.Processor(b, cmd.Process.Pid) - s
				if ask.then != nil {
					ask.then()
				}
			}
			slices.Sort(took)
			for name, d := range map[string]time.Duration{"p50-ms": took[len(took)/2], "p95-ms": took[len(took)*95/100], "daemon-cpu-ms": daemon / time.Duration(len(took)), "lsp-cpu-ms": server / time.Duration(len(took))} {
				b.ReportMetric(float64(d.Microseconds())/1000, name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", cmd.Process.Pid))
			must(err)
			for _, name := range []string{"Pss", "Rss", "Anonymous"} {
				var kib float64
				_, rest, _ := strings.Cut(string(data), "\n"+name+":")
				fmt.Sscan(rest, &kib)
				b.ReportMetric(kib/1024, "MiB-"+name)
			}
		}
	})
	play("> shutdown {}\n< null\n! exit {}")
	must(cmd.Wait())
}
