package entity_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

func planned(t *testing.T, v *vault.Vault) func(vault.Step, error) vault.Operation {
	return func(step vault.Step, err error) vault.Operation {
		t.Helper()
		return apply(t, v, step, err)
	}
}

func TestDraftLife(t *testing.T) {
	v := vaulttest.New(t, "")
	do := planned(t, v)
	do(entity.PlanCreateDraft(ctx, v, entity.NewDraft{Name: "Houseboat: Ä", Description: "An old boat.", Session: "01S"}, vault.ActorAgent))
	if _, err := entity.PlanCreateDraft(ctx, v, entity.NewDraft{Name: "houseboat: ä"}, vault.ActorAgent); !errors.Is(err, vault.ErrExists) {
		t.Error(err)
	}
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{}, entity.DraftText{Dimension: "core_goals_momentum", Text: "Afloat by May.", How: "replace"}))
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "Anna.", How: "replace"}))
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "Ben.", How: "append"}))
	three := 3
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{Questions: &three, Description: ptr("An older boat."), AddFollowUp: []string{"power_resources", "x: y"}, RemoveFollowUp: []string{"none"}}, entity.DraftText{}))
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{Name: ptr("Ark"), RemoveFollowUp: []string{"x: y"}}, entity.DraftText{}))
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{}, entity.DraftText{Tasks: []entity.NewTask{{Title: "Scrape", Due: "2026-12-01", Body: "twice"}}}))
	do(entity.PlanWriteDraft(ctx, v, "houseboat-ä", entity.DraftUpdate{}, entity.DraftText{Tasks: []entity.NewTask{{Title: "Paint", Children: []entity.NewTask{{Title: "Teal"}}}}}))
	d, err := entity.FindDraft(ctx, v, "houseboat-ä")
	if err != nil {
		t.Fatal(err)
	}
	want := entity.Draft{
		ID: d.ID, Slug: "houseboat-ä", Path: "drafts/houseboat-ä.md", Name: "Ark", Description: "An older boat.", Status: "in_progress",
		Covered: []string{"goals_momentum", "people_bonds"}, FollowUp: []string{"power_resources"}, Questions: 3,
		Created: d.Created, Expires: d.Created.Add(7 * 24 * time.Hour), Session: "01S",
		Dimensions: map[string]string{"goals_momentum": "Afloat by May.", "people_bonds": "Anna.\n\nBen."},
		Tasks:      []string{"Scrape", "Paint"}, Modified: d.Modified,
	}
	if diff := cmp.Diff(want, d); diff != "" || d.Created.IsZero() || d.Modified.IsZero() {
		t.Errorf("%s\n%s", diff, text(t, v, d.Path))
	}
	for _, ref := range []string{d.ID, d.Path} {
		if other, err := entity.FindDraft(ctx, v, ref); err != nil || other.Slug != d.Slug {
			t.Errorf("by %q: %v", ref, err)
		}
	}
	_, err = entity.FindDraft(ctx, v, "houseboat")
	if nf, ok := errors.AsType[*vault.NotFoundError](err); !ok || !cmp.Equal(nf.Near, []string{"houseboat-ä"}) {
		t.Error(err)
	}
	do(entity.PlanWriteDraft(ctx, v, d.ID, entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: " ", How: "replace"}))
	if d, _ = entity.FindDraft(ctx, v, d.ID); !cmp.Equal(d.Covered, []string{"goals_momentum"}) {
		t.Errorf("covered: %q", d.Covered)
	}
	do(entity.PlanAbandonDraft(ctx, v, d.ID))
	if _, err := entity.PlanWriteDraft(ctx, v, d.ID, entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "x", How: "replace"}); !errors.Is(err, vault.ErrStatus) {
		t.Error(err)
	}
	if _, err := entity.PlanFinalizeDraft(ctx, v, d.ID, vault.ActorAgent); !errors.Is(err, vault.ErrStatus) {
		t.Error(err)
	}
	if all, err := entity.Drafts(ctx, v, "abandoned"); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

const handmade = `-- drafts/ark.md --
---
id: 01D
type: draft
name: Ark # the boat
status: in_progress
mine: {a: 1}
dimensions_covered: [people_bonds]
question_count: 2
expires: 2026-11-27T10:00:00Z
follow_up: [trust_safeguards]
---

# Ark

Two of each.

## Own section

kept	as is

- [ ] a box of its own

## Tasks

Before all:

- [x] Cut wood [due:: 2026-12-01] [priority:: high]
  gopher
    - [ ] the long ones

- [ ] Cut wood [due:: someday]
- no box

After all.

## Last

end
`

func TestFinalizeDraft(t *testing.T) {
	v := vaulttest.New(t, handmade)
	steps, err := entity.PlanFinalizeDraft(ctx, v, "ark", vault.ActorAgent)
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		fm, body, _ := strings.Cut(now["projects/ark/project.md"], "\n---\n")
		if diff := cmp.Diff("\n# Ark\n\nTwo of each.\n\n## Own section\n\nkept\tas is\n\n- [ ] a box of its own\n\n## Tasks\n\nBefore all:\n\n- no box\n\nAfter all.\n\n## Last\n\nend\n", body); diff != "" {
			t.Error(diff)
		}
		for _, line := range []string{"type: project", "name: Ark # the boat", "status: active", "mine: {a: 1}", "follow_up: [trust_safeguards]", "created_by: agent"} {
			if !strings.Contains(fm+"\n", "\n"+line+"\n") {
				t.Errorf("no %q in %s", line, fm)
			}
		}
		for _, key := range []string{"01D", "expires", "question_count", "dimensions_covered"} {
			if strings.Contains(fm, key) {
				t.Errorf("%q in %s", key, fm)
			}
		}
		one, two := now["projects/ark/tasks/cut-wood.md"], now["projects/ark/tasks/cut-wood-due-someday.md"]
		if !strings.Contains(one, "\nstatus: done\npriority: high\ndue: 2026-12-01\n") || !strings.HasSuffix(one, "---\n\ngopher\n  - [ ] the long ones\n") {
			t.Errorf("%s", one)
		}
		if !strings.Contains(two, "\ntitle: \"Cut wood [due:: someday]\"\nstatus: todo\n") {
			t.Errorf("%s", two)
		}
	})
	d, err := entity.FindDraft(ctx, v, "01D")
	if err != nil || d.Status != "completed" || d.Finalized != "ark" {
		t.Errorf("%+v, %v", d, err)
	}
	save(t, v, "drafts/again.md", "---\nname: Ark\n---\n")
	if _, err := entity.PlanFinalizeDraft(ctx, v, "again", vault.ActorUser); !errors.Is(err, vault.ErrExists) {
		t.Error(err)
	}
	save(t, v, "drafts/broken.md", "---\nname: [\n---\n")
	if _, err := entity.PlanFinalizeDraft(ctx, v, "broken", vault.ActorUser); err == nil {
		t.Error("finalized a draft whose front matter doesn't parse")
	}
}

// A Tasks section that becomes empty goes.
func TestFinalizeDraftWithoutRest(t *testing.T) {
	v := vaulttest.New(t, "-- drafts/ark.md --\n# Ark\n\n## Tasks\n\n- [ ] Saw\n  ```\n  - [ ] no box\n  ```\n\n## Last\n\nend\n")
	steps, err := entity.PlanFinalizeDraft(ctx, v, "ark", vault.ActorUser)
	if err != nil {
		t.Fatal(err)
	}
	thereAndBack(t, v, steps, func(now map[string]string) {
		if _, body, _ := strings.Cut(now["projects/ark/project.md"], "---\n# Ark"); body != "\n\n## Last\n\nend\n" {
			t.Errorf("%q", now["projects/ark/project.md"])
		}
		if text := now["projects/ark/tasks/saw.md"]; !strings.HasSuffix(text, "---\n\n```\n- [ ] no box\n```\n") {
			t.Errorf("%q", text)
		}
	})
}

func TestExpiredDrafts(t *testing.T) {
	v := vaulttest.New(t, "-- drafts/by-hand.md --\n---\nexpires: 2026-01-01\n---\n")
	do := planned(t, v)
	agent := func(step vault.Step, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Apply(ctx, vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent}, Steps: []vault.Step{step}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"left", "mine", "saved", "edited"} {
		agent(entity.PlanCreateDraft(ctx, v, entity.NewDraft{Name: name}, vault.ActorAgent))
	}
	do(entity.PlanWriteDraft(ctx, v, "mine", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "me", How: "replace"}))
	agent(entity.PlanWriteDraft(ctx, v, "mine", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "you", How: "replace"}))
	save(t, v, "drafts/saved.md", text(t, v, "drafts/saved.md")+"more\n")
	save(t, v, "drafts/edited.md", text(t, v, "drafts/edited.md")+"more\n")
	agent(entity.PlanWriteDraft(ctx, v, "edited", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: "you", How: "replace"})) // records the save first
	if early, err := entity.ExpiredDrafts(ctx, v, vaulttest.Now.Add(6*24*time.Hour)); err != nil || len(early) != 0 {
		t.Errorf("%v, %v", early, err)
	}
	late, err := entity.ExpiredDrafts(ctx, v, vaulttest.Now.Add(8*24*time.Hour))
	if err != nil || len(late) != 1 || late[0].Slug != "left" {
		t.Fatalf("%+v, %v", late, err)
	}
	agent(entity.PlanExpireDraft(ctx, v, "left"))
	if d, err := entity.FindDraft(ctx, v, "left"); err != nil || d.Status != "abandoned" {
		t.Errorf("%+v, %v", d, err)
	}
}

// A draft that was gone on with yesterday isn't past its time, whatever it said when it
// was begun; nor is one that a clock says is of the future.
func TestDraftsInUseDoNotExpire(t *testing.T) {
	now := vaulttest.Now
	v, err := vault.Open(ctx, vaulttest.Write(t, ""), vault.Options{Device: "test", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	agent := func(step vault.Step, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Apply(ctx, vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent}, Steps: []vault.Step{step}}); err != nil {
			t.Fatal(err)
		}
	}
	expired := func(at time.Time) string {
		t.Helper()
		all, err := entity.ExpiredDrafts(ctx, v, at)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range all {
			out = append(out, d.Slug)
		}
		return strings.Join(out, " ")
	}
	const day = 24 * time.Hour
	agent(entity.PlanCreateDraft(ctx, v, entity.NewDraft{Name: "ark"}, vault.ActorAgent))
	for i, jump := range []time.Duration{6 * day, 366 * day, -366 * day} {
		now = now.Add(jump)
		agent(entity.PlanWriteDraft(ctx, v, "ark", entity.DraftUpdate{}, entity.DraftText{Dimension: "people_bonds", Text: strings.Repeat("me ", i+1), How: "append"}))
		if got := expired(now.Add(2 * day)); got != "" {
			t.Errorf("jump %d: %s", i, got)
		}
	}
	if got := expired(now.Add(8 * day)); got != "ark" {
		t.Errorf("a week later: %q", got)
	}
}

// Megabytes that somebody put among the drafts or memories are passed over: each turn
// reads all of them.
func TestHugeDraftsAndMemoriesArePassedOver(t *testing.T) {
	v := vaulttest.New(t, "-- drafts/ark.md --\n# Ark\n-- memories/tea.md --\nI like tea\n")
	huge := strings.Repeat("word ", 1<<20)
	save(t, v, "drafts/huge.md", huge)
	save(t, v, "memories/huge.md", huge)
	if all, err := entity.Drafts(ctx, v, ""); err != nil || len(all) != 1 || all[0].Slug != "ark" {
		t.Errorf("%d drafts, %v", len(all), err)
	}
	if all, err := entity.Memories(ctx, v, ""); err != nil || len(all) != 1 {
		t.Errorf("%d memories, %v", len(all), err)
	}
}

// A first paragraph is replaced and nothing else.
func TestDescribeDraft(t *testing.T) {
	for was, want := range map[string]string{
		"# A\n\nOld\nold.\n\nMore.\n":        "# A\n\nNew.\n\nMore.\n",
		"# A\n":                              "# A\n\nNew.\n",
		"# A\n\n- item\n\n## B\n":            "# A\n\nNew.\n\n- item\n\n## B\n",
		"## B\n\nText.\n":                    "\nNew.\n\n## B\n\nText.\n",
		"# A\r\n\r\nOld.\r\n\r\n## B\r\n":    "# A\r\n\r\nNew.\r\n\r\n## B\r\n",
		"Old.":                               "\nNew.\n",
		"---\nid: x\n---\n# A\nOld.\n## B\n": "---\nid: x\n---\n# A\n\nNew.\n\n## B\n",
	} {
		v := vaulttest.New(t, "-- drafts/x.md --\n")
		save(t, v, "drafts/x.md", was)
		step, err := entity.PlanWriteDraft(ctx, v, "x", entity.DraftUpdate{Description: ptr("New.")}, entity.DraftText{})
		apply(t, v, step, err)
		if got := text(t, v, "drafts/x.md"); got != want {
			t.Errorf("%q became %q, want %q", was, got, want)
		}
	}
}

// lines are what the property tests make documents of.
func lines() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"## Tasks", "### Tasks", "## People & Bonds", "## Decisions", "## Next steps", "# Ark", "- [ ] one", "- [x] two [due:: 2026-12-01]", "  - [ ] inner",
		"- plain", "    deep", "\ttab", "text", "", "", "```", "~~~", "> - [ ] quoted", "1. [ ] three", "<!-- x", "-->", "---", "- [ ] ", "* [/] four  ", "  more", "|a|b|", "ünïcode",
	})
}

// Whatever the user wrote in a draft is in the project or in one of its tasks.
func TestFinalizeKeepsEveryLine(t *testing.T) {
	v := vaulttest.New(t, "-- drafts/ark.md --\n")
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(lines(), 0, 25).Draw(t, "body"), rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))
		was := "---\nname: Ark\nmine: 1\n---\n" + body
		if err := os.WriteFile(filepath.Join(v.Dir(), "drafts/ark.md"), []byte(was), 0o666); err != nil {
			t.Fatal(err)
		}
		steps, err := entity.PlanFinalizeDraft(ctx, v, "ark", vault.ActorAgent)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[string]int{}
		for _, s := range steps[:len(steps)-1] {
			for line := range strings.Lines(string(s.Changes[0].After)) {
				kept[strings.TrimSpace(line)]++
				if title, ok := strings.CutPrefix(strings.TrimSpace(line), "title: "); ok {
					kept["title "+strings.Trim(title, `"`)]++
				}
			}
		}
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			switch {
			case line == "" || kept[line] > 0:
				kept[line]--
			case line == "## Tasks" || line == "### Tasks":
			case strings.Contains(line, "["):
				_, title, _ := strings.Cut(line, "] ")
				title, _, _ = strings.Cut(title, " [due::")
				if kept["title "+title] == 0 {
					t.Fatalf("%q is lost of\n%s\nin %v", line, was, kept)
				}
				kept["title "+title]--
			default:
				t.Fatalf("%q is lost of\n%s\nin %v", line, was, kept)
			}
		}
		if after := string(steps[len(steps)-1].Changes[0].After); !strings.HasSuffix(after, "---\n"+body) {
			t.Fatalf("the draft itself was changed: %q", after)
		}
	})
}
