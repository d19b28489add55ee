package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"kist/cmd/kist/machine"
	"kist/cmd/kist/model"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func doctorCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what kist needs and say what to do",
		Long: "Check the vault's folder, the daemon, the permissions of its files, the operation log, the\n" +
			"index, git and this machine's limits. It writes nothing into the vault. Exit code 1 if a\ncheck fails.",
		Example: "  kist doctor --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.doctor(cmd.Context()) },
	}
}

// check is what doctor says of one thing.
type check = machine.Check

// failed makes a check of an error.
func failed(name string, err error) check {
	f, _ := explain(err)
	return machine.Fail(name, f.Message, f.Hint)
}

func (c *cli) doctor(ctx context.Context) error {
	vault, err := dial.Find(c.vault)
	if err != nil {
		return err
	}
	paths, err := dial.PathsFor(vault)
	if err != nil {
		return err
	}
	checks := []check{checkFolder(vault), checkConfig(vault)}
	if fault := machine.UseFault(vault); fault != "" {
		checks = append(checks, machine.Warn("what models used", fault, "see what your provider has counted"))
	}
	if _, err := os.Lstat(paths.Token); err == nil {
		// Before the daemon has a chance to mend it: somebody may have read it.
		checks = append(checks, machine.CheckPrivate("token", paths.Token))
	}
	checks = append(checks, c.checkDaemon(ctx, paths)...)
	checks = append(checks, machine.CheckGit(ctx))
	checks = append(checks, machine.CheckMachine(vault)...)
	if c.json {
		err = c.out.JSONValue(map[string][]check{"checks": checks}, true)
	} else {
		c.out.checks(checks)
	}
	for _, ch := range checks {
		if ch.Status == machine.Failed {
			return errors.Join(err, reportedError{exitFailed})
		}
	}
	return err
}

func (p *printer) checks(checks []check) {
	styles := map[string]output.Style{machine.OK: output.Green, machine.Warned: output.Yellow, machine.Failed: output.Red}
	for _, ch := range checks {
		p.Printf("%s  %s: %s\n", p.Paint(styles[ch.Status], fmt.Sprintf("%-4s", ch.Status)), ch.Name, hanging(ch.Detail))
		if ch.Hint != "" {
			p.Printf("      hint: %s\n", ch.Hint)
		}
	}
}

func checkFolder(vault string) check {
	if fault, hint := machine.FolderFault(vault); fault != "" {
		return machine.Fail("vault folder", fault, hint)
	}
	return machine.Okay("vault folder", vault)
}

func checkConfig(vault string) check {
	if fault, hint := machine.ConfigFault(vault, dial.ConfigFile); fault != "" {
		return machine.Fail(dial.ConfigFile, fault, hint)
	}
	return machine.Okay(dial.ConfigFile, "present; what it says of the agent and of what sync leaves out counts at once, the rest from the daemon's next start")
}

// checkDaemon starts the daemon if need be, as every command does.
func (c *cli) checkDaemon(ctx context.Context, paths dial.Paths) []check {
	k, err := c.connect(ctx, true)
	if err != nil {
		return []check{failed("daemon", err)}
	}
	defer k.Close()
	r, err := k.Daemon.GetStatus(ctx, &v1.GetStatusRequest{})
	if err != nil {
		return []check{failed("daemon", err)}
	}
	checks := []check{machine.Okay("daemon", fmt.Sprintf("process %d answers at %s", r.Pid, r.Url))}
	if used := machine.FoldersUsed(r.Folders); used != "" {
		checks = append(checks, machine.Okay("folders", "uses "+used+"; folders in kist.yaml names others"))
	}
	if r.Version != machine.Version() {
		checks = append(checks, machine.Warn("version", fmt.Sprintf("the daemon is %s, this program %s", r.Version, machine.Version()),
			"kist down; the next command starts this version"))
	} else {
		checks = append(checks, machine.Okay("version", r.Version))
	}
	if pid, text := dial.Holder(paths); pid != int(r.Pid) {
		checks = append(checks, machine.Fail("lock", fmt.Sprintf("%s says %q, the daemon is process %d", paths.Lock, text, r.Pid), "kist down, then try again"))
	} else {
		checks = append(checks, machine.Okay("lock", text))
	}
	if r.ReadOnly != "" {
		checks = append(checks, machine.Fail("writing", r.ReadOnly, ""))
	} else {
		checks = append(checks, machine.Okay("writing", "the daemon can write the vault"))
	}
	if p := r.Policy; p.GetProblem() != "" || p.GetTrust() == "missing" {
		checks = append(checks, machine.Warn("policy", policyText(p), ""))
	}
	if r.Vanished != "" {
		checks = append(checks, machine.Fail("documents", r.Vanished, vanishedHint))
	}
	if s := r.Sync; s.GetState() == "failing" || s.GetConflicts() > 0 || len(s.GetLarge()) > 0 {
		checks = append(checks, machine.Warn("sync", s.GetSentence(), s.GetHint()))
	} else if s.GetState() != "" && s.GetState() != "off" {
		checks = append(checks, machine.Okay("sync", s.GetSentence()))
	}
	checks = append(checks, checkProblems("operation log", "every record can be read", r.LogProblems)...)
	checks = append(checks, checkProblems("Obsidian's settings", "what kist goes by can be read", r.SettingsProblems)...)
	for _, h := range r.HeldOpen {
		checks = append(checks, machine.Warn("open documents", heldOpen(h), "close the document in that program, or have it read the file anew"))
	}
	for _, name := range r.ConflictCopies {
		checks = append(checks, machine.Warn("conflict copy", name+" has what a program saved and didn't fit the document", "take from it what you need, then delete it"))
	}
	checks = append(checks, checkModels(ctx, k)...)
	return append(append(checks, machine.CheckPrivate("socket", orElse(r.Socket, paths.Socket)), machine.CheckWatcher(r.Watcher)), checkIndex(ctx, k)...)
}

// checkProblems names what can't be read of something.
func checkProblems(of, fine string, problems []*v1.Problem) []check {
	if len(problems) == 0 {
		return []check{machine.Okay(of, fine)}
	}
	var checks []check
	for _, p := range problems {
		checks = append(checks, machine.Warn(of, fmt.Sprintf("%s: %s", output.LineRef(p.Path, p.Line), p.Message), p.Hint))
	}
	return checks
}

// checkModels asks the servers of the models, unlike a status.
func checkModels(ctx context.Context, k *dial.Client) []check {
	r, err := k.Model.GetModels(ctx, &v1.GetModelsRequest{})
	if err != nil {
		return []check{failed("model", err)}
	}
	var checks []check
	for i, m := range r.Roles {
		switch {
		case m.Error != "":
			checks = append(checks, machine.Warn("model", model.Sentence(m)+": "+m.Error, m.Hint))
		case i == 0 || model.Chosen(m):
			checks = append(checks, machine.Okay("model", model.Sentence(m)))
		}
	}
	return checks
}

// checkIndex waits for the index rather than planting a canary: that would leave
// a trace in the vault.
func checkIndex(ctx context.Context, k *dial.Client) []check {
	waited, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, waitErr := k.Index.WaitIndex(waited, &v1.WaitIndexRequest{})
	r, err := k.Index.GetIndexStatus(ctx, &v1.GetIndexStatusRequest{})
	if err != nil {
		return []check{failed("index", err)}
	}
	holds := fmt.Sprintf("%s, %s", output.Plural(int(r.Documents), "document"), r.State)
	var checks []check
	switch {
	case r.Notice != "":
		checks = append(checks, machine.Warn("index", holds+": "+r.Notice, ""))
	case waitErr != nil:
		checks = append(checks, machine.Warn("index", holds+", not caught up with the files after 5 s", "kist index status shows how far it is"))
	default:
		checks = append(checks, machine.Okay("index", holds))
	}
	if n := len(r.Problems); n > 0 {
		first := r.Problems[0]
		checks = append(checks, machine.Warn("files", fmt.Sprintf("%s with problems, such as %s: %s", output.Plural(n, "file"), first.Path, first.Message), "kist index status names them all"))
	}
	return checks
}
