package sync

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
)

// maxFile is the size, in bytes, of a file that is still committed, and brought from elsewhere.
const maxFile = 100 << 20

// midSave is how long a file that was just emptied isn't taken for empty.
const midSave = 10 * time.Second

// commit commits what was changed in the vault since the commit head (empty: none), but
// for what isn't kist's to commit, and returns the new one; head itself where there is nothing.
func (r *round) commit(ctx context.Context, head string) (string, error) {
	staged, err := r.repo.Staged(ctx, head)
	if err != nil {
		return "", err
	}
	changes, err := r.store.Changes(ctx, head)
	if err != nil {
		return "", err
	}
	flags, err := r.repo.Flags(ctx)
	if err != nil {
		return "", err
	}
	r.held = map[string]string{}
	r.outcome.Unsent = []Unsent{}
	for p := range staged {
		r.held[p] = "staged"
	}
	absent := map[string]bool{}
	for _, p := range r.settings.Absent {
		absent[p] = true
	}
	if slices.ContainsFunc(changes, func(c git.Change) bool { return c.Gone }) && !r.repo.Steady() {
		return "", fmt.Errorf("%w: which files are checked out", git.ErrMovedOn)
	}
	var paths []string
	for _, c := range changes {
		p, ok := r.below(c.Path)
		if folder := strings.TrimSuffix(p, "/"); c.Repo && ok && names.Handled(folder) && !r.out.Match(folder, true) && !r.litter.Match(folder, true) {
			r.outcome.Unsent = append(r.outcome.Unsent, Unsent{Path: p})
		}
		switch {
		case !ok || !names.Handled(p) || staged[c.Path] || c.Gone && absent[c.Path]:
		case len(flags[c.Path]) > 0:
			if !c.Gone { // it stays away, and what becomes of it is noted in the index
				r.held[c.Path] = "changed, and flagged as " + string(flags[c.Path][0]) + " in your git's index"
			}
		case c.Gone:
			paths = append(paths, c.Path)
		default:
			fi, err := os.Lstat(r.repo.Abs(c.Path))
			if why := r.stays(p, c.New, fi, err); why != "" {
				r.held[c.Path] = why
				continue
			}
			if fi.Size() == 0 && !c.New && time.Since(fi.ModTime()).Abs() < midSave {
				continue // an editor may be about to write it; the next round looks again
			}
			paths = append(paths, c.Path)
		}
	}
	if len(paths) > 0 {
		filtered, err := r.store.Filtered(ctx, paths, "")
		if err != nil {
			return "", err
		}
		paths = slices.DeleteFunc(paths, func(p string) bool {
			filter, is := filtered[p]
			if in, ok := r.below(p); is && ok {
				r.outcome.Unsent = append(r.outcome.Unsent, Unsent{Path: in, Filter: cmp.Or(filter, "working-tree-encoding")})
			}
			return is
		})
	}
	if len(paths) == 0 {
		return head, nil
	}
	return r.commitPaths(ctx, head, paths)
}

// stays says why a file that was changed here isn't committed; empty: it is. fi and err are what the system says of it.
func (r *round) stays(p string, isNew bool, fi fs.FileInfo, err error) string {
	switch why := r.leftOut(p, !isNew); {
	case err != nil || !fi.Mode().IsRegular():
		return "no regular file"
	case why != "":
		return why
	case fi.Size() > r.largest:
		r.outcome.Unsent = append(r.outcome.Unsent, Unsent{Path: p, Size: fi.Size()})
		return "too large to be sent"
	case unresolved(r.repo.Abs(path.Join(r.repo.Prefix, p)), fi):
		r.outcome.Unsent = append(r.outcome.Unsent, Unsent{Path: p, Unresolved: true})
		return "it has git's conflict markers"
	}
	return ""
}

func (r *round) commitPaths(ctx context.Context, head string, paths []string) (string, error) {
	tree, err := r.store.Stage(ctx, paths)
	if err != nil {
		return "", err
	}
	var parents []string
	if head != "" {
		parents = []string{head}
	}
	staged := tree
	tree, message, err := r.store.Checked(ctx, head, staged, r.message(ctx, paths))
	if err != nil {
		return "", err
	}
	if tree != staged {
		if same, err := r.store.HasTree(ctx, head, tree); err != nil || same {
			for _, p := range paths {
				r.held[p] = "put back by a pre-commit hook"
			}
			return head, err
		}
	}
	r.step("commit")
	commit, err := r.store.Commit(ctx, tree, parents, message)
	if err != nil {
		return "", err
	}
	r.step("advance")
	if err := r.repo.Advance(ctx, r.store, r.settings.Local, head, commit); err != nil {
		return "", err
	}
	r.outcome.Committed += len(paths)
	r.line = append(r.line, commit)
	return commit, r.store.Filled(commit)
}

// maxTrailers is how many operations a commit names; the log has them all.
const maxTrailers = 100

// message is a commit's, made from the operations on what it changed: what was done, in
// words, and trailers by which machines find them.
func (r *round) message(ctx context.Context, paths []string) string {
	here := map[string]bool{}
	var documents []string
	for _, p := range paths {
		if p, ok := r.below(p); ok {
			here[p] = true
			if !strings.HasPrefix(p, r.vault.Layout().Operations+"/") {
				documents = append(documents, p)
			}
		}
	}
	ops, err := r.vault.Operations(ctx, vault.Filter{Own: true, Status: vault.StatusCompleted, Since: r.settings.Synced})
	if err != nil {
		ops = nil // the files are what counts
	}
	ops = slices.DeleteFunc(ops, func(op vault.Operation) bool {
		return op.Actor == vault.ActorSync || !slices.ContainsFunc(op.Changes, func(c vault.FileChange) bool { return here[c.Path] || here[c.From] })
	})
	slices.Reverse(ops)
	var b strings.Builder
	b.WriteString(subject(ops, documents))
	b.WriteString("\n\n")
	if len(ops) > 1 {
		for _, op := range ops[:min(len(ops), maxTrailers)] {
			fmt.Fprintf(&b, "- %s\n", inWords(op))
		}
		b.WriteString("\n")
	}
	for _, op := range ops[:min(len(ops), maxTrailers)] {
		fmt.Fprintf(&b, "Kist-Operation: %s\n", op.ID)
	}
	fmt.Fprintf(&b, "Kist-Device: %s\n", r.vault.Device())
	return b.String()
}

// subject says in a line what a commit has.
func subject(ops []vault.Operation, documents []string) string {
	switch {
	case len(ops) == 1:
		return short(inWords(ops[0]))
	case len(documents) == 0:
		return "Log what was synced"
	case len(documents) == 1:
		return short("Change " + documents[0])
	}
	return fmt.Sprintf("Change %d files", len(documents))
}

// inWords is an operation as a person would note it.
func inWords(op vault.Operation) string {
	verb := map[vault.OpType]string{vault.OpCreate: "Create", vault.OpUpdate: "Update", vault.OpDelete: "Delete", vault.OpMove: "Move"}[op.Type]
	if verb == "" {
		verb = "Change"
	}
	s := verb + " " + vault.OneLine(op.Entity.Path)
	if op.Reason != "" && op.Actor != vault.ActorEditor {
		s += ": " + vault.OneLine(op.Reason)
	}
	return s
}

// short cuts a line to what git's tools show of a subject.
func short(s string) string {
	if r := []rune(s); len(r) > 72 {
		return strings.TrimSpace(string(r[:69])) + "..."
	}
	return s
}
