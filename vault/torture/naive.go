package torture

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// naive is a daemon as many programs are: it compares a file with what it read,
// renames its own text over it, and keeps no log. The kit must find what it loses.
type naive struct {
	conf daemonConfig
	out  *wire
}

func (n *naive) run(in <-chan command) {
	n.out.send(message{Is: "ready"})
	var working sync.WaitGroup
	all, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := cancel
	for cmd := range in {
		switch cmd.Do {
		case "go":
			ctx, stopWork := context.WithCancel(all)
			stop = stopWork
			working.Go(func() { n.work(ctx, rand.New(rand.NewPCG(cmd.Seed, 1))) })
		case "rest":
			stop()
			working.Wait()
			n.out.send(message{Is: "resting"})
		case "walk":
			n.out.send(message{Is: "walked"})
		case "compare":
			n.out.send(message{Is: "compared"})
		case "undo":
			n.out.send(message{Is: "undone"})
		case "quit":
			stop()
			working.Wait()
			return
		}
	}
}

func (n *naive) work(ctx context.Context, rng *rand.Rand) {
	files := append(append([]string{}, n.conf.Own...), n.conf.Hot...)
	for ctx.Err() == nil {
		if err := n.update(files[rng.IntN(len(files))], rng.IntN(1e8)); err != nil {
			n.out.send(message{Is: "refused", Text: err.Error()})
		}
	}
}

func (n *naive) update(file string, value int) error {
	p := filepath.Join(n.conf.Dir, file)
	base, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	after, ok := setSlot(base, opLine(0), file, slot(opLine(0), file, value))
	if !ok {
		return errNothing
	}
	if err := os.WriteFile(p+".new", after, 0o666); err != nil {
		return err
	}
	if now, err := os.ReadFile(p); err != nil || !bytes.Equal(now, base) {
		return errors.New("changed meanwhile")
	}
	time.Sleep(200 * time.Microsecond) // a slow disk's worth of a gap
	return os.Rename(p+".new", p)
}
