package index

import (
	"strings"

	bleve "github.com/blevesearch/bleve_index_api"
)

// filter returns the predicate that filters and exclusions make together.
func (s *search) filter() (func(file int32) bool, error) {
	var tests []func(int32) bool
	for _, c := range s.clauses {
		if c.filter == "" && !c.not {
			continue
		}
		test, err := s.test(c)
		if err != nil {
			return nil, err
		}
		if c.not {
			positive := test
			test = func(file int32) bool { return !positive(file) }
		}
		tests = append(tests, test)
	}
	return func(file int32) bool {
		for _, test := range tests {
			if !test(file) {
				return false
			}
		}
		return true
	}, nil
}

// test returns the predicate of one filter or exclusion.
func (s *search) test(c clause) (func(file int32) bool, error) {
	switch c.filter {
	case fieldPath:
		prefix := strings.TrimPrefix(c.text, "/")
		return func(file int32) bool { return strings.HasPrefix(s.view.paths[file], prefix) }, nil
	case fieldTag:
		c.text = normalTag(c.text)
	case fieldType:
		c.text = strings.ToLower(c.text)
	case "":
		g, err := s.index.group(s.snapshot, c)
		if err != nil {
			return nil, err
		}
		set, err := s.files(g)
		if err != nil || !c.phrase {
			return func(file int32) bool { return set[file] }, err
		}
		p := []phrase{newPhrase(c.text)}
		return func(file int32) bool {
			has, err := s.index.contains(s.view.paths[file], p)
			return err == nil && has && (set[file] || len(g.terms) == 0)
		}, nil
	}
	set := map[int32]bool{}
	err := postings(s.snapshot, c.filter, []byte(c.text), func(d *bleve.TermFieldDoc) error {
		set[s.view.refs[d.ID.Value()].file] = true
		return nil
	})
	return func(file int32) bool { return set[file] }, err
}
