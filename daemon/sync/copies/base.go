package copies

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Version is what a document was at a time.
type Version struct {
	Text []byte
	At   time.Time // when it was committed
}

// Earlier are the versions from before a copy was made, as its name says; none where it doesn't.
func (c Copy) Earlier(versions []Version) []Version {
	made := c.made()
	return slices.DeleteFunc(slices.Clone(versions), func(v Version) bool { return !v.At.Before(made) })
}

// Base returns what a document and a copy of it were made from: of the document's versions (newest first) from before the copy,
// the one that differs from the copy in the fewest lines, of equals the oldest, among those that are alike and whose change from
// the version before it the copy has wholly. Nil: none is, or nobody can be sure.
//
// A version that is older than the true one costs a contradiction at most. A newer one would have what was written since taken for
// deleted by the copy, and that is what the rule is to exclude.
func Base(theirs []byte, versions []Version) (base []byte) {
	least, copied := 0, counted(theirs)
	var before map[string]int
	for _, v := range slices.Backward(versions) {
		now := counted(v.Text)
		n := 0
		for _, line := range union(now, copied) {
			n += max(now[line]-copied[line], copied[line]-now[line])
		}
		if has(copied, before, now) && Alike(v.Text, theirs) && (base == nil || n < least) {
			base, least = v.Text, n
		}
		before = now
	}
	return base
}

// has reports whether a text has all that a change did; nil: of a first version nothing is wanted.
func has(text, before, after map[string]int) bool {
	for _, line := range union(before, after) {
		if b, a, n := before[line], after[line], text[line]; before != nil && (a > b && n < a || a < b && n > a) {
			return false
		}
	}
	return true
}

// counted are the lines of a text, but for blank ones.
func counted(text []byte) map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line]++
		}
	}
	return lines
}

func union(a, b map[string]int) (all []string) {
	for line := range a {
		all = append(all, line)
	}
	for line := range b {
		if _, both := a[line]; !both {
			all = append(all, line)
		}
	}
	return all
}

var day = regexp.MustCompile(`(\d{4})-?(\d\d)-?(\d\d)(?:[ -](\d{6})\b)?`)

// made is when a copy was made by its name, in the time of this machine, or the end of that day; zero: it doesn't say.
func (c Copy) made() time.Time {
	m := day.FindStringSubmatch(c.Note)
	if m == nil {
		return time.Time{}
	}
	if m[4] == "" {
		m[4] = "235959"
	}
	at, err := time.ParseInLocation("20060102150405", strings.Join(m[1:], ""), time.Local)
	if err != nil {
		return time.Time{}
	}
	return at
}
