package git

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A mover is a git that goes on moving references of the user's repository as it is told, each for
// itself, and does nothing where it is told nothing.
type mover struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *limited
	open bool // it waits to be told what to move
	gone bool // it has come to its end
}

// mover starts that git, once for all that follows until [Store.Close], and returns when it waits to be
// told what to move.
func (s *Store) mover(ctx context.Context) (*mover, error) {
	if s.moves == nil || s.moves.gone {
		m, err := startMover(ctx, s)
		if err != nil {
			return nil, err
		}
		s.moves = m
	}
	if s.moves.open {
		return s.moves, nil
	}
	if err := s.moves.tell(ctx, "start"); err != nil {
		return nil, err
	}
	s.moves.open = true
	return s.moves, nil
}

func startMover(ctx context.Context, s *Store) (*mover, error) {
	m := &mover{cmd: prepare(ctx, command{dir: s.repo.dir, config: s.repo.overrides, hold: s.held,
		args: []string{"--no-optional-locks", "update-ref", "-m", "kist sync", "--stdin"}}), said: &limited{max: maxSaid, tail: true}}
	m.cmd.Stderr = m.said
	var err error
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	m.out = bufio.NewReader(out)
	if err := m.cmd.Start(); err != nil {
		return nil, &Error{Verb: "update-ref", Status: -1, Kind: ErrNoGit}
	}
	return m, nil
}

// move has a reference moved as an update of git update-ref --stdin says.
func (s *Store) move(ctx context.Context, update string) error {
	m, err := s.mover(ctx)
	if err != nil {
		return err
	}
	m.open = false
	return m.tell(ctx, update, "commit")
}

// updateOf says to move a branch from one commit (empty: it must not be there) to another one.
func updateOf(branch, from, to string) string {
	return fmt.Sprintf("update refs/heads/%s %s %s", branch, to, cmp.Or(from, strings.Repeat("0", len(to))))
}

// tell has git do what the last of some lines says, of which it tells that it is done. Where that fails it has
// come to its end.
func (m *mover) tell(ctx context.Context, lines ...string) error {
	late := time.AfterFunc(usualLimit, func() { _ = m.cmd.Cancel() })
	defer late.Stop()
	_, err := io.WriteString(m.in, strings.Join(lines, "\n")+"\n")
	answer := ""
	if err == nil {
		answer, err = m.out.ReadString('\n')
	}
	if err == nil && answer == lines[len(lines)-1]+": ok\n" {
		return nil
	}
	m.end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := m.said.buf.String()
	return &Error{Verb: "update-ref", Status: m.cmd.ProcessState.ExitCode(), Text: cmp.Or(lastWords(text), strings.TrimSpace(answer)), Kind: kindOf(text)}
}

// end has git come to its end, and waits for that.
func (m *mover) end() {
	if m == nil || m.gone {
		return
	}
	m.gone = true
	late := time.AfterFunc(lingers, func() { _ = m.cmd.Cancel() }) // a hook of the user's may have left something behind
	defer late.Stop()
	_ = m.in.Close()
	_, _ = io.Copy(io.Discard, m.out)
	_ = m.cmd.Wait()
}
