package pending

import (
	"testing"

	"kist/index/analyze"
	"kist/index/intake"
	"kist/index/query"
	"kist/index/sift"
)

// A query may have more terms than are told apart: a word of which only some are goes by the
// beginnings of the words, as by its terms a file would be passed over.
func TestManyWords(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	d := NewDesk(&intake.Files{Langs: langs}, nil)
	for room, told := range map[int]bool{2: true, 1: false, 0: false} {
		p := &Plan{Desk: d, terms: map[string]int{}, spoken: []string{analyze.English, "es"}}
		p.counted = make([]sift.Needle, maxTerms-room)
		q := p.probe(d.folder(), query.Clause{Text: "motors"}) // motor in English, motors in Spanish
		p.words(d.folder(), &q)
		if (q.word != nil) != told || len(q.ways) == 0 {
			t.Errorf("with room for %d: told by its terms %t, %d ways", room, q.word != nil, len(q.ways))
		}
	}
}
