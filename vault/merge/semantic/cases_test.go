package semantic

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// A mergeCase is three versions written by hand and what a careful person makes of them. In
// testdata a case begins with the file "TITLE: base", or "TITLE: new" where neither side has
// a base, with the document's path in brackets behind the title if it matters. Behind it come
// ours and theirs (without one the side deleted the file), merged, and the conflicts, one to a line.
type mergeCase struct {
	title, path                string
	base, ours, theirs, merged []byte
	conflicts                  string
}

func readCases(t *testing.T) (all []mergeCase) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			title, isBase := strings.CutSuffix(f.Name, ": base")
			title, isNew := strings.CutSuffix(title, ": new")
			if isBase || isNew {
				c := mergeCase{title: title, path: "notes/a.md"}
				if name, rest, ok := strings.Cut(title, " ["); ok {
					c.title, c.path = name, strings.TrimSuffix(rest, "]")
				}
				c.title = strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + c.title
				if isBase {
					c.base = f.Data
				}
				all = append(all, c)
				continue
			}
			c := &all[len(all)-1]
			switch f.Name {
			case "ours":
				c.ours = f.Data
			case "theirs":
				c.theirs = f.Data
			case "merged":
				c.merged = f.Data
			case "conflicts":
				c.conflicts = string(f.Data)
			default:
				t.Fatalf("%s: %q is no part of a case", c.title, f.Name)
			}
		}
	}
	return all
}

func TestCases(t *testing.T) {
	all := readCases(t)
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.title] {
			t.Errorf("two cases named %q", c.title)
		}
		seen[c.title] = true
		t.Run(c.title, func(t *testing.T) {
			got := Merge(c.base, c.ours, c.theirs, Options{Path: c.path})
			if diff := cmp.Diff(string(c.merged), string(got.Text)); diff != "" {
				t.Errorf("text (-want +got):\n%s\ngot:\n%s", diff, got.Text)
			}
			var conflicts strings.Builder
			for _, conflict := range got.Conflicts {
				conflicts.WriteString(conflict.Where + "\n")
			}
			if conflicts.String() != c.conflicts {
				t.Errorf("conflicts:\n%swant:\n%s", conflicts.String(), c.conflicts)
			}
			other := Merge(c.base, c.theirs, c.ours, Options{Path: c.path})
			if got.Clean() != other.Clean() || got.Clean() && !bytes.Equal(got.Text, other.Text) {
				t.Errorf("with the sides exchanged:\n%s%v", other.Text, other.Conflicts)
			}
			if lost := lostLines(c.base, c.ours, c.theirs, got); len(lost) > 0 && !strings.HasSuffix(c.path, ".yaml") {
				t.Errorf("lost %q", lost)
			}
		})
	}
	const least = 300
	if len(all) < least {
		t.Errorf("%d cases, want %d", len(all), least)
	}
}
