package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	healthv1 "kist/proto/grpc/health/v1"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/vault"
)

const (
	callsATry = 5 // calls are short, so more of them fit
	// startLimit ends the wait for a daemon and for its first answer.
	startLimit = 2 * time.Minute
	// stopLimit is what a daemon gets to end before it is killed.
	stopLimit = 5 * time.Second
)

// A server is a daemon that was started for the measurement, and a client of it.
type server struct {
	cmd    *exec.Cmd
	log    bytes.Buffer
	client *dial.Client
	began  time.Time
}

// start runs "up" on the vault and returns once it answers.
func (m *measurement) start(ctx context.Context) (*server, error) {
	s := &server{began: time.Now()}
	s.cmd = exec.CommandContext(ctx, m.Program, "up", m.vault)
	s.cmd.Env, s.cmd.Stderr = childEnv(), &s.log
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(os.Interrupt) }
	s.cmd.WaitDelay = stopLimit
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a daemon: %w", err)
	}
	for {
		var err error
		if s.client, err = dial.Connect(ctx, m.vault, dial.Options{Client: "bench"}); err == nil {
			return s, nil
		}
		if time.Since(s.began) > startLimit || ctx.Err() != nil {
			return nil, errors.Join(fmt.Errorf("start a daemon: %w", err), s.kill())
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func (s *server) kill() error {
	err := s.cmd.Process.Kill()
	if waitErr := s.cmd.Wait(); waitErr == nil {
		return err // it had ended by itself
	}
	return fmt.Errorf("the daemon said: %s", bytes.TrimSpace(s.log.Bytes()))
}

// stop ends the daemon; one that doesn't end is killed.
func (s *server) stop(ctx context.Context) error {
	_, err := s.client.Daemon.Stop(ctx, &v1.StopRequest{})
	s.client.Close()
	late := time.AfterFunc(stopLimit, func() { _ = s.cmd.Process.Kill() }) // it has ended, or it does now
	defer late.Stop()
	return errors.Join(err, s.cmd.Wait())
}

// wait returns once the index has caught up.
func (s *server) wait(ctx context.Context) error {
	_, err := s.client.Index.WaitIndex(ctx, &v1.WaitIndexRequest{})
	return err
}

const (
	// learnLimit is how long the daemon is given to learn vectors, which it does after
	// all files are indexed; learnStart how long it takes at most to begin.
	learnLimit = 2 * time.Minute
	learnStart = 2 * time.Second
)

// learned waits until vectors are learned, so that what is measured of the daemon at
// rest isn't that work. It ends without them where there are too few documents.
func (s *server) learned(ctx context.Context) error {
	began := time.Now()
	for time.Since(began) < learnLimit {
		r, err := s.client.Index.GetIndexStatus(ctx, &v1.GetIndexStatusRequest{})
		if err != nil {
			return err
		}
		v := r.GetVectors()
		if !v.GetTraining() && (v.GetState() == "ready" && v.GetPending() == 0 || time.Since(began) > learnStart && v.GetState() == "none") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// served is what is measured of the daemon itself.
type served struct {
	first      time.Duration // from starting the process to a complete answer, without an index
	firstReady time.Duration // until the index was complete as well
	coldRest   uint64        // anonymous bytes, some seconds after that
	rest       uint64        // the same after a warm start, searches and quiet
	idle       time.Duration // processor time an hour
	call       pair
	search     Timing
	queries    int

	noMemory, noIdle error
}

// daemon measures what only the whole daemon shows. It is the last of all: the vault
// gets documents of its own.
func (m *measurement) daemon(ctx context.Context) (d served, err error) {
	marker, err := m.mark()
	if err != nil {
		return d, err
	}
	if err := os.RemoveAll(filepath.Join(m.vault, vault.StateDir)); err != nil {
		return d, err
	}
	s, err := m.start(ctx)
	if err != nil {
		return d, err
	}
	limit := startLimit + time.Duration(m.report.Corpus.Files)*10*time.Millisecond // an index is built in a tenth of it
	if err = s.firstAnswer(ctx, marker, limit, &d); err == nil {
		err = s.learned(ctx)
	}
	if err == nil && m.wants("memory") {
		err = m.pause(ctx, m.settle())
		d.coldRest, _, d.noMemory = memory(s.cmd.Process.Pid)
	}
	if err = errors.Join(err, s.stop(ctx)); err != nil {
		return d, err
	}
	m.step("daemon: calls, memory, idle")
	if s, err = m.start(ctx); err != nil {
		return d, err
	}
	if err = s.wait(ctx); err == nil {
		err = s.learned(ctx)
	}
	if err == nil && m.wants("rpc") {
		err = m.calls(ctx, s, &d)
	}
	if err == nil && (m.wants("memory") || m.wants("idle")) {
		err = m.quiet(ctx, s, &d)
	}
	return d, errors.Join(err, s.stop(ctx))
}

// markers is how many documents with a word of their own are spread over the vault.
const markers = 5

// mark adds them and returns the word. They are as old as documents spread over all
// ages, the oldest one included: an index takes the newest documents first, and new
// ones would be found long before the rest.
func (m *measurement) mark() (word string, err error) {
	const marker = "kistbenchmarker"
	type aged struct {
		path string
		time time.Time
	}
	var all []aged
	err = walkMarkdown(m.vault, func(p string, d fs.DirEntry) error {
		info, err := d.Info()
		if err == nil {
			all = append(all, aged{p, info.ModTime()})
		}
		return err
	})
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(all, func(a, b aged) int { return a.time.Compare(b.time) })
	for i := range markers {
		like := all[i*(len(all)-1)/(markers-1)]
		name := filepath.Join(filepath.Dir(like.path), fmt.Sprintf("%s-%d.md", marker, i))
		err := os.WriteFile(name, []byte("# A document of the benchmark\n\nIt says "+marker+".\n"), 0o644)
		if err == nil {
			err = os.Chtimes(name, like.time, like.time)
		}
		if err != nil {
			return "", err
		}
	}
	return marker, nil
}

// names returns the paths of all documents; the daemon may have the vault open.
func (m *measurement) names() (paths []string, err error) {
	err = walkMarkdown(m.vault, func(p string, _ fs.DirEntry) error { paths = append(paths, p); return nil })
	return paths, err
}

// firstAnswer waits until a search has found all that there is.
func (s *server) firstAnswer(ctx context.Context, marker string, limit time.Duration, d *served) error {
	for {
		r, err := s.client.Search.Search(ctx, &v1.SearchRequest{Query: marker})
		if err != nil {
			return err
		}
		if r.Total == markers {
			break
		}
		if time.Since(s.began) > limit {
			return fmt.Errorf("%d of %d documents found after %v", r.Total, markers, limit)
		}
		time.Sleep(2 * time.Millisecond)
	}
	d.first = time.Since(s.began)
	err := s.wait(ctx)
	d.firstReady = time.Since(s.began)
	return err
}

// calls measures the smallest call, beside a bare one, and searches.
func (m *measurement) calls(ctx context.Context, s *server, d *served) error {
	bare, stop, err := m.bare(ctx)
	if err != nil {
		return err
	}
	defer stop()
	var kist, floor clock
	calls := callsATry * m.Tries
	// 64 bytes are a guess at a small request; a service's name is about as long.
	req := &healthv1.HealthCheckRequest{Service: "kist.v1.SearchService"}
	for i := range calls + calls/10 {
		if i == calls/10 {
			kist, floor = nil, nil // those before warmed up
		}
		err := kist.time(func() error { _, err := s.client.Health.Check(ctx, req); return err })
		if err == nil {
			err = floor.time(func() error { _, err := bare.Health.Check(ctx, req); return err })
		}
		if err != nil {
			return fmt.Errorf("call the daemon: %w", err)
		}
	}
	d.call = pair{timing(kist), timing(floor)}
	return m.searches(ctx, s, d)
}

// searches asks the daemon mixed questions.
func (m *measurement) searches(ctx context.Context, s *server, d *served) error {
	paths, err := m.names()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(m.Seed, 2))
	var took clock
	for len(took) < m.Tries {
		text, err := os.ReadFile(paths[r.IntN(len(paths))])
		if err != nil {
			return err
		}
		words := plainWord.FindAllString(strings.ToLower(string(text)), -1)
		if len(words) < 8 {
			d.queries++
			if d.queries > 20*m.Tries {
				return errors.New("the documents have too few words to ask for")
			}
			continue
		}
		n := 1 + r.IntN(8)
		at := r.IntN(len(words) - n + 1)
		q := strings.Join(words[at:at+n], " ")
		if err := took.time(func() error {
			_, err := s.client.Search.Search(ctx, &v1.SearchRequest{Query: q})
			return err
		}); err != nil {
			return fmt.Errorf("search %q: %w", q, err)
		}
	}
	d.search = timing(took)
	return nil
}

// bare starts the floor of calls and returns a client of it.
func (m *measurement) bare(ctx context.Context) (*dial.Client, func(), error) {
	cmd := exec.CommandContext(ctx, m.Self, ChildCommand()...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start bare calls: %w", err)
	}
	stop := func() {
		_ = in.Close()
		_ = cmd.Process.Kill() // nothing of it is worth an end in order
		_ = cmd.Wait()
	}
	_, err = fmt.Fprintf(in, `{"Kind":%q,"Floor":%q}`+"\n", taskBare, m.floor)
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("start bare calls: %w", err)
	}
	c := dial.HTTPClient(filepath.Join(m.floor, bareSocket), "none", "bench")
	return dial.NewClient(c, "http://localhost"), stop, nil
}

// quiet measures what the daemon takes when nothing happens.
func (m *measurement) quiet(ctx context.Context, s *server, d *served) error {
	s.client.Close() // a connection is something
	if err := m.pause(ctx, m.settle()); err != nil {
		return err
	}
	pid := s.cmd.Process.Pid
	before, err := cpuTime(pid)
	if err != nil {
		d.noIdle = err
	} else {
		began := time.Now()
		if err := m.pause(ctx, m.Idle); err != nil {
			return err
		}
		after, err := cpuTime(pid)
		d.noIdle = err
		d.idle = time.Duration(float64(after-before) * float64(time.Hour) / float64(time.Since(began)))
	}
	d.rest, _, d.noMemory = memory(pid)
	return nil
}

// settle is how long the daemon is left alone before it is looked at.
func (m *measurement) settle() time.Duration { return min(5*time.Second, m.Idle) }

func (m *measurement) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
