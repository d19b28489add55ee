package rank

import (
	"kist/index/page"
	"kist/index/query"
	"kist/index/store"
	"strings"

	"kist/index/analyze"
	"kist/index/day"
	"kist/index/match"
	"kist/vault/documents"
)

// filter returns the predicate that filters and exclusions make together. What only
// the files can tell is left to s.checks.
func (s *Search) filter() (func(file int32) bool, error) {
	var tests []func(int32) bool
	for _, c := range s.clauses {
		if c.Filter == "" && !c.Not {
			continue
		}
		test, err := s.test(c)
		if err != nil {
			return nil, err
		}
		if test == nil {
			continue
		}
		if c.Not {
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

// test returns the predicate of one filter or exclusion; nil for one that became a
// check.
func (s *Search) test(c query.Clause) (func(file int32) bool, error) {
	switch c.Filter {
	case "":
		return s.exclusion(c)
	case page.FieldPath:
		return s.pathTest(c.Text), nil
	case query.FilterBefore, query.FilterAfter:
		return s.dateTest(c)
	case page.FieldTag:
		c.Text = page.NormalTag(c.Text) // which leaves the star
	case page.FieldType:
		c.Text = strings.ToLower(c.Text)
	case page.FieldLang:
		if base := analyze.Base(c.Text); base != "" {
			c.Text = base
		}
	case page.FieldProperty:
		if c.Text == "*" {
			return s.keyword(page.FieldProperty, page.PropertyPrefix(c.Key), true)
		}
		value, star := strings.CutSuffix(page.PropertyValue(c.Text), "*")
		return s.keyword(page.FieldProperty, page.PropertyPrefix(c.Key)+value, star)
	}
	value, star := strings.CutSuffix(c.Text, "*")
	test, err := s.keyword(c.Filter, value, star && value != "")
	if err != nil || documents.PlacesOf(s.Desk.Files.Vault.Folder).None() {
		return test, err
	}
	return placedTest(s, c, test), nil
}

// placedTest is the predicate of a project, or a type, where notes are projects where they
// lie: which notes these are may have changed since a file was indexed.
func placedTest(s *Search, c query.Clause, indexed func(file int32) bool) func(file int32) bool {
	v := s.Desk.Files.Vault
	return func(file int32) bool {
		p := s.View.Paths[file]
		if _, placed := v.PlacedAt(p); placed && c.Filter == page.FieldType {
			return query.MatchesValue(c.Text, "project")
		}
		return c.Filter == page.FieldProject && query.MatchesValue(c.Text, v.ProjectOf(p)) || c.Filter != page.FieldProject && indexed(file)
	}
}

// exclusion is the predicate of what a document must not have in its text.
func (s *Search) exclusion(c query.Clause) (func(file int32) bool, error) {
	g, err := s.group(c)
	if err != nil {
		return nil, err
	}
	set, err := s.having(&g)
	if err != nil {
		return nil, err
	}
	if !c.Phrase && !g.stop {
		return func(file int32) bool { return set[file] }, nil
	}
	if g.stop {
		set = nil // the index doesn't have all of it
	}
	s.checks = append(s.checks, check{phrase: match.NewPhrase(c.Text), text: c.Text, fields: c.Fields, not: true, may: set})
	return nil, nil
}

// keyword is the predicate of a keyword field's value, or of those that begin so.
func (s *Search) keyword(field, value string, prefix bool) (func(file int32) bool, error) {
	values := []string{value}
	if prefix {
		counts := map[string]uint64{}
		if err := s.Snapshot.Beginning(field, value, func(term string, n uint64) bool { counts[term] += n; return true }); err != nil {
			return nil, err
		}
		if len(counts) > maxValues {
			s.Cut = true
		}
		values = store.MostFrequent(counts, maxValues)
	}
	set := map[int32]bool{}
	for _, v := range values {
		err := s.Snapshot.FilesWith(s.View, field, v, func(file int32) { set[file] = true })
		if err != nil {
			return nil, err
		}
	}
	return func(file int32) bool { return set[file] }, nil
}

// maxValues is how many values a filter with a star stands for.
const maxValues = 20_000

// hasKey reports whether any document has the key in its front matter.
func (s *Search) hasKey(key string) (has bool, err error) {
	err = s.Snapshot.Beginning(page.FieldProperty, page.PropertyPrefix(key), func(string, uint64) bool { has = true; return false })
	return has, err
}

// resolve makes words of the filters by keys that no document has.
func (s *Search) resolve() error {
	for i, c := range s.clauses {
		if c.Filter != page.FieldProperty {
			continue
		}
		known, err := s.hasKey(c.Key)
		if err != nil {
			return err
		}
		if !known {
			s.clauses[i] = c.AsText()
		}
	}
	return nil
}

// pathTest is the predicate of what a path begins with or, with stars, of all of it.
// Case doesn't matter.
func (s *Search) pathTest(pattern string) func(file int32) bool {
	return func(file int32) bool { return query.MatchesPath(pattern, s.View.Paths[file]) }
}

// dateTest is the predicate of before: and after:.
func (s *Search) dateTest(c query.Clause) (func(file int32) bool, error) {
	limit, err := query.QueryDay(c.Filter, c.Text)
	if err != nil {
		return nil, err
	}
	return func(file int32) bool {
		d := s.date(s.View.Paths[file])
		return d != 0 && (d >= limit) == (c.Filter == query.FilterAfter)
	}, nil
}

// date is a document's date.
func (s *Search) date(path string) day.Day {
	if d, ok := s.over.Date(path); ok {
		return d
	}
	s.Desk.Lock.Lock()
	e, ok := s.Manifest.Files[path]
	s.Desk.Lock.Unlock()
	if !ok {
		return 0
	}
	return e.Day()
}
