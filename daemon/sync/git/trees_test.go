package git

import (
	"fmt"
	"slices"
	"testing"
)

// Trees are compared as git compares them: with files that become folders, links, programs and modules, inside of a folder and outside of it,
// and against nothing.
func TestCompareTrees(t *testing.T) {
	v := newVictim(t, template(t))
	s, head := v.store()
	_ = s.WriteBlobs(t.Context(), map[string][]byte{s.BlobID([]byte("one\n")): []byte("one\n"), s.BlobID([]byte("two\n")): []byte("two\n")})
	one, two := s.BlobID([]byte("one\n")), s.BlobID([]byte("two\n"))
	file := func(mode, id string) File { return File{mode, id} }
	sides := []map[string]File{
		{"a": file(ModeFile, one), "b/c": file(ModeFile, one), "b/d/e": file(ModeFile, one), "b.md": file(ModeFile, two), "l": file(ModeLink, one), "x": file(ModeFile, one),
			"v/in/a": file(ModeFile, one), "v/out": file(ModeFile, one), "same/f": file(ModeFile, one)},
		{"a/b": file(ModeFile, one), "b": file(ModeFile, one), "b.md": file(ModeProgram, two), "l": file(ModeFile, one), "m": file(ModeModule, head), "x": file(ModeFile, two),
			"v/in/a": file(ModeFile, two), "v/in/b/c": file(ModeFile, one), "same/f": file(ModeFile, one)},
		{"v": file(ModeFile, one), "a": file(ModeFile, one)},
	}
	trees := []string{s.EmptyTree(), head}
	for _, files := range sides {
		tree, err := s.WriteTree(t.Context(), "", files)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	for _, prefix := range []string{"", "v/in/"} {
		s.repo.Prefix = prefix
		for i, before := range trees {
			for _, after := range trees[i+1:] {
				for _, where := range []int{everywhere, within, outside} {
					args := []string{"diff-tree", "-r", "-z", "--no-renames", before, after, "--"}
					switch {
					case where == within:
						args = append(args, s.pathspec()...)
					case where == outside && prefix == "":
						continue
					case where == outside:
						args = append(args, ":(top)", ":(exclude,literal,top)v/in")
					}
					out, err := s.git(t.Context(), nil, args...)
					if err != nil {
						t.Fatal(err)
					}
					want, err := parseRaw(out)
					got, gotErr := compare(t.Context(), s, before, after, where)
					if err != nil || gotErr != nil || !slices.Equal(got, want) {
						t.Errorf("%q %s %s: %v, %v, want %v, %v", prefix, before, after, got, gotErr, want, err)
					}
				}
			}
		}
	}
	s.repo.Prefix = ""
	if diff, err := compare(t.Context(), s, head, fmt.Sprintf("%040x", 1), within); err == nil {
		t.Errorf("compared with nothing: %v", diff)
	}
	if diff, err := s.Diff(t.Context(), trees[2], trees[3]); err != nil || !slices.ContainsFunc(diff, func(d Difference) bool { return d.From != "" }) {
		t.Errorf("no renames: %v, %v", diff, err)
	}
}
