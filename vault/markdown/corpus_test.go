package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpus edits every Markdown file of the folder that KIST_CORPUS names, in
// memory: a property set, each that is there set anew, an item added, a section
// inserted. It prints how many could be edited and why the others could not.
func TestCorpus(t *testing.T) {
	root := os.Getenv("KIST_CORPUS")
	if root == "" {
		t.Skip("KIST_CORPUS names no folder of Markdown files to edit")
	}
	c := corpus{t: t, refusals: map[string]int{}}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil {
			c.file(path, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.files == 0 {
		t.Fatal("no Markdown files in ", root)
	}
	t.Logf("%d files, %d with front matter; front matter editable in %d, refused in %d; %d keys set, %d other edits",
		c.files, c.front, c.edited, c.files-c.edited, c.keys, c.edits)
	for reason, n := range c.refusals {
		t.Logf("refused %d times: %s", n, reason)
	}
}

// corpus counts what came of the edits.
type corpus struct {
	t                                 *testing.T
	files, front, edited, keys, edits int
	refusals                          map[string]int
}

func (c *corpus) file(path string, src []byte) {
	doc := Parse(src)
	c.files++
	front, err := doc.properties()
	if err != nil {
		wantPlace(c.t, path, err, ErrFrontMatter)
		c.refused(path, "front matter", err)
		return
	}
	edit, err := doc.SetProperty("kist-corpus", "[x]")
	if err != nil {
		c.refused(path, "new key", err)
		return
	}
	c.edited++
	after := edit.Apply(src)
	if edit.Start != edit.End {
		c.t.Errorf("%s: a new key replaces %q", path, src[edit.Start:edit.End])
	}
	back, err := Parse(after).UnsetProperty("kist-corpus")
	switch {
	case err != nil:
		c.t.Errorf("%s: the new key can't be removed: %v", path, err)
	case front != nil && !bytes.Equal(back.Apply(after), src):
		c.t.Errorf("%s: not the same after set and unset", path)
	}
	if front != nil {
		c.front++
		for _, p := range front.Keys() {
			c.keys += c.count(path, "key "+p.Key, src, func() (Edit, error) { return doc.SetProperty(p.Key, `"new: value"`) })
		}
	}
	c.edits += c.count(path, "item", src, func() (Edit, error) { return doc.AppendItem("", "new item") })
	for i, s := range doc.Sections() {
		if i%10 == 1 && s.Level > 0 {
			c.edits += c.count(path, "section", src, func() (Edit, error) {
				return doc.InsertSection(strings.Join(s.Path, " > "), 0, "new heading", []byte("new text"))
			})
		}
	}
}

// count makes an edit and its inverse; 1 if it was not refused.
func (c *corpus) count(path, what string, src []byte, make func() (Edit, error)) int {
	edit, err := make()
	if err != nil {
		if !errors.Is(err, ErrAmbiguous) && !errors.Is(err, ErrNoSection) {
			wantPlace(c.t, path, err, ErrUnsupported)
		}
		c.refused(path, what, err)
		return 0
	}
	after := edit.Apply(src)
	inverse := Edit{Start: edit.Start, End: edit.Start + len(edit.Text), Text: src[edit.Start:edit.End]}
	if !bytes.Equal(inverse.Apply(after), src) {
		c.t.Errorf("%s: the inverse of the edit of %s differs", path, what)
	}
	return 1
}

func (c *corpus) refused(path, what string, err error) {
	reason := err.Error()
	if i := strings.LastIndex(reason, ": "); i >= 0 {
		reason = reason[i+2:]
	}
	c.refusals[fmt.Sprintf("%s: %s", strings.Fields(what)[0], reason)]++
	if testing.Verbose() {
		c.t.Logf("%s: %s: %v", path, what, err)
	}
}
