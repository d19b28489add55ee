package markdown

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// specExamples returns the examples of the CommonMark specification, version
// 0.31, and of goldmark's extensions, from where the go command keeps goldmark.
func specExamples(t *testing.T) map[string]string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal("where goldmark is: ", err)
	}
	root := strings.TrimSpace(string(dir))
	data, err := os.ReadFile(filepath.Join(root, "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec []struct {
		Example  int
		Markdown string
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	for _, e := range spec {
		examples[fmt.Sprintf("example %d", e.Example)] = e.Markdown
	}
	if len(examples) < 652 {
		t.Fatalf("%d examples in the specification", len(examples))
	}
	for _, name := range []string{"tasklist", "table", "strikethrough", "linkify", "footnote", "definition_list", "typographer"} {
		data, err := os.ReadFile(filepath.Join(root, "extension", "_test", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for i, test := range strings.Split(string(data), "//= = =") {
			parts := strings.Split(test, "//- - - - - - - - -//\n")
			if len(parts) == 3 {
				examples[fmt.Sprintf("%s %d", name, i+1)] = parts[1]
			}
		}
	}
	if len(examples) < 652+60 {
		t.Fatalf("%d examples", len(examples))
	}
	return examples
}

// TestSpecificationExamples holds the outline of each example against goldmark's,
// and makes each edit in it: the headings and items that it isn't about stay.
func TestSpecificationExamples(t *testing.T) {
	var sections, items, made, refused int
	for name, text := range specExamples(t) {
		wantHeadings, wantItems := reference([]byte(text))
		headings, gotItems := found([]byte(text))
		if diff := cmp.Diff(wantHeadings, headings) + cmp.Diff(wantItems, gotItems); diff != "" {
			t.Errorf("%s: %q: %s", name, text, diff)
		}
		sections, items = sections+len(headings), items+len(gotItems)
		for _, src := range []string{text, "---\na: 1\n---\n" + text, strings.ReplaceAll(text, "\n", "\r\n")} {
			n, m := editAll(t, name, []byte(src))
			made, refused = made+n, refused+m
		}
	}
	t.Logf("%d headings, %d items; %d edits made, %d refused", sections, items, made, refused)
	if sections < 50 || items < 5 || made < 10*refused {
		t.Error("less was tested than should be")
	}
}

// editAll makes every kind of edit at every place of a document and checks what
// else is in it.
func editAll(t *testing.T, name string, src []byte) (made, refused int) {
	doc := Parse(src)
	o := doc.blocks()
	check := func(what string, edit Edit, err error, headings []string, items []Item) {
		t.Helper()
		if err != nil {
			refused++
			sentinel := ErrUnsupported
			if errors.Is(err, ErrFrontMatter) {
				sentinel = ErrFrontMatter // example 96 starts with a line of dashes
			}
			wantPlace(t, name+", "+what, err, sentinel)
			return
		}
		made++
		after := Parse(edit.Apply(src)).blocks()
		same := slices.EqualFunc(after.items, items, func(a, b Item) bool { return a.Mark == b.Mark && a.Text == b.Text })
		if !same || !slices.Equal(after.outlined(), headings) {
			t.Errorf("%s, %s: %q becomes %q: %q %+v", name, what, src, after.src, after.outlined(), after.items)
		}
	}
	headings := o.outlined()
	for i, item := range o.items {
		want := slices.Clone(o.items)
		want[i].Text = "new #text"
		edit, err := doc.EditItem(item.Line, "new #text")
		check("EditItem", edit, err, headings, want)
		want = slices.Clone(o.items)
		want[i].Mark = 'x'
		if item.Checked {
			want[i].Mark = ' '
		}
		edit, err = doc.CheckItem(item.Line, !item.Checked)
		check("CheckItem", edit, err, headings, want)
	}
	edit, err := doc.SetProperty("new", "1")
	check("SetProperty", edit, err, headings, o.items)
	named := map[string]int{}
	for _, s := range doc.Sections() {
		if s.Level == 0 || s.Heading() == "" {
			continue
		}
		key := strings.ToLower(s.Heading())
		named[key]++
		ref := fmt.Sprintf("%s#%d", s.Heading(), named[key])
		i := slices.IndexFunc(o.headings, func(h heading) bool { return h.start == s.Start })
		end := i + 1
		for end < len(o.headings) && o.headings[end].level > s.Level {
			end++
		}
		for _, how := range []How{Append, Prepend} {
			edit, err := doc.EditSection(ref, how, []byte("new text"))
			check(string(how), edit, err, headings, o.items)
		}
		edit, err := doc.InsertSection(ref, 0, "new heading", []byte("new text"))
		check("InsertSection", edit, err, slices.Insert(slices.Clone(headings), end, fmt.Sprint(s.Level, " new heading")), o.items)
		edit, err = doc.InsertSectionBefore(ref, 3, "new heading", nil)
		check("InsertSectionBefore", edit, err, slices.Insert(slices.Clone(headings), i, "3 new heading"), o.items)
	}
	before := doc.lastItems()
	edit, err = doc.AppendItem("", "[/] new item")
	check("AppendItem", edit, err, headings, slices.Insert(slices.Clone(o.items), before, Item{Mark: '/', Text: "new item"}))
	return made, refused
}

// lastItems returns how many checkboxes are before the end of the document's
// last list, or of the document where its last section has no list.
func (d *Document) lastItems() int {
	o := d.blocks()
	start := d.layout.body
	if n := len(o.headings); n > 0 {
		start = o.headings[n-1].next
	}
	l := o.lastList(start, len(d.src))
	if l == nil {
		return len(o.items)
	}
	return len(slices.DeleteFunc(slices.Clone(o.items), func(i Item) bool { return i.at > l.end }))
}
