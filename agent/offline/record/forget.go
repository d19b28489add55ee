package record

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// What was told, noted or decided is forgotten like a memory.

// changeKept forgets or moves what was kept, found by its words; of several it asks which.
func (t *Keeper) changeKept(m interpret.Meaning, toldToo bool, otherwise func()) {
	a := t.Act(nil)
	a.Then = func() {
		switch fit, ok := t.memoriesAbout(m, toldToo); {
		case !ok:
		case len(fit) == 0:
			t.Late(otherwise)
		case len(fit) == 1:
			t.doMemory(m, fit[0])
		default:
			args, names := map[string]string{"intent": string(m.Intent)}, []string{}
			if p, ok := m.Project.One(); ok {
				args["project"] = p.Slug
			}
			for i, kept := range fit[:min(len(fit), 6)] {
				args[turn.Nth("path", i)], args[turn.Nth("kind", i)] = turn.Str(kept, "path"), turn.Str(kept, "kind")
				names = append(names, turn.Str(kept, "content"))
			}
			t.Choose(turn.AskKept, args, names, nil)
		}
	}
}

// KeptAnswered does what was asked to what was chosen.
func (t *Keeper) KeptAnswered(q model.Question) ([]interpret.Meaning, bool) {
	m := interpret.Meaning{Intent: intent.Name(q.Args["intent"])}
	if p, ok := refer.BySlug(t.Situation.Projects, q.Args["project"]); ok {
		m.Project.Found = []model.Project{p}
	}
	chosen := refer.Pick(t.Text, q.Choices)
	t.Act(func() {
		for _, i := range chosen {
			t.doMemory(m, map[string]any{"content": q.Choices[i], "path": q.Args[turn.Nth("path", i)], "kind": q.Args[turn.Nth("kind", i)]})
		}
	})
	return nil, len(chosen) > 0
}

// EndTask completes or deletes a task. Where the message names something else that is to be
// deleted, or no task is there, it is what was told.
func (t *Keeper) EndTask(m interpret.Meaning) {
	task, kind := t.Pointed(m), interpret.RecordNamed(m.Clause)
	missing := func() { t.missing(task) }
	kept := interpret.Meaning{Intent: intent.ForgetMemory, Score: m.Score, Clause: m.Clause, Project: m.Project, Text: strings.Join(m.Titles, " ")}
	switch {
	case m.Intent != intent.DeleteTask, kind == "task", kind == "" && (kept.Text == "" || !removes(m.Clause)):
		t.ChangeKnown([]interpret.Meaning{task}, missing)
	case kind == "":
		t.ChangeKnown([]interpret.Meaning{task}, func() { t.changeKept(kept, true, missing) })
	default:
		t.changeKept(kept, true, func() { t.ChangeKnown([]interpret.Meaning{task}, missing) })
	}
}

// removes: a clause orders something to be removed: "drop the jacket". News of a thing that isn't
// needed is about a task alone.
func removes(c *interpret.Clause) bool {
	return c == nil || language.Begins(language.SkipOpeners(c.Body), "<removing>", "can|could|would|will|please you? <removing>", "get rid")
}

// toldAbout finds what was told in a project, or outside of any: decisions first where one
// is meant, else last. Words that only point mean what was said before.
func toldAbout(t *Keeper, said string, in *model.Project, kind string) (fit, all []map[string]any, ok bool) {
	args := map[string]any{"told": true}
	if in != nil {
		args["project"], said = in.Slug, lookup.WithoutName(said, refer.NameWords(*in))
	}
	res, ok := t.More("list_memories", args)
	if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
		return nil, nil, false
	}
	words := slices.DeleteFunc(refer.TaskWords(said), func(w string) bool {
		return language.Class("<noteword>", w) || language.In("decision|decisions|inbox|line|from|of|again", w)
	})
	if len(words) == 0 {
		words = refer.TaskWords(t.Before)
	}
	for _, decided := range []bool{kind == "decision", kind != "decision"} {
		told := slices.DeleteFunc(turn.Objects(res.Result, "told"), func(o map[string]any) bool {
			now := strings.Contains(strings.ToLower(t.Text), strings.ToLower(turn.Str(o, "content"))) // just told, in this message
			return now || strings.HasPrefix(turn.Str(o, "content"), "[") || (turn.Str(o, "kind") == "decision") != decided
		})
		for _, each := range told {
			each["title"] = turn.Str(each, "content")
		}
		if language.Has(language.Tokenize(said), "number|phone|telephone|mobile") {
			if with := slices.DeleteFunc(slices.Clone(told), func(o map[string]any) bool { return !passage.HasNumber(turn.Str(o, "content")) }); len(with) > 0 {
				told = with
			}
		}
		all = append(all, told...)
		whole := slices.DeleteFunc(slices.Clone(told), func(o map[string]any) bool {
			return len(words) < 2 || !strings.Contains(turn.Str(o, "content"), strings.TrimRight(said, " ."))
		})
		if len(whole) == 1 { // by its own words, with what says that it is another matter
			return whole, all, true
		}
		if fit, _ = refer.Tasks(strings.Join(words, " "), told); len(fit) > 0 {
			break
		}
	}
	return fit, all, true
}
