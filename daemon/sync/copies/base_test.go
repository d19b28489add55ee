package copies

import (
	"slices"
	"testing"
	"time"
)

// TestBase: a document's versions, a minute from each other and oldest first, and which of them a copy was made from.
func TestBase(t *testing.T) {
	begun := time.Date(2026, 11, 27, 10, 0, 0, 0, time.Local)
	for name, c := range map[string]struct {
		versions []string
		copied   string
		note     string
		want     int // -1: none
	}{
		"the newest":                    {[]string{"a\nb\n", "a\nb\nc\n"}, "a\nb\nc\nmine\n", "20261127-101010-ABCDEFG", 1},
		"what came since isn't deleted": {[]string{"a\nb\n", "a\nb\nc\n"}, "a\nb\nmine\n", "20261127-101010-ABCDEFG", 0},
		"from after the copy":           {[]string{"a\nb\n", "a\nb\nc\n"}, "a\nb\nc\n", "conflicted copy 2026-11-27 100030", 0},
		"of that day":                   {[]string{"a\nb\n", "a\nb\nc\n"}, "a\nb\nc\nd\n", "Ann's conflicted copy 2026-11-27", 1},
		"no time in the name":           {[]string{"a\nb\n", "a\nB\n"}, "a\nB\nd\n", "2", -1},
		"both wrote one line":           {[]string{"a\nb\nx\n", "a\nb\ny\nz\n"}, "a\nb\ny\n", "20261127-101010-ABCDEFG", 0},
		"a version in between":          {[]string{"a\nb\n", "a\nb\nc\n", "a\nb\nc\nd\n"}, "a\nb\nc\nmine\n", "20261127-101010-ABCDEFG", 1},
		"another text":                  {[]string{"a\nb\n"}, "c\nd\n", "20261127-101010-ABCDEFG", -1},
		"none":                          {nil, "c\nd\n", "20261127-101010-ABCDEFG", -1},
	} {
		var versions []Version
		for i, text := range c.versions {
			versions = append(versions, Version{[]byte(text), begun.Add(time.Duration(i) * time.Minute)})
		}
		slices.Reverse(versions)
		want := ""
		if c.want >= 0 {
			want = c.versions[c.want]
		}
		if got := Base([]byte(c.copied), Copy{Note: c.note}.Earlier(versions)); string(got) != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
