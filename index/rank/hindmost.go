package rank

import (
	"kist/index/page"
	"kist/index/query"
	"slices"
)

// hindmost returns the documents that come after all others, unless the query names their type,
// path or state: kist's own conversations, which repeat what documents say, and drafts that
// became projects or were given up.
func hindmost(s *Search) (map[int32]bool, error) {
	if slices.ContainsFunc(s.clauses, func(c query.Clause) bool {
		return !c.Not && (c.Filter == page.FieldType || c.Filter == page.FieldPath || c.Filter == page.FieldProperty && c.Key == "status")
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

// putLast marks the files among those found.
func putLast(found []ranked, files map[int32]bool) {
	if len(files) == 0 {
		return
	}
	for i := range found {
		found[i].last = files[found[i].file]
	}
}
