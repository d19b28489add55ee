package git

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestACommandHasATimeLimit(t *testing.T) {
	begun := time.Now()
	_, err := run(t.Context(), command{dir: t.TempDir(), config: []string{"alias.slow=!sleep 60"}, args: []string{"slow"}, limit: 200 * time.Millisecond})
	if !errors.Is(err, ErrTime) || time.Since(begun) > 10*time.Second {
		t.Errorf("%v after %v, want ErrTime at once", err, time.Since(begun))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err = run(ctx, command{dir: t.TempDir(), config: []string{"alias.slow=!sleep 60"}, args: []string{"slow"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's error", err)
	}
}

func TestTheCallersGitVariablesAreDropped(t *testing.T) {
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_SSH_COMMAND", "evil")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	for _, e := range environment(nil) {
		for _, name := range []string{"GIT_DIR=", "GIT_SSH_COMMAND=", "GIT_CONFIG_COUNT="} {
			if strings.HasPrefix(e, name) {
				t.Errorf("%s is passed on", e)
			}
		}
	}
}

func TestProgressIsRead(t *testing.T) {
	var got []Progress
	r := &progressReader{tell: func(p Progress) { got = append(got, p) }}
	_, _ = r.Write([]byte("remote: Counting objects:  50% (1/2)\rReceiving objects: 100% (2/2), 1 KiB, done.\nno progress\n"))
	want := []Progress{{"Counting objects", 50}, {"Receiving objects", 100}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOutputIsLimited(t *testing.T) {
	head, tail := &limited{max: 4}, &limited{max: 4, tail: true}
	for _, s := range []string{"abc", "def", "ghijklm"} {
		_, _ = head.Write([]byte(s))
		_, _ = tail.Write([]byte(s))
	}
	if head.buf.String() != "abcd" || tail.buf.String() != "jklm" || !head.over || !tail.over {
		t.Errorf("head %q, tail %q", head.buf.String(), tail.buf.String())
	}
}

// What a git has started and left behind may keep its pipes open. Its answer counts, if that came to its end.
func TestWhatAGitLeavesBehindIsNoFailure(t *testing.T) {
	t.Parallel()
	for keeps, want := range map[string]error{"2": nil, "1": ErrTime} {
		t.Run("with "+keeps+" open", func(t *testing.T) {
			t.Parallel() // each waits for some seconds
			answer := "alias.leaves=!echo answer; sleep 20 >&" + keeps + " "
			for _, other := range []string{"0<", "1>", "2>"} {
				if other != keeps+">" {
					answer += other + "/dev/null "
				}
			}
			out, err := run(t.Context(), command{dir: t.TempDir(), config: []string{answer + "&"}, args: []string{"leaves"}})
			if !errors.Is(err, want) || string(out) != "answer\n" {
				t.Errorf("%q, %v, want %v", out, err, want)
			}
		})
	}
}
