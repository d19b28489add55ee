package rank

import (
	"kist/index/page"
	"kist/index/query"
	"kist/vault/catalog"
	"slices"
)

// leftOut are the documents that Obsidian's user excluded, and its templates: nil where there are
// none.
func leftOut(s *Search) func(path string) bool {
	if settings := catalog.Settings(s.Desk.Files.Vault); settings.LeavesAnythingOut() {
		return settings.LeavesOut
	}
	return nil
}

// putLast marks those found that come after all others: what Obsidian's user excluded, and what is
// [hindmost], unless the query names a path.
func putLast(s *Search, found []ranked) error {
	if slices.ContainsFunc(s.clauses, func(c query.Clause) bool { return !c.Not && c.Filter == page.FieldPath && c.Text != "*" }) {
		return nil
	}
	files, err := hindmost(s)
	if err != nil || len(files) == 0 && s.leftOut == nil {
		return err
	}
	for i := range found {
		r := &found[i]
		r.last = files[r.file] || s.leftOut != nil && s.leftOut(s.View.Paths[r.file])
	}
	return nil
}

// hindmost returns documents that come after all others, unless the query names their type or
// state: kist's own conversations, which repeat what documents say, and drafts that became
// projects or were given up.
func hindmost(s *Search) (map[int32]bool, error) {
	if slices.ContainsFunc(s.clauses, func(c query.Clause) bool {
		return !c.Not && (c.Filter == page.FieldType || c.Filter == page.FieldProperty && c.Key == "status")
	}) {
		return nil, nil
	}
	files := map[int32]bool{}
	err := s.Snapshot.FilesWith(s.View, page.FieldType, "conversation", func(file int32) {
		if s.Desk.Files.Vault.TypeOf(s.View.Paths[file]) == "conversation" { // and isn't only called one
			files[file] = true
		}
	})
	drafts := map[int32]bool{}
	if err == nil {
		err = s.Snapshot.FilesWith(s.View, page.FieldType, "draft", func(file int32) { drafts[file] = true })
	}
	for _, status := range []string{"completed", "abandoned"} {
		if len(drafts) == 0 || err != nil {
			break
		}
		err = s.Snapshot.FilesWith(s.View, page.FieldProperty, page.PropertyPrefix("status")+status, func(file int32) {
			if drafts[file] {
				files[file] = true
			}
		})
	}
	return files, err
}
