package refer

import (
	"strings"
	"testing"

	"kist/agent/language"
	"kist/agent/model"
)

func TestAbout(t *testing.T) {
	projects := []model.Project{
		{Slug: "house", Name: "House", Description: "My dad has agreed to move out of the house in Thornbury and into a sheltered flat."},
		{Slug: "running", Name: "Running", Description: "Training for the Bath Half, with flat feet."},
		{Slug: "cup", Name: "U11s Tournament", Aliases: []string{"the kids' cup"}, Description: "Eight teams in Thornbury."},
	}
	for phrase, want := range map[string]string{
		"dad's move":            "house",
		"moving dad":            "house",
		"the dad thing":         "house",
		"the sheltered caravan": "",
		"the kids' cup":         "cup",
		"the teams":             "cup",
		"the flat":              "house running",
		"the Thornbury cup":     "cup",
		"the spaceship":         "",
		"mum's move":            "",
		"the thing":             "",
		"":                      "",
	} {
		var got []string
		for _, p := range About(language.Tokenize(phrase), projects) {
			got = append(got, p.Slug)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", phrase, got, want)
		}
	}
	if About(language.Tokenize("dad's move"), nil) != nil {
		t.Error("found one among none")
	}
}
