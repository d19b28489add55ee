package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// applied makes an edit in src, checks that all outside of its span is as it was
// and that the inverse gives src back, and parses the result.
func applied(t *rapid.T, src []byte, edit Edit) *Document {
	after := edit.Apply(src)
	outside(t, src, after, edit)
	inverse := Edit{Start: edit.Start, End: edit.Start + len(edit.Text), Text: src[edit.Start:edit.End]}
	if !bytes.Equal(inverse.Apply(after), src) {
		t.Fatalf("%q: the inverse of %+v differs", src, edit)
	}
	return Parse(after)
}

// drawSection draws a section that has a name, and that name.
func drawSection(t *rapid.T, doc *Document) (Section, string, bool) {
	sections := doc.Sections()
	if len(sections) == 0 {
		return Section{}, "", false
	}
	i := rapid.IntRange(0, len(sections)-1).Draw(t, "section")
	s, n := sections[i], 0
	for _, other := range sections[:i+1] {
		if other.Level > 0 && strings.EqualFold(other.Heading(), s.Heading()) {
			n++
		}
	}
	return s, fmt.Sprintf("%s#%d", s.Heading(), n), s.Level > 0 && s.Heading() != ""
}

func TestInsertSectionAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		s, name, ok := drawSection(t, doc)
		if !ok {
			return
		}
		level := rapid.IntRange(0, 6).Draw(t, "level")
		text := rapid.SampledFrom([]string{"", "new text", "- a\n- b\n", "```\n# c\n```"}).Draw(t, "text")
		insert, before := doc.InsertSection, rapid.Bool().Draw(t, "before")
		if before {
			insert = doc.InsertSectionBefore
		}
		edit, err := insert(name, level, "new heading", []byte(text))
		if errors.Is(err, ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatalf("%s of %q: %v", name, src, err)
		}
		if level == 0 {
			level = s.Level
		}
		headings, after := doc.blocks().outlined(), applied(t, src, edit)
		i := slices.IndexFunc(doc.blocks().headings, func(h heading) bool { return h.start == s.Start })
		if !before {
			for i++; i < len(headings) && doc.blocks().headings[i].level > s.Level; i++ {
			}
		}
		want := slices.Insert(slices.Clone(headings), i, fmt.Sprint(level, " new heading"))
		if got := after.blocks().outlined(); !slices.Equal(got, want) {
			t.Fatalf("%q to %q: headings %q, want %q", src, after.src, got, want)
		}
		nl := lineEnding(src)
		if got, _ := after.SectionText("new heading"); got != strings.ReplaceAll(strings.TrimSpace(text), "\n", nl) {
			t.Fatalf("%q reads back from %q as %q", text, after.src, got)
		}
	})
}

func TestAppendItemAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		s, name, ok := drawSection(t, doc)
		if !ok {
			return
		}
		edit, err := doc.AppendItem(name, "new item")
		if errors.Is(err, ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatalf("%s of %q: %v", name, src, err)
		}
		after := applied(t, src, edit)
		if got, want := after.blocks().outlined(), doc.blocks().outlined(); !slices.Equal(got, want) {
			t.Fatalf("%q to %q: headings %q, want %q", src, after.src, got, want)
		}
		now := after.blocks().lastList(s.ContentStart, s.End+len(edit.Text))
		was := doc.blocks().lastList(s.ContentStart, s.End)
		switch {
		case !bytes.HasSuffix(bytes.TrimRight(after.src[:now.end], "\r\n"), []byte("new item")):
			t.Fatalf("%q to %q: it is not the last item", src, after.src)
		case was == nil && (now.items != 1 || now.marker != "-"):
			t.Fatalf("%q to %q: new list %+v", src, after.src, now)
		case was != nil && (now.items != was.items+1 || now.indent != was.indent || !sameList(now.marker, was.marker) ||
			was.items > 1 && now.loose != was.loose || (was.boxes == was.items) != (now.boxes == was.boxes+1)):
			t.Fatalf("%q to %q: list %+v becomes %+v", src, after.src, was, now)
		}
	})
}

func TestEditItemAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		for i, item := range doc.Items() {
			edit, err := doc.EditItem(item.Line, " # [new] `text` ")
			if errors.Is(err, ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("line %d of %q: %v", item.Line, src, err)
			}
			after := applied(t, src, edit)
			want := slices.Clone(doc.Items())
			want[i].Text = "# [new] `text`"
			if !slices.EqualFunc(after.Items(), want, func(a, b Item) bool { return a.Line == b.Line && a.Mark == b.Mark && a.Text == b.Text }) {
				t.Fatalf("line %d of %q: %+v, want %+v", item.Line, src, after.Items(), want)
			}
			if item.Text == "" {
				continue
			}
			back, err := after.EditItem(item.Line, item.Text)
			if err != nil || !bytes.Equal(back.Apply(after.src), src) {
				t.Fatalf("line %d of %q: edit and edit back: %q, %v", item.Line, src, back.Apply(after.src), err)
			}
		}
	})
}

func TestAddAndRemoveAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		front, err := doc.FrontMatter()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(front.keys(), Property{Key: "new"}) {
			old := front.Strings(p.Key)
			edit, err := doc.AddToProperty(p.Key, "new, value")
			if errors.Is(err, ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("%s of %q: %v", p.Key, src, err)
			}
			after := applied(t, src, edit)
			now, err := after.FrontMatter()
			if err != nil || !slices.Equal(now.Strings(p.Key), append(slices.Clone(old), "new, value")) {
				t.Fatalf("%s of %q: %q, %v", p.Key, after.src, now.Strings(p.Key), err)
			}
			back, err := after.RemoveFromProperty(p.Key, `"new, value"`)
			if err != nil {
				t.Fatalf("%s of %q: %v", p.Key, after.src, err)
			}
			if e := front.entry(p.Key); e != nil && len(e.value.Content) > 0 && !bytes.Equal(back.Apply(after.src), src) {
				t.Fatalf("add and remove: %q to %q", src, back.Apply(after.src))
			}
		}
	})
}

func TestSetPropertiesIsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		settings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Setting {
			return Setting{
				Key:   fmt.Sprintf("k%d", rapid.IntRange(0, 7).Draw(t, "key")),
				Value: rapid.SampledFrom([]string{"x", "[a, b]", "", "\"q: # x\""}).Draw(t, "value"),
				Unset: rapid.Bool().Draw(t, "unset"),
			}
		}), 0, 4).Draw(t, "settings")
		edit, err := Parse(src).SetProperties(settings)
		if errors.Is(err, ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatalf("%+v in %q: %v", settings, src, err)
		}
		after := applied(t, src, edit)
		want := src
		for _, s := range settings {
			one, err := Parse(want).SetProperty(s.Key, s.Value)
			if s.Unset {
				one, err = Parse(want).UnsetProperty(s.Key)
			}
			if err != nil && !errors.Is(err, ErrNoProperty) {
				t.Fatal(err)
			}
			want = one.Apply(want)
		}
		if !bytes.Equal(after.src, want) {
			t.Fatalf("%+v in %q: %q, one by one %q", settings, src, after.src, want)
		}
		if edit.End > Parse(src).BodyStart() {
			t.Fatalf("%+v in %q: the span %d:%d reaches into the text", settings, src, edit.Start, edit.End)
		}
	})
}

// keys is Keys, also where there is no front matter.
func (f *FrontMatter) keys() []Property {
	if f == nil {
		return nil
	}
	return f.Keys()
}
