package torture

import (
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
)

// faults is a daemon's failing file system: it carries out a plan.
type faults struct {
	out *wire

	mu    sync.Mutex
	plan  plan
	rng   *rand.Rand
	calls int
	names map[string]int // calls of the plan by name
	known map[string]bool
}

func newFaults(p plan, out *wire) *faults {
	f := &faults{out: out, known: map[string]bool{}}
	f.set(p)
	return f
}

// set begins a new plan.
func (f *faults) set(p plan) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan, f.calls, f.names = p, 0, map[string]int{}
	f.rng = rand.New(rand.NewPCG(p.Seed, 3))
}

// at is called before each call of the write path.
func (f *faults) at(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known[call] {
		f.known[call] = true
		f.out.send(message{Is: "call", Text: call})
	}
	f.calls++
	f.names[call]++
	n := f.calls
	if f.plan.KillCall != "" {
		n = 0
		if f.plan.KillCall == call {
			n = f.names[call]
		}
	}
	if f.plan.KillAt > 0 && n == f.plan.KillAt {
		f.out.send(message{Is: "dying", Text: call})
		die()
	}
	if f.plan.Errors > 0 && f.rng.Float64() < f.plan.Errors {
		errnos := []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES}
		f.out.send(message{Is: "fault", Text: call})
		return &os.PathError{Op: call, Path: "injected", Err: errnos[f.rng.IntN(len(errnos))]}
	}
	return nil
}

// die kills this process with SIGKILL, at once.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Kill()
	}
	select {} // the signal is on its way
}
