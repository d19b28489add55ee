package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// walk calls fn for every command that is ours.
func walk(cmd *cobra.Command, fn func(*cobra.Command)) {
	fn(cmd)
	for _, sub := range cmd.Commands() {
		walk(sub, fn)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	c := &cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})}
	walk(newRoot(c), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short help %q", path, cmd.Short)
		}
		if cmd.Example == "" || !strings.Contains(cmd.Example, path) {
			t.Errorf("%s: no example of it in %q", path, cmd.Example)
		}
		if !cmd.HasSubCommands() && !strings.HasSuffix(cmd.Long, ".") {
			t.Errorf("%s: long help %q is no sentence", path, cmd.Long)
		}
		if cmd.RunE == nil {
			t.Errorf("%s does nothing", path)
		}
	})
}

// TestCommands holds the list of commands: what isn't built is absent.
func TestCommands(t *testing.T) {
	want := `up init down status doctor chat ask
		project project/list project/show project/related project/create project/update project/archive
		project/rename project/move project/merge project/delete draft draft/list draft/show draft/finalize draft/abandon
		task task/list task/create task/update task/complete task/move task/delete
		memory memory/list memory/create memory/move memory/forget note note/create note/append search similar
		doc doc/show doc/set doc/unset doc/section doc/item doc/check
		op op/list op/show op/approve op/reject op/edit op/undo op/redo op/retry op/watch
		session session/list session/show tool tool/list policy policy/show policy/trust policy/distrust model model/show model/list model/use model/test model/bench model/pull model/key model/key/set model/key/show model/key/delete
		sync sync/setup sync/status sync/now sync/conflicts sync/resolve sync/pause sync/device index index/status index/rebuild index/wait merge lsp connect version
		import import/chatgpt import/claude token token/create token/list token/revoke session/export session/rename session/delete
		doc/list doc/create doc/move doc/delete project/audit project/completeness project/forecast adopt`
	missing := map[string]bool{}
	for _, name := range strings.Fields(want) {
		missing[name] = true
	}
	c := &cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})}
	walk(newRoot(c), func(cmd *cobra.Command) {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		name = strings.ReplaceAll(name, " ", "/")
		if name != "" && !missing[name] {
			t.Errorf("%s should not be there", name)
		}
		delete(missing, name)
	})
	for name := range missing {
		t.Errorf("%s is missing", name)
	}
}

func TestUsageErrors(t *testing.T) {
	for _, args := range []string{
		"nothing", "--nothing", "project nothing", "project show", "project show a b", "task create",
		"task update x", "project update x", "op", "op show", "op show 12345", "op undo", "op undo abcdef --batch abcdef",
		"doc check a.md zero", "doc set a.md", "sync resolve a b", "search --limit x", "search x --type note --type task", "search x --mode words", "project related", "similar", "similar a b", "op list --since yesterday", "chat extra", "model bench x", "model bench --requests 0", "model bench --url nowhere",
	} {
		t.Run(args, func(t *testing.T) {
			t.Setenv("KIST_VAULT", t.TempDir())
			var out, errs bytes.Buffer
			code := run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &errs)
			if args == "op" {
				if code != exitOK || !strings.Contains(out.String(), "approve") {
					t.Errorf("exit code %d, output %q", code, out.String())
				}
				return
			}
			if code != exitUsage || out.Len() != 0 {
				t.Errorf("exit code %d, output %q, errors %q", code, out.String(), errs.String())
			}
			if !strings.HasPrefix(errs.String(), "kist: ") || !strings.Contains(errs.String(), "hint: ") {
				t.Errorf("errors %q", errs.String())
			}
		})
	}
}
