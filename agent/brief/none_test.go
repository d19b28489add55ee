package brief

import (
	"strings"
	"testing"

	"kist/agent/model"
)

func TestNoRoomForProjects(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Write(model.Situation{Projects: []model.Project{{Slug: "houseboat", Name: "Houseboat"}}}, 300).Rules; strings.Contains(got, "There are none yet") {
		t.Error(got[len(got)-100:])
	}
}
