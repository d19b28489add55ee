package entity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// What was said between a proposal about a whole project and its approval is no edit
// of the project: it goes or moves with it, and comes back with an undo.
func TestWhatWasSaidIsNoPartOfAProposal(t *testing.T) {
	say := func(t *testing.T, v *vault.Vault, text string, at time.Time) {
		if _, err := conversation.AppendTurn(ctx, v, conversation.Turn{ID: v.NewID(), Session: "s", Project: "boat", At: at, User: text}); err != nil {
			t.Fatal(err)
		}
	}
	plans := map[string]func(*vault.Vault) ([]vault.Step, error){
		"delete": func(v *vault.Vault) ([]vault.Step, error) { return entity.PlanDeleteProject(ctx, v, "boat") },
		"move":   func(v *vault.Vault) ([]vault.Step, error) { return entity.PlanMoveProject(ctx, v, "boat", "ship") },
		"merge":  func(v *vault.Vault) ([]vault.Step, error) { return entity.PlanMergeProjects(ctx, v, "boat", "yard") },
	}
	for name, plan := range plans {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, twoProjects)
			say(t, v, "first", vaulttest.Now)
			steps, err := plan(v)
			if err != nil {
				t.Fatal(err)
			}
			ops, err := v.Propose(ctx, vault.Batch{Steps: steps})
			if err != nil {
				t.Fatal(err)
			}
			say(t, v, "second", vaulttest.Now)
			say(t, v, "third", vaulttest.Now.AddDate(0, 0, 1))
			before := projectTexts(t, v)
			if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err != nil {
				t.Fatal(err)
			}
			after := projectTexts(t, v)
			for p := range after {
				if strings.HasPrefix(p, "projects/boat/") {
					t.Errorf("%s is still there", p)
				}
			}
			if all := strings.Join(valuesOf(after), "\n"); name != "delete" && (!strings.Contains(all, "second") || !strings.Contains(all, "third")) {
				t.Error("what was said is gone")
			}
			if _, err := v.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, projectTexts(t, v)); diff != "" {
				t.Errorf("undone (-before +after):\n%s", diff)
			}
		})
	}
}

// An edit by hand still is one.
func TestEditOfAProjectToDeleteStopsIt(t *testing.T) {
	v := vaulttest.New(t, twoProjects)
	steps, err := entity.PlanDeleteProject(ctx, v, "boat")
	if err != nil {
		t.Fatal(err)
	}
	ops, err := v.Propose(ctx, vault.Batch{Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(v.Dir(), "projects/boat/project.md")
	text, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	save(t, v, "projects/boat/project.md", string(text)+"\nOne more thing.\n")
	if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err == nil {
		t.Error("deleted what was edited since")
	}
}

func projectTexts(t *testing.T, v *vault.Vault) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := filepath.Join(v.Dir(), "projects")
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(v.Dir(), p)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func valuesOf(m map[string]string) []string {
	var out []string
	for _, s := range m {
		out = append(out, s)
	}
	return out
}
