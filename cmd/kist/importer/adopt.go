package importer

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// Adopt returns the command kist adopt.
func Adopt(a App) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "adopt [PATH...]",
		Short: "Make notes projects where they lie",
		Long: "Write into notes that they are projects: type: project, and an id, in their front matter. Nothing\n" +
			"else in them changes, and nothing is moved. PATH is a note, a folder (the notes in it) or a pattern\n" +
			"('Projects/**/*.md'); without one it is the notes that a rule of kist.yaml makes projects.\n\n" +
			"What would be added is shown, as one proposed operation that waits for kist op approve or reject;\n" +
			"--yes does it at once. One undo takes all of it back. Notes that can't be projects are named.",
		Example: "  kist adopt Projects\n  kist adopt Work/Kitchen.md --yes",
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			for i := range args {
				args[i] = strings.TrimSuffix(args[i], "/")
			}
			r, err := k.Project.AdoptProjects(ctx, &v1.AdoptProjectsRequest{Paths: args, Propose: true})
			if err != nil {
				return err
			}
			if op := r.Operation; op != nil && yes {
				done, err := k.Operation.ApproveOperation(ctx, &v1.ApproveOperationRequest{Id: op.Id, Digest: op.Digest})
				if err != nil {
					return err
				}
				r.Operation = done.Operation
			}
			return a.showAdopted(r, yes)
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do it at once")
	return cmd
}

// maxShown is how many notes are shown; --json has them all.
const maxShown = 20

func (a App) showAdopted(r *v1.AdoptProjectsResponse, done bool) error {
	return a.Show(r, func(print Printf) {
		shown := 0
		for _, c := range r.Operation.GetChanges() {
			if shown++; shown > maxShown || done {
				break
			}
			for line := range strings.Lines(c.Patch) {
				print("%s\n", strings.TrimRight(line, "\r\n"))
			}
		}
		shown = 0
		for _, n := range r.Notes {
			if shown++; shown > maxShown && n.Slug != "" {
				continue
			}
			switch {
			case n.Slug == "":
				print("passed over: %s (%s)\n", n.Path, n.Why)
			case n.Why != "":
				print("project %s: %s (%s)\n", n.Slug, n.Path, n.Why)
			default:
				print("project %s: %s\n", n.Slug, n.Path)
			}
		}
		if n := int(r.Adopted) - maxShown; n > 0 {
			print("and %d more\n", n)
		}
		op := r.Operation
		switch {
		case op == nil:
			a.Log("nothing to do\n")
		case done:
			print("%s adopted [%s]\n", notes(r.Adopted), short(op.Id))
			a.Log("kist op undo %s takes it back\n", short(op.Id))
		default:
			a.Log("%s would be changed so: kist op approve %s does it, kist op reject %s drops it\n", notes(r.Adopted), short(op.Id), short(op.Id))
		}
	})
}

// short is what of an operation's id people need.
func short(id string) string { return id[max(0, len(id)-8):] }
