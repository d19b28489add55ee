package consent

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecide(t *testing.T) {
	add, del := Proposal{ID: "A1", Digest: "a"}, Proposal{ID: "D1", Digest: "d", Removes: true}
	old := Proposal{ID: "S1", Digest: "s", Removes: true, Suspended: true}
	waiting := []Waiting{{ID: "S1", Reason: "archive the boathouse", Removes: true}, {ID: "A1", Reason: "add the task “Rent a van”"}, {ID: "D1", Reason: "delete the coffee shop, 5 files", Removes: true}, {ID: "L1", Reason: "rename the garden", Removes: true}}
	tests := []struct {
		text                   string
		shown                  []Proposal
		asked                  bool
		approve, reject, again []string
	}{
		{text: "go", shown: []Proposal{add, del}, approve: []string{"A1", "D1"}},
		{text: "yes", shown: []Proposal{del}, approve: []string{"D1"}},
		{text: "yes", shown: []Proposal{del}, asked: true},
		{text: "go", shown: []Proposal{del}, asked: true, approve: []string{"D1"}},
		{text: "no, keep it", shown: []Proposal{del}, reject: []string{"D1"}},
		{text: "keep it", shown: []Proposal{del}, reject: []string{"D1"}},
		{text: "keep it", shown: []Proposal{add}},
		{text: "wait", shown: []Proposal{del}},
		{text: "go", shown: []Proposal{old}, again: []string{"S1"}},
		{text: "yes", shown: []Proposal{old}},
		{text: "no", shown: []Proposal{old}, reject: []string{"S1"}},
		{text: "go", shown: []Proposal{old, del}, approve: []string{"D1"}},
		{text: "go"},
		{text: "only the van", shown: []Proposal{add, del}, approve: []string{"A1"}, reject: []string{"D1"}},
		{text: "go to the coffee shop", shown: []Proposal{add, del}},
		{text: "go to the coffee shop", shown: []Proposal{del}},
		{text: "yes, the coffee shop", shown: []Proposal{add, del}, approve: []string{"D1"}},
		{text: "yes, let's go to the coffee shop", shown: []Proposal{del}},
		{text: "approve L1", shown: []Proposal{del}, again: []string{"L1"}},
		{text: "approve d1", shown: []Proposal{del}, approve: []string{"D1"}},
		{text: "reject the garden", shown: nil, reject: []string{"L1"}},
		{text: "the second one", shown: []Proposal{add, del}, approve: []string{"D1"}},
		{text: "the second one", shown: []Proposal{add, del}, asked: true},
		{text: "yes, delete it", shown: []Proposal{del}, approve: []string{"D1"}},
		{text: "klar, weg damit", shown: []Proposal{del}, approve: []string{"D1"}},
		{text: "ok, delete it", shown: []Proposal{add}},
		{text: "ok, delete it", shown: []Proposal{add, del}},
		{text: "ok, delete it", shown: []Proposal{del}, asked: true},
		{text: "delete everything", shown: []Proposal{del}},
		{text: "do it, I won't miss it", shown: []Proposal{del}, approve: []string{"D1"}},
		{text: "do it, I won't miss it", shown: []Proposal{add}},
		{text: "ok, save it", shown: []Proposal{add}, approve: []string{"A1"}},
		{text: "ok, save it", shown: []Proposal{del}},
		{text: "yes please that one", shown: []Proposal{add}, approve: []string{"A1"}},
		{text: "ok, that one", shown: []Proposal{add, del}},
		{text: "yes, make that two", shown: []Proposal{add, del}},
		{text: "delete it, no, keep the van", shown: []Proposal{add, del}},
		{text: "delete the garden", shown: []Proposal{del}},
	}
	for _, tt := range tests {
		v := Decide(tt.text, tt.shown, waiting, tt.asked)
		if got := ids(v.Approve); !slices.Equal(got, tt.approve) || !slices.Equal(v.Reject, tt.reject) || !slices.Equal(v.Again, tt.again) {
			t.Errorf("Decide(%q, %v, asked %v) = %+v, want approve %v, reject %v, again %v", tt.text, tt.shown, tt.asked, v, tt.approve, tt.reject, tt.again)
		}
	}
	// What was decided elsewhere meanwhile is left alone.
	if v := Decide("go", []Proposal{{ID: "gone"}}, waiting, false); v.Settles() {
		t.Errorf("settles what no longer waits: %+v", v)
	}
}

func TestAfter(t *testing.T) {
	shown := []Proposal{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "s", Suspended: true}}
	got := After(shown, Verdict{Approve: shown[:1], Reject: []string{"b"}}, []Proposal{{ID: "new"}})
	if diff := cmp.Diff([]Proposal{{ID: "new"}, {ID: "c", Suspended: true}}, got); diff != "" {
		t.Error(diff)
	}
	if got := After(shown[2:], Verdict{Again: []string{"s"}}, []Proposal{{ID: "s"}}); len(got) != 2 || got[0].Suspended || !got[1].Suspended {
		t.Error(got)
	}
}

// A whole sentence that agrees counts, whatever else is wanted behind it; what begins like
// one is shown once more.
func TestAssentAndMore(t *testing.T) {
	shown := []Proposal{{ID: "A", Removes: true}}
	waiting := []Waiting{{ID: "A", Reason: "delete the task “Test rides”", Removes: true}}
	for text, want := range map[string]string{
		"Go! And then remind me of the cups":                     "runs",
		"go. the rest was about the bakery: move it to 27 March": "runs",
		"yes. Tom called, he comes on Friday":                    "runs",
		"go, and call Bo":                                        "again",
		"go, beide erledigt":                                     "again",
		"Go. Wait, no.":                                          "",
		"Go. But not the rides":                                  "",
		"Go. If Bo agrees, that is":                              "",
		"Go. What would that delete?":                            "",
		"ok. Tom called":                                         "",
		"go, but later":                                          "",
		"yes, make that two":                                     "",
	} {
		v := Decide(text, shown, waiting, false)
		got := ""
		switch {
		case len(v.Approve) > 0:
			got = "runs"
		case len(v.Again) > 0:
			got = "again"
		}
		if got != want || got == "runs" && Rest(text) == "" {
			t.Errorf("%q: %q, rest %q", text, got, Rest(text))
		}
		if asked := Decide(text, shown, waiting, true); len(asked.Approve) > 0 {
			t.Errorf("%q, said to a question, runs", text)
		}
	}
}

// A refusal that is a sentence of its own drops what was shown, whatever else is wanted.
func TestRefusalAndMore(t *testing.T) {
	shown := []Proposal{{ID: "A", Removes: true}}
	waiting := []Waiting{{ID: "A", Reason: "delete the task “Test rides”", Removes: true}}
	for text, want := range map[string]bool{
		"no! keep test rides. delete the decision about the ride": true,
		"No. Add a task to call Bo.":                              true,
		"nah keep it, just push the van to wed":                   true,
		"No, don't remove it, I only meant the tiles":             true,
		"please don't delete it, I'd rather have it ticked":       true,
		"delete it, no, keep the van":                             false,
		"no, call Bo":                                             false,
		"No problem. Go to the shop":                              false,
		"now. that's it":                                          false,
		"don't delete it yet, let me think about it":              false,
		"no": false,
	} {
		if got := Rest(text) != ""; got != want {
			t.Errorf("Rest(%q) = %v", text, got)
		}
		if v := Decide(text, shown, waiting, false); len(v.Approve) > 0 || want && len(v.Reject) != 1 {
			t.Errorf("%q: %+v", text, v)
		}
	}
}
