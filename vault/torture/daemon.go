package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"kist/vault"
)

// A Follower is what a daemon has beside its vault and must agree with the files, such
// as an index. It is killed with the daemon and finds next time what it left.
type Follower interface {
	// Run follows the vault until ctx ends. An error is a fault of the program.
	Run(ctx context.Context) error
	// Check brings the follower up to date, while nobody changes a file, and says how
	// it differs from the files, a line for each difference. Whatever keeps it from
	// being brought up to date is an error.
	Check(ctx context.Context) (differences []string, err error)
	// Close is called once Run has ended and before the vault is closed.
	Close() error
}

// Follow opens a Follower of a vault; log is the daemon's.
type Follow func(v *vault.Vault, log *slog.Logger) (Follower, error)

// checkLimit is more than bringing a follower up to date takes, and less than patience.
const checkLimit = time.Minute

// daemonConfig is what a daemon is started with.
type daemonConfig struct {
	Dir   string
	Plan  plan // until the first go or rest, recovery included
	Quiet []string
	Own   []string // files that one editor works on
	Hot   []string // files that several do
}

// A daemon opens the vault, lets it run as the real one does and, between go and
// rest, carries out operations. Its messages are
//
//	ready, failed     Open succeeded or didn't
//	call              the write path has a call of this name
//	dying             it is about to kill itself, before this call
//	fault             it made this call fail
//	ack               these operations, or the turn in Text, have been acknowledged
//	refused           an operation returned this error
//	resting, walked, compared, undone   the answers to rest, walk, compare and undo
type daemon struct {
	conf     daemonConfig
	follow   Follow // nil: nothing follows
	vault    *vault.Vault
	follower Follower
	faults   *faults
	out      *wire

	stop    context.CancelFunc
	working sync.WaitGroup
}

func daemonMain(config string, in <-chan command, out *wire, follow Follow) {
	d := &daemon{out: out, follow: follow}
	if err := json.Unmarshal([]byte(config), &d.conf); err != nil {
		panic(err)
	}
	if os.Getenv(roleEnv) == roleNaive {
		(&naive{conf: d.conf, out: out}).run(in)
		return
	}
	if err := d.run(in); err != nil {
		out.send(message{Is: "failed", Text: err.Error()})
		os.Exit(1)
	}
}

func (d *daemon) run(in <-chan command) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.faults = newFaults(d.conf.Plan, d.out)
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("KIST_TORTURE_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	v, err := vault.Open(ctx, d.conf.Dir, vault.Options{Device: "torture", Fault: d.faults.at, Log: log})
	if err != nil {
		return err
	}
	d.vault = v
	var running sync.WaitGroup
	run := func(fn func(context.Context) error) {
		running.Go(func() {
			if err := fn(ctx); err != nil && ctx.Err() == nil {
				panic(err)
			}
		})
	}
	run(v.Run)
	if d.follow != nil {
		if d.follower, err = d.follow(v, log); err != nil {
			return err
		}
		run(d.follower.Run)
	}
	// Nobody edits a new folder before kist knows what is there: what is done until
	// then is not in the log.
	for !v.Compared() && v.ReadOnly() == "" {
		time.Sleep(time.Millisecond)
	}
	d.out.send(message{Is: "ready"})
	// As the index does at each start; it takes away what a crash left.
	if err := d.walk(ctx); err != nil {
		return err
	}
	for cmd := range in {
		if cmd.Do == "quit" {
			break
		}
		d.answer(ctx, cmd)
	}
	d.rest()
	cancel()
	running.Wait()
	if d.follower != nil {
		err = d.follower.Close()
	}
	return errors.Join(err, v.Close())
}

func (d *daemon) walk(ctx context.Context) error {
	return d.vault.Walk(ctx, func(vault.Info) error { return nil }, nil)
}

func (d *daemon) answer(ctx context.Context, cmd command) {
	switch cmd.Do {
	case "go":
		d.faults.set(cmd.Plan)
		ctx, d.stop = context.WithCancel(ctx)
		for i := range 3 {
			d.working.Go(func() { newMix(d, cmd.Seed, uint64(i)).run(ctx) })
		}
	case "rest":
		d.rest()
		d.faults.set(plan{})
		d.out.send(message{Is: "resting", Text: d.vault.ReadOnly()})
	case "walk":
		if err := d.walk(ctx); err != nil {
			panic(err)
		}
		if err := d.vault.Record(ctx); err != nil {
			panic(err)
		}
		d.out.send(message{Is: "walked"})
	case "compare":
		d.out.send(d.compare(ctx))
	case "undo":
		d.out.send(message{Is: "undone", Failed: d.undo(ctx, cmd.IDs)})
	default:
		panic(fmt.Sprintf("command %q", cmd.Do))
	}
}

// compare asks the follower how it differs from the files.
func (d *daemon) compare(ctx context.Context) message {
	m := message{Is: "compared", Followed: d.follower != nil}
	if m.Followed {
		ctx, cancel := context.WithTimeout(ctx, checkLimit)
		defer cancel()
		var err error
		if m.Differences, err = d.follower.Check(ctx); err != nil {
			m.Differences = append(m.Differences, err.Error())
		}
	}
	return m
}

// rest lets the operations that are under way end.
func (d *daemon) rest() {
	if d.stop != nil {
		d.stop()
	}
	d.working.Wait()
}

// undo takes operations back one by one and says which it could not.
func (d *daemon) undo(ctx context.Context, ids []string) map[string]string {
	failed := map[string]string{}
	for _, id := range ids {
		if _, err := d.vault.Undo(ctx, vault.UndoTarget{ID: id}, vault.Origin{Actor: vault.ActorUser, Client: "torture"}); err != nil {
			failed[id] = err.Error()
		}
	}
	return failed
}
