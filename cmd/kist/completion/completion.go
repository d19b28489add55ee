/*
Package completion says what a shell can offer for an argument: projects, tasks, operations,
documents, sessions. It asks a daemon that runs, and gives up after a tenth of a second:
pressing a key starts nothing and waits for nothing.
*/
package completion

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

const (
	within = 100 * time.Millisecond
	// most is how many are offered: nobody reads more, and more take longer.
	most = 200
)

// Offers are made by asking the daemon that Connect finds.
type Offers struct {
	Connect func(context.Context) (*dial.Client, error)
}

// add offers a word, with what it stands for.
type add func(word, about string)

// Projects offers the slugs of projects.
func (o Offers) Projects(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Project.ListProjects(ctx, &v1.ListProjectsRequest{PageSize: most})
		for _, p := range r.GetProjects() {
			add(p.Slug, p.Name)
		}
		return err
	})
}

// Tasks offers open tasks, by what UpdateTask and others take.
func (o Offers) Tasks(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Task.ListTasks(ctx, &v1.ListTasksRequest{PageSize: most})
		for _, t := range r.GetTasks() {
			add(taskName(t), t.Title)
		}
		return err
	})
}

// Operations offers the newest operations.
func (o Offers) Operations(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.operations(cmd, "")
}

// Proposals offers the last operations that wait for approval.
func (o Offers) Proposals(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.operations(cmd, "proposed")
}

func (o Offers) operations(cmd *cobra.Command, status string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Operation.ListOperations(ctx, &v1.ListOperationsRequest{Status: status, PageSize: most})
		for _, op := range r.GetOperations() {
			add(op.Id, op.Status+": "+op.Type+" "+op.Entity.GetPath())
		}
		return err
	})
}

// Documents offers the paths that begin with what is typed.
func (o Offers) Documents(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Vault.ListDocuments(ctx, &v1.ListDocumentsRequest{Prefix: typed, PageSize: most})
		for _, d := range r.GetDocuments() {
			add(d.Path, d.Title)
		}
		return err
	})
}

// Sessions offers the last used sessions.
func (o Offers) Sessions(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Session.ListSessions(ctx, &v1.ListSessionsRequest{PageSize: most})
		for _, s := range r.GetSessions() {
			add(s.Id, s.Title)
		}
		return err
	})
}

// Drafts offers drafts in progress.
func (o Offers) Drafts(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Draft.ListDrafts(ctx, &v1.ListDraftsRequest{PageSize: most})
		for _, d := range r.GetDrafts() {
			add(d.Slug, d.Name)
		}
		return err
	})
}

// Memories offers memories, by their paths.
func (o Offers) Memories(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return o.offer(cmd, func(ctx context.Context, k *dial.Client, add add) error {
		r, err := k.Memory.ListMemories(ctx, &v1.ListMemoriesRequest{PageSize: most})
		for _, m := range r.GetMemories() {
			add(m.Path, m.Content)
		}
		return err
	})
}

// taskName is what names a task: its path, and the line of a checkbox.
func taskName(t *v1.Task) string {
	if t.Line > 0 {
		return fmt.Sprintf("%s:%d", t.Path, t.Line)
	}
	return t.Path
}

func (o Offers) offer(cmd *cobra.Command, ask func(context.Context, *dial.Client, add) error) (words []string, _ cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), within)
	defer cancel()
	k, err := o.Connect(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer k.Close()
	err = ask(ctx, k, func(word, about string) {
		words = append(words, cobra.CompletionWithDesc(terminal.Line(word), terminal.Line(about)))
	})
	if err != nil { // half an answer misleads
		words = nil
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// Attach gives commands that have no offers yet those of their nouns, for one argument after
// the other; a last one that may be given several times is offered as often.
func (o Offers) Attach(root *cobra.Command) {
	type list = []cobra.CompletionFunc
	for path, offers := range map[string]list{
		"task update": {o.Tasks}, "task complete": {o.Tasks}, "task move": {o.Tasks, o.Projects}, "task delete": {o.Tasks},
		"op show": {o.Operations}, "op approve": {o.Proposals}, "op reject": {o.Proposals}, "op edit": {o.Proposals},
		"op undo": {o.Operations}, "op redo": {o.Operations}, "op retry": {o.Operations},
		"doc show": {o.Documents}, "doc set": {o.Documents}, "doc unset": {o.Documents}, "doc section": {o.Documents},
		"doc item": {o.Documents}, "doc check": {o.Documents}, "doc delete": {o.Documents}, "doc move": {o.Documents}, "note append": {o.Documents}, "similar": {o.Documents}, "project related": {o.Projects},
		"draft show": {o.Drafts}, "draft finalize": {o.Drafts}, "draft abandon": {o.Drafts}, "memory move": {o.Memories}, "memory forget": {o.Memories},
		"session show": {o.Sessions}, "session rename": {o.Sessions}, "session delete": {o.Sessions}, "session export": {o.Sessions}, "adopt": {o.Documents},
	} {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd.ValidArgsFunction != nil {
			continue // the test of all offers shows it
		}
		several := path != "note append" && strings.HasSuffix(strings.TrimRight(cmd.Use, "]"), "...") // a note's text is its own
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			n := len(args)
			if several {
				n = min(n, len(offers)-1)
			}
			if n >= len(offers) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offers[n](cmd, args, typed)
		}
	}
	for _, path := range []string{"ask", "chat"} {
		if cmd, _, err := root.Find(strings.Fields(path)); err == nil && cmd.Flags().Lookup("session") != nil {
			_ = cmd.RegisterFlagCompletionFunc("session", o.Sessions) // the flag exists
		}
	}
}

// Fixed lets the shell offer a flag's values.
func Fixed(cmd *cobra.Command, flag string, values ...string) {
	// Fails for a flag that doesn't exist, which the test of all commands would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
