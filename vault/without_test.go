package vault_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/disk"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// TestWithout: a view of a vault without some documents lists, reads and finds none of them,
// by whatever name, nor operations on them, while the vault itself has all.
func TestWithout(t *testing.T) {
	v := vaulttest.New(t, `
-- journal/day.md --
Secret day.
-- notes/open.md --
Open.
-- projects/health/project.md --
---
type: project
name: Health
---
-- projects/health/tasks/call.md --
---
type: task
title: Secret call
status: todo
---
-- projects/boat/project.md --
---
type: project
name: Boat
---
`)
	if err := os.Symlink("journal", filepath.Join(v.Dir(), "alias")); err != nil {
		t.Skip(err)
	}
	ctx := context.Background()
	step, err := entity.PlanAddToInbox(ctx, v, "health", []string{"Secret sentence."}, vaulttest.Now)
	if err != nil {
		t.Fatal(err)
	}
	ops, err := v.Apply(ctx, vault.Batch{Steps: []vault.Step{step}})
	if err != nil {
		t.Fatal(err)
	}
	view := v.Without(func(p string) bool {
		return p == "journal" || strings.HasPrefix(p, "journal/") || p == "projects/health" || strings.HasPrefix(p, "projects/health/")
	})
	for _, p := range []string{"journal/day.md", "alias/day.md", "./journal//day.md", "projects/health/project.md", "projects/health/notes/inbox.md"} {
		if _, err := view.Read(p); !errors.Is(err, vault.ErrNotFound) {
			t.Errorf("read %s: %v", p, err)
		}
		if _, err := view.Stat(p); !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrNotRegular) && !errors.Is(err, disk.ErrInvalidPath) {
			t.Errorf("stat %s: %v", p, err)
		}
		if _, err := v.Read(p); err != nil {
			t.Errorf("the vault itself: %v", err)
		}
	}
	found := ""
	if err := view.Walk(ctx, func(i disk.Info) error { found += i.Path + " "; return nil }, nil); err != nil || strings.Contains(found, "journal") || strings.Contains(found, "health") || !strings.Contains(found, "open.md") {
		t.Errorf("%q, %v", found, err)
	}
	if l, err := view.List(ctx, 0); err != nil || len(l.Files) != 2 {
		t.Errorf("%+v, %v", l, err)
	}
	if all, err := v.List(ctx, 0); err != nil || len(all.Files) != 6 {
		t.Errorf("the vault itself: %d, %v", len(all.Files), err)
	}
	if all, err := entity.Projects(ctx, view); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if tasks, err := entity.Tasks(ctx, view, ""); err != nil || len(tasks) != 0 {
		t.Errorf("%+v, %v", tasks, err)
	}
	if _, err := entity.FindTask(ctx, view, "Secret call"); err == nil || strings.Contains(err.Error(), "projects/health") {
		t.Errorf("%v", err)
	}
	if list, err := view.Operations(ctx, vault.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := view.Operation(ctx, ops[0].ID); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if list, err := v.Operations(ctx, vault.Filter{}); err != nil || len(list) != 1 {
		t.Errorf("the vault itself: %+v, %v", list, err)
	}
}
