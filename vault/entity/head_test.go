package entity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

func headText(name string) string {
	return "---\ntype: project\nname: " + name + "\nstatus: active\n---\n\n# " + name + "\n"
}

// settled is when nobody looks into a folder any more because it has changed just now.
const settled = 120 * time.Millisecond

// A list is as of the call, whatever an editor did a moment before it and however
// changes are noticed.
func TestHeadsAreAsOfTheCall(t *testing.T) {
	t.Parallel() // it waits for what was replaced to settle
	for _, watched := range []bool{true, false} {
		t.Run(fmt.Sprintf("watched-%v", watched), func(t *testing.T) {
			t.Parallel()
			v := vaulttest.New(t, "-- .kistignore --\nprojects/loose/\n-- projects/boat/project.md --\n"+headText("Boat")+
				"-- projects/loose/project.md --\n"+headText("Loose")+"-- projects/shop/project.md --\n"+headText("Shop")+"-- projects/empty/notes/a.md --\na\n")
			if watched {
				vaulttest.Watch(t, v)
			}
			elsewhere := filepath.Join(t.TempDir(), "loose")
			var h entity.Heads
			at := func(p string) string { return filepath.Join(v.Dir(), "projects", filepath.FromSlash(p)) }
			do := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			names := func(want string) {
				t.Helper()
				for i := range 2 { // the second time nothing has changed
					if i > 0 {
						time.Sleep(settled)
					}
					list, err := h.List(ctx, v)
					do(err)
					var got []string
					for _, p := range list {
						got = append(got, p.Name)
					}
					if strings.Join(got, ", ") != want {
						t.Fatalf("%q, want %q", got, want)
					}
				}
			}
			names("Boat, Loose, Shop")
			save(t, v, "projects/boat/project.md", headText("Zeppelin"))
			names("Loose, Shop, Zeppelin")
			do(os.Rename(at("shop"), at("cafe")))
			save(t, v, "projects/cafe/project.md", headText("Café"))
			names("Café, Loose, Zeppelin")
			save(t, v, "projects/empty/project.md", headText("Empty"))
			names("Café, Empty, Loose, Zeppelin")
			save(t, v, "projects/loose/project.md", headText("Ignored"))
			names("Café, Empty, Ignored, Zeppelin")
			do(os.RemoveAll(at("cafe")))
			names("Empty, Ignored, Zeppelin")
			do(os.Remove(at("empty/project.md")))
			names("Ignored, Zeppelin")
			do(os.Rename(at("loose"), elsewhere))
			names("Zeppelin")
			do(os.Rename(elsewhere, at("loose")))
			names("Ignored, Zeppelin")
			step, err := entity.PlanCreateProject(v, entity.NewProject{Name: "Attic"}, vault.ActorUser)
			do(err)
			_, err = v.Apply(ctx, vault.Batch{Steps: []vault.Step{step}})
			do(err)
			names("Attic, Ignored, Zeppelin")
			do(os.RemoveAll(filepath.Join(v.Dir(), "projects")))
			names("")
		})
	}
}

// A list of a vault in which nothing changed is the very same one.
func TestHeadsAreKept(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n"+headText("Boat"))
	vaulttest.Watch(t, v)
	var h entity.Heads
	one, err := h.List(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	save(t, v, "log.md", "something else")
	two, err := h.List(ctx, v)
	if err != nil || len(two) != 1 || &one[0] != &two[0] {
		t.Errorf("another list of the same: %v, %v", two, err)
	}
}

// BenchmarkHeads lists 1,000 projects of which none has changed.
func BenchmarkHeads(b *testing.B) {
	for _, watched := range []bool{true, false} {
		b.Run(fmt.Sprintf("watched-%v", watched), func(b *testing.B) {
			var archive strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&archive, "-- projects/p%d/project.md --\n%s", i, headText(fmt.Sprint("Project ", i)))
			}
			v := vaulttest.New(b, archive.String())
			if watched {
				vaulttest.Watch(b, v)
			}
			var h entity.Heads
			for b.Loop() {
				if list, err := h.List(ctx, v); err != nil || len(list) != 1000 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}
