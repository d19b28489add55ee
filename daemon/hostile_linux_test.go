package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// BenchmarkHostileFolder says what memory the daemon, a process of its own, takes at most
// in a vault with a sparse file of 6 GiB, 325 MiB of Markdown, 1 GiB in one line and 100,000
// headings: while all is indexed and searched, and while 24 calls ask for them at once. It
// writes 1.4 GB.
//
//	go test ./daemon -run '^$' -bench HostileFolder -benchtime 1x -timeout 20m
func BenchmarkHostileFolder(b *testing.B) {
	for range b.N {
		paths := isolate(b)
		if _, err := Init(paths.Vault); err != nil {
			b.Fatal(err)
		}
		idle := starting(b, paths)
		time.Sleep(3 * time.Second)
		b.ReportMetric(peakMemory(b, idle.Info.PID), "MB-idle")
		down(b, paths)
		if err := hostileFiles(paths.Vault); err != nil {
			b.Fatal(err)
		}
		c := starting(b, paths)
		for done := false; !done; {
			time.Sleep(200 * time.Millisecond)
			if _, err := c.Search.Search(b.Context(), &kistv1.SearchRequest{Query: "lorem heading"}); err != nil {
				b.Fatal(err)
			}
			s, err := c.Daemon.GetStatus(b.Context(), &kistv1.GetStatusRequest{})
			if err != nil {
				b.Fatal(err)
			}
			done = s.Compared && s.Freshness.Pending == 0
		}
		b.ReportMetric(peakMemory(b, c.Info.PID), "MB-indexed")
		askAtOnce(b, c)
		b.ReportMetric(peakMemory(b, c.Info.PID), "MB-peak")
		down(b, paths)
	}
}

// peakMemory is what a process had resident at most, in MB.
func peakMemory(t testing.TB, pid int) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	n, ok := field(status, "VmHWM:")
	if !ok {
		t.Fatal("the system doesn't tell")
	}
	return float64(n) / (1 << 20)
}

// hostileFiles writes them into a folder.
func hostileFiles(dir string) error {
	prose, err := os.ReadFile("../README.md")
	if err != nil {
		return err
	}
	heads := new(bytes.Buffer)
	for i := range 100_000 {
		fmt.Fprintf(heads, "## Heading %d\n\ntext\n", i)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "sparse.md"), nil, 0o600), os.Truncate(filepath.Join(dir, "sparse.md"), 6<<30),
		repeat(filepath.Join(dir, "prose.md"), prose, 325<<20),
		repeat(filepath.Join(dir, "line.md"), []byte("lorem ipsum dolor sit amet "), 1<<30),
		os.WriteFile(filepath.Join(dir, "heads.md"), heads.Bytes(), 0o600),
	)
}

// repeat writes a text again and again, to so many bytes.
func repeat(name string, text []byte, size int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	block := bytes.Repeat(text, 1+(1<<20)/len(text))
	for at := 0; at < size && err == nil; at += len(block) {
		_, err = f.Write(block)
	}
	return errors.Join(err, f.Close())
}

// askAtOnce asks for each file, and for words of it, six times at the same time. The
// answers may be refusals.
func askAtOnce(b *testing.B, c *dial.Client) {
	var asking sync.WaitGroup
	for range 6 {
		for _, name := range []string{"sparse.md", "prose.md", "line.md", "heads.md"} {
			asking.Go(func() {
				_, _ = c.Vault.GetDocument(b.Context(), &kistv1.GetDocumentRequest{Path: name})
				_, _ = c.Search.Search(b.Context(), &kistv1.SearchRequest{Query: strings.TrimSuffix(name, ".md")})
			})
		}
	}
	asking.Wait()
}
