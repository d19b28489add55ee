package offline

import (
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// An operation's id, as kist shows it, names that operation: no other is ever taken back
// for it. What is quoted is a title, and a question takes nothing back.
func TestOperationsAreNamedByTheirIDs(t *testing.T) {
	const named, again = `undo {"operation":"WJR9DG8B"}`, `undo {"operation":"WJR9DG8B","redo":true}`
	for _, test := range []struct{ said, calls string }{
		{"undo WJR9DG8B", named},
		{"undo 1234ABCD", `undo {"operation":"1234ABCD"}`},
		{"undo R9DG8B", `undo {"operation":"R9DG8B"}`},
		{"undo [WJR9DG8B]", named},
		{"Undo the operation WJR9DG8B, please", named},
		{"undo op WJR9DG8B", named},
		{"can you undo WJR9DG8B?", named},
		{"revert operation 01JDA0B1C2D3E4F5G6H7J8K9MN", `undo {"operation":"01JDA0B1C2D3E4F5G6H7J8K9MN"}`},
		{"take back WJR9DG8B", named},
		{"take WJR9DG8B back", named},
		{"Take back the operation WJR9DG8B", named},
		{"mach WJR9DG8B rückgängig", named},
		{"mach die Operation WJR9DG8B bitte rückgängig", named},
		{"nimm WJR9DG8B zurück", named},
		{"redo WJR9DG8B", again},
		{"undo WJR9DG8B after all", named},
		{"undo WJR9DG8B. Then add a task to buy paint", named + `; create_task {"reason":"add the task “Buy paint”, as you asked","title":"Buy paint"}`},
		{"undo WJR9DG8B and 1234ABCD", ""},
		{"don't undo WJR9DG8B", ""},
		{`undo "WJR9DG8B"`, `undo {"about":"wjr9dg8b"}`},
		{"undo the COVID19 task", `undo {"about":"covid19 task"}`},
		{"undo wjr9dg8b", `undo {"about":"wjr9dg8b"}`},
		{"undo ABCDEFGH", `undo {"about":"ABCDEFGH"}`},
		{"undo 123456", `undo {"about":"123456"}`},
		{"UNDO THAT", `undo {}`},
		{"undo the last three changes", `undo {"last":3}`},
	} {
		_, calls := once(t, offlinetest.Situation("houseboat-renovation"), test.said)
		if got := called(calls); got != test.calls {
			t.Errorf("%q: %s, want %s", test.said, got, test.calls)
		}
	}
	if _, calls := once(t, offlinetest.Situation("houseboat-renovation"), "did you undo WJR9DG8B?"); strings.Contains(called(calls), "undo {") {
		t.Errorf("a question takes back: %s", called(calls))
	}
}

// A project is renamed by its name, also an archived one. What is no project's name is said
// not to be, and no other project takes the name; a new name may hold a "to".
func TestProjectsAreRenamedByTheirNames(t *testing.T) {
	sit := offlinetest.SituationIn([]model.Project{
		{Slug: "garden", Name: "Garden", Status: "active"},
		{Slug: "road", Name: "Road", Status: "active"},
		{Slug: "road-to-rome", Name: "Road to Rome", Status: "active"},
	}, "garden")
	sit.Archived = []model.Project{{Slug: "boat", Name: "Boat", Status: "archived"}}
	for _, test := range []struct{ said, project, name string }{
		{"rename the project Boat to Ship", "boat", "Ship"},
		{"rename Boat to Ship", "boat", "Ship"},
		{"rename the archived project Boat to Ship", "boat", "Ship"},
		{"rename the project Boat into Ship", "boat", "Ship"},
		{"rename project Boat as Ship", "boat", "Ship"},
		{`please rename the project "Boat" to "Ship"`, "boat", "Ship"},
		{"change the name of the project Boat to Ship", "boat", "Ship"},
		{"rename the project Garden to Yard", "garden", "Yard"},
		{"rename it to Road to Rome", "garden", "Road to Rome"},
		{"rename Garden to Road to Rome", "garden", "Road to Rome"},
		{"rename the project to Road to Rome", "garden", "Road to Rome"},
		{"rename our project to Back to Basics", "garden", "Back to Basics"},
		{"rename to Back to Basics", "garden", "Back to Basics"},
		{"rename Road to Rome to Paris", "road-to-rome", "Paris"},
		{"rename Road to Way", "road", "Way"},
		{"rename the project Road to Rome to Road to Paris", "road-to-rome", "Road to Paris"},
	} {
		_, calls := once(t, sit, test.said)
		if got, want := called(calls), `rename_project {"name":"`+test.name+`","project":"`+test.project+`"}`; got != want {
			t.Errorf("%q: %s, want %s", test.said, got, want)
		}
	}
	for said, want := range map[string]string{
		"rename the project Nonexistent to Foo":           "I know no project “Nonexistent”, so nothing is renamed.",
		"rename the project Gardening to Foo":             "I know no project “Gardening”, so nothing is renamed. Did you mean Garden?",
		"rename the Nonexistent project to Foo":           "I know no project “Nonexistent”, so nothing is renamed.",
		"can you rename the project Nonexistent to Foo?":  "I know no project “Nonexistent”, so nothing is renamed.",
		`rename the project "Nonexistent" to "Foo to Go"`: "I know no project “Nonexistent”, so nothing is renamed.",
		"rename the project Kitchen Sink to Bath":         "I know no project “Kitchen Sink”, so nothing is renamed.",
	} {
		if got, calls := once(t, sit, said); got != want || len(calls) > 0 {
			t.Errorf("%q: %q, %s, want %q", said, got, called(calls), want)
		}
	}
	for _, said := range []string{"rename Nonexistent to Foo", "change the name of Nonexistent to Foo", "don't rename the project Boat to Ship", "rename the task Boat to Ship"} {
		if _, calls := once(t, sit, said); strings.Contains(called(calls), "rename_project") {
			t.Errorf("%q: %s", said, called(calls))
		}
	}
}

// called writes calls with their arguments.
func called(calls []model.Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, c.Name+" "+string(c.Arguments))
	}
	return strings.Join(all, "; ")
}

// Tags and folders narrow lists of tasks and of notes, in the words of task list.
func TestPlacesNarrowLists(t *testing.T) {
	for _, test := range []struct{ said, calls string }{
		{"what is open tagged #garden?", `list_tasks {"everywhere":true,"status":"open","tag":"garden"}`},
		{"which tasks in Projects/Boat are due this week?", `"everywhere":true,"path":"Projects/Boat"`},
		{"which tasks tagged #a and #b are open?", `"status":"open","tag":"a,b"`},
		{"notes tagged recipe", `"query":"tag:recipe `},
		{"which notes are in the folder Old?", `"query":"path:Old/ `},
		{"how many files about tar are in \"Old things/Boat\"?", `"query":"tar path:\"Old things/Boat/\" `},
		{"add a task to weed #garden in Projects/Boat", `create_task`},
	} {
		_, calls := once(t, offlinetest.Situation(""), test.said)
		if got := called(calls); !strings.Contains(got, test.calls) {
			t.Errorf("%q: %s, want %s", test.said, got, test.calls)
		}
	}
}
