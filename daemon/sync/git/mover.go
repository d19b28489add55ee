package git

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
)

// A mover is a git that waits to be told which branch to move, and does nothing where it isn't.
type mover struct {
	told *io.PipeWriter
	done <-chan error
}

// startMover starts git and returns when it runs, or couldn't be started.
func (r *Repo) startMover(ctx context.Context, s *Store) mover {
	heard, told := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := run(ctx, command{dir: r.dir, config: r.overrides, hold: s.held, stdin: heard,
			args: []string{"--no-optional-locks", "update-ref", "-m", "kist sync", "--stdin"}})
		done <- err
		close(done)
		_ = heard.CloseWithError(cmp.Or(err, io.ErrClosedPipe)) // who tells more isn't kept waiting
	}()
	_, _ = io.WriteString(told, "start\n") // taken when it runs; move says what is wrong where it doesn't
	return mover{told, done}
}

// move moves a branch from one commit (empty: it must not be there) to another one.
func (m mover) move(branch, from, to string) error {
	_, err := fmt.Fprintf(m.told, "update refs/heads/%s %s %s\ncommit\n", branch, to, cmp.Or(from, strings.Repeat("0", len(to))))
	if err != nil {
		return err
	}
	_ = m.told.Close()
	return <-m.done
}

// end lets go of a git that was told nothing, and waits for its end.
func (m mover) end() {
	_ = m.told.Close()
	<-m.done
}
