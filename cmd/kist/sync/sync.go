/*
Package sync holds the commands about carrying the vault between machines. They are a room
of their own beside the other commands, and are given what they need of them.
*/
package sync

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human, whose print
	// makes its arguments fit for a terminal.
	Show func(m proto.Message, human func(print Printf)) error
	// Line is Show for one message of a stream.
	Line func(m proto.Message, human func(print Printf)) error
	// Sure asks a question, unless the answer is yes already; an error is a no, or that nobody is there.
	Sure func(ctx context.Context, question string, yes bool) error
	// Log prints what is not the answer.
	Log Printf
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist sync.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{setup(a), status(a), now(a), conflicts(a), resolve(a), pause(a), device(a)}
}

func setup(a App) *cobra.Command {
	replace, attributes, yes := false, false, false
	cmd := &cobra.Command{
		Use:   "setup ADDRESS",
		Short: "Name the repository to sync with, and sync for the first time",
		Long: "Name the git repository that this vault is synced with on this machine: an https or ssh URL,\n" +
			"user@host:path, or the path of a bare repository such as one on a stick (git init --bare makes\n" +
			"one). Where the vault is in no repository, one is made of its folder; where it is in one, that is\n" +
			"used, and of a larger one only the vault's folder is committed. The remote may be empty or hold a\n" +
			"vault: both are merged, and where two files contradict each other both are kept.\n\n" +
			"Where .gitattributes doesn't say yet that plain git is to merge documents with kist merge, setup says\n" +
			"which lines it would append, and does so after a yes.\n\n" +
			"From then on the daemon syncs by itself: some seconds after a change, and every few minutes. It\n" +
			"runs the git of this machine with your own settings and credentials, never asks for any, and\n" +
			"executes nothing that the repository or the remote brings along.",
		Example: "  kist sync setup git@example.org:ann/notes.git\n  kist sync setup /media/stick/notes.git",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			if err := a.logged(ctx, k, yes); err != nil {
				return err
			}
			lines, err := a.lacking(ctx, k, &attributes)
			if err != nil {
				return err
			}
			stream, err := k.Sync.SetUpSync(ctx, &v1.SetUpSyncRequest{Url: absolute(args[0]), Replace: replace, Attributes: attributes})
			if err != nil {
				return err
			}
			defer stream.Close()
			shown := &shown{log: a.Log}
			for stream.Receive() {
				m := stream.Msg()
				if err := a.Line(m, func(print Printf) {
					if m.Setup == nil {
						shown.progress(m.Progress)
						return
					}
					if m.Setup.Made {
						print("made a git repository of the vault's folder\n")
					}
					print("syncs the branch %s with %s of %s\n", m.Setup.Local, m.Setup.Branch, m.Setup.Url)
					printResult(print, a.Log, m.Setup.Result)
					for _, line := range m.Setup.Attributes {
						print("added to .gitattributes: %s\n", line)
					}
					if len(lines) > 0 && !attributes {
						a.Log("left as it is: .gitattributes; --attributes adds the lines that plain git needs to merge as kist does\n")
					}
				}); err != nil {
					return err
				}
			}
			return stream.Err()
		}),
	}
	cmd.Flags().BoolVar(&attributes, "attributes", false, "append to .gitattributes what it lacks, without a question")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "send also what the log has of documents that sync.leave_out names")
	cmd.Flags().BoolVar(&replace, "replace", false, "in the place of another remote that is set up")
	return cmd
}

// logged says what of the log would be sent though it is of documents that stay here, and asks for that.
func (a App) logged(ctx context.Context, k *dial.Client, yes bool) error {
	st, err := k.Sync.GetSyncStatus(ctx, &v1.GetSyncStatusRequest{})
	if err != nil || st.State != "off" || st.Hint == "" {
		return err
	}
	a.Log("%s\n", strings.ToUpper(st.Hint[:1])+st.Hint[1:])
	return a.Sure(ctx, "Send that too?", yes)
}

// lacking says what setup would append to .gitattributes, and asks for it where somebody is there.
func (a App) lacking(ctx context.Context, k *dial.Client, yes *bool) ([]string, error) {
	st, err := k.Sync.GetSyncStatus(ctx, &v1.GetSyncStatusRequest{})
	if err != nil || len(st.Attributes) == 0 || *yes {
		return st.GetAttributes(), err
	}
	a.Log("Plain git merges documents as kist does where .gitattributes says so. It lacks:\n")
	for _, line := range st.Attributes {
		a.Log("  %s\n", line)
	}
	*yes = a.Sure(ctx, "Append that?", false) == nil
	return st.Attributes, ctx.Err()
}

// absolute makes a folder's path one that means the same to the daemon.
func absolute(address string) string {
	if strings.Contains(address, ":") || strings.HasPrefix(address, "-") {
		return address
	}
	if abs, err := filepath.Abs(address); err == nil {
		return abs
	}
	return address
}

// shown prints each phase once, and each tenth of it.
type shown struct {
	log     Printf
	what    string
	percent int32
}

func (s *shown) progress(p *v1.SyncProgress) {
	what := p.GetPhase()
	if p.GetDetail() != "" {
		what += ": " + p.Detail
	}
	if what == s.what && p.GetPercent() < s.percent+10 {
		return
	}
	s.what, s.percent = what, p.GetPercent()
	if p.GetDetail() == "" {
		s.log("%s\n", what)
		return
	}
	s.log("%s %d %%\n", what, p.Percent)
}

func printResult(print, log Printf, r *v1.SyncResult) {
	print("%s committed, %s brought, %s sent\n", count(r.GetCommitted(), "file"), count(r.GetBrought(), "file"), count(r.GetPushed(), "commit"))
	for _, p := range r.GetLeft() {
		log("left alone: %s (a link that leads elsewhere, or a name of git's or kist's own)\n", p)
	}
	for _, f := range r.GetLarge() {
		log("%s\n", notSent(f))
	}
	for _, p := range r.GetConflicts() {
		log("%s was changed in two places in ways that contradict each other; the other version lies beside it\n", p)
	}
	if len(r.GetConflicts()) > 0 {
		log("kist sync conflicts shows both, and kist sync resolve PATH ours|theirs|both|merge chooses\n")
	}
}

func notSent(f *v1.LargeFile) string {
	switch {
	case strings.HasSuffix(f.GetPath(), "/"):
		return fmt.Sprintf("not sent: %s (a git repository of its own: its git sends it, a line in .gitignore says that it is to stay)", f.GetPath())
	case f.GetUnresolved():
		return fmt.Sprintf("not sent: %s (it has git's conflict markers: choose what is to stay between them, and take them out)", f.GetPath())
	case f.GetFilter() != "":
		return fmt.Sprintf("not sent: %s (git runs the filter %s over it, and sync runs none: add, commit and push it with your git)", f.GetPath(), f.GetFilter())
	}
	return fmt.Sprintf("not sent: %s (%d MB, over 100 MB, which many git hosts refuse; git lfs track sends it, a line in .gitignore says that it is to stay)", f.GetPath(), f.GetSize()>>20)
}

func count(n int32, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func status(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show how sync stands",
		Long:    "Show what the vault is synced with, when that last worked, what is wrong, and what waits for you.",
		Example: "  kist sync status",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Sync.GetSyncStatus(ctx, &v1.GetSyncStatusRequest{})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				print("%s\n", r.Sentence)
				if r.Hint != "" {
					print("hint: %s\n", r.Hint)
				}
				if r.Url != "" {
					print("remote: %s, branch %s (here %s)\n", r.Url, r.Branch, r.Local)
				}
				if len(r.OwnDevices) > 0 {
					print("your own devices: %s\n", strings.Join(r.OwnDevices, ", "))
				}
				if len(r.Hooks) > 0 {
					print("not run: %s in .git/hooks, which a copied folder can bring along; sync runs those of the folder that core.hooksPath of your global git settings names\n", strings.Join(r.Hooks, ", "))
				}
				for _, f := range r.Large {
					print("%s\n", notSent(f))
				}
				for _, p := range r.Left {
					print("left alone: %s\n", p)
				}
				if r.State == "off" {
					a.Log("kist sync setup ADDRESS turns it on\n")
				}
			})
		}),
	}
}

func now(a App) *cobra.Command {
	rewritten := false
	cmd := &cobra.Command{
		Use:   "now",
		Short: "Sync at once",
		Long: "Commit what was changed, fetch, merge, and push, and show how that goes. Where the history of the\n" +
			"remote was rewritten, sync stops and changes nothing; with --rewritten both histories are merged, and\n" +
			"what was there before and had been taken in here goes back there.",
		Example: "  kist sync now",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			stream, err := k.Sync.SyncNow(ctx, &v1.SyncNowRequest{Rewritten: rewritten})
			if err != nil {
				return err
			}
			defer stream.Close()
			shown := &shown{log: a.Log}
			for stream.Receive() {
				m := stream.Msg()
				if err := a.Line(m, func(print Printf) {
					if m.Result == nil {
						shown.progress(m.Progress)
						return
					}
					printResult(print, a.Log, m.Result)
				}); err != nil {
					return err
				}
			}
			return stream.Err()
		}),
	}
	cmd.Flags().BoolVar(&rewritten, "rewritten", false, "merge also where the remote's history was rewritten")
	return cmd
}

func conflicts(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "conflicts",
		Short: "Show files that were changed in two places in ways that contradict each other",
		Long: "List the conflict copies in the vault: those that kist made when it synced, and those of other\n" +
			"programs that sync folders (Syncthing, Dropbox, Nextcloud, iCloud). Of each, the lines are shown in\n" +
			"which the copy (+) differs from the document (-).",
		Example: "  kist sync conflicts",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.All(ctx, &v1.ListConflictsRequest{Texts: true}, k.Sync.ListConflicts)
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				for _, c := range r.Conflicts {
					of := "its document is gone"
					if c.Of != "" {
						of = "of " + c.Of
					}
					print("%s (%s, kept by %s)\n", c.Path, of, c.KeptBy)
					for line := range strings.Lines(c.Patch) {
						print("  %s\n", strings.TrimSuffix(line, "\n"))
					}
				}
				if len(r.Conflicts) == 0 {
					a.Log("no conflicts\n")
					return
				}
				a.Log("kist sync resolve PATH ours keeps the document, theirs takes the copy, both keeps the two, merge puts them together\n")
			})
		}),
	}
}

func resolve(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "resolve PATH ours|theirs|both|merge",
		Short: "Choose one version of a conflict, or both",
		Long: "Resolve a conflict: with ours the document stays as it is and its copy goes, with theirs the\n" +
			"document becomes what the copy has where the two contradict each other (all of it, where the copy is\n" +
			"another program's), with both the copy becomes a document of its own, with merge the document gets\n" +
			"what the copy has more, unless the two contradict each other. PATH is the copy's, or that of a document\n" +
			"that has one copy. What is done can be undone like any operation.",
		Example: "  kist sync resolve notes/plan.md theirs",
		Args: cobra.MatchAll(cobra.ExactArgs(2), func(_ *cobra.Command, args []string) error {
			if c := args[1]; c != "ours" && c != "theirs" && c != "both" && c != "merge" {
				return errors.New("choose ours, theirs, both or merge")
			}
			return nil
		}),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Sync.ResolveConflict(ctx, &v1.ResolveConflictRequest{Path: filepath.ToSlash(args[0]), Choice: args[1]})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				for _, op := range r.Operations {
					print("%s %s\n", op.Type, op.GetEntity().GetPath())
				}
			})
		}),
	}
}

func pause(a App) *cobra.Command {
	off := false
	cmd := &cobra.Command{
		Use:     "pause",
		Short:   "Stop syncing by itself, or go on",
		Long:    "Stop the daemon from syncing by itself, until kist sync pause --off. kist sync now still works.",
		Example: "  kist sync pause\n  kist sync pause --off",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Sync.PauseSync(ctx, &v1.PauseSyncRequest{Paused: !off})
			if err != nil {
				return err
			}
			return a.Show(r, func(Printf) {
				if off {
					a.Log("syncs by itself again\n")
					return
				}
				a.Log("paused\n")
			})
		}),
	}
	cmd.Flags().BoolVar(&off, "off", false, "go on")
	return cmd
}

func device(a App) *cobra.Command {
	other := false
	cmd := &cobra.Command{
		Use:   "device NAME",
		Short: "Say that a device is your own",
		Long: "Say that what a device commits is your own: text that it brings doesn't count as from outside, so\n" +
			"that turns which read it don't ask more than usual. NAME is what kist status shows there as device. The\n" +
			"list is kept on this machine. Whoever may push to the remote could write that name into a commit, so\n" +
			"do this for a remote that is yours alone.",
		Example: "  kist sync device laptop-3f2a91\n  kist sync device laptop-3f2a91 --other",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Sync.OwnDevice(ctx, &v1.OwnDeviceRequest{Device: args[0], Own: !other})
			if err != nil {
				return err
			}
			return a.Show(r, func(Printf) {
				if other {
					a.Log("%s counts as somebody else's\n", args[0])
					return
				}
				a.Log("%s counts as your own\n", args[0])
			})
		}),
	}
	cmd.Flags().BoolVar(&other, "other", false, "it is somebody else's")
	return cmd
}
