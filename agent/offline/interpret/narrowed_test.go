package interpret

import (
	"fmt"
	"path/filepath"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// TestManyProjects: projects that a message has nothing to do with change nothing in
// how it is read, though the reader then holds it against some of them only.
func TestManyProjects(t *testing.T) {
	paths, err := filepath.Glob("../../../testdata/dialogues/unseen-1[0-9].tsv")
	if err != nil || len(paths) < 5 {
		t.Fatalf("only %d sets: %v", len(paths), err)
	}
	var others []model.Project
	for i := range 40 {
		name := fmt.Sprintf("Qu%cxov Zib%cj", 'a'+i%26, 'a'+i/2%26)
		others = append(others, model.Project{Slug: fmt.Sprintf("other-%d", i), Name: name, Status: "active"})
	}
	differ, n := 0, 0
	for _, path := range paths {
		set := readLabelled(t, path)
		some := set.utterances
		if !long() {
			some = oneIn(4, some)
		}
		for _, l := range some {
			few, many := Reader{sit: offlinetest.SituationIn(set.projects, l.active)}, Reader{sit: offlinetest.SituationIn(set.projects, l.active)}
			many.sit.Projects = append(many.sit.Projects[:len(set.projects):len(set.projects)], others...)
			n++
			a, b := leading(few.Read(l.utterance)), leading(many.Read(l.utterance))
			if called(a) != called(b) || referred(a) != referred(b) {
				differ++
				t.Logf("%s:%d: %q: %s %s among few, %s %s among many", path, l.line, l.utterance, called(a), referred(a), called(b), referred(b))
			}
		}
	}
	if 200*differ > n { // the names are told to the trained reader as well
		t.Errorf("%d of %d are read otherwise", differ, n)
	}
}
