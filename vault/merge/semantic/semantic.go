package semantic

import (
	"bytes"
	"path"
	"strings"

	"kist/vault/merge"
	"kist/vault/merge/dates"
	"kist/vault/merge/kinds"
	"kist/vault/merge/shape"
)

// Options say what is merged.
type Options struct {
	Path string // the document's path in the vault, with forward slashes; it decides what kind of file it is
}

// maxText is the size up to which a text is merged by meaning, in bytes: the limit
// for parsing Markdown. Larger ones are merged by lines.
const maxText = 1 << 20

// Merge merges ours and theirs, both made from base, by meaning. A nil text is no
// file: without a base both sides created it, and of a file that one side deleted
// and the other changed the change is kept.
//
// Where one side changed nothing the text is that of the other, byte for byte.
// What neither side changed is untouched, but for the numbers of a list to which both
// added. A text with a zero byte is not merged: if both changed it, ours stays.
//
// A result without conflicts doesn't depend on which side is which. What both put at
// one place stands in an order of its own: by time, as the letters go, or against
// them where all that was there does.
func Merge(base, ours, theirs []byte, o Options) Result {
	switch {
	case equal(ours, theirs), equal(base, theirs):
		return Result{Text: ours}
	case equal(base, ours), ours == nil:
		return Result{Text: theirs}
	case theirs == nil:
		return Result{Text: ours}
	}
	var t triple
	var shapes [versions]shape.Shape
	for v, text := range [][]byte{base, ours, theirs} {
		t[v], shapes[v] = shape.Of(text)
		if shapes[v].Binary {
			return unmerged(base, ours, theirs)
		}
	}
	if shapes[inBase].Broken || shapes[inOurs].Broken || shapes[inTheirs].Broken || max(len(t[inBase]), len(t[inOurs]), len(t[inTheirs])) > maxText {
		if text, err := merge.Lines(base, ours, theirs); err == nil {
			return Result{Text: text}
		}
		return unmerged(base, ours, theirs)
	}
	text, conflicts := mergeFile(t, o.Path)
	return Result{Text: shape.Merge(text, t, shapes, base != nil), Conflicts: conflicts}
}

// equal also tells no file from an empty one.
func equal(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// unmerged is the result where nothing of theirs can be taken.
func unmerged(base, ours, theirs []byte) Result {
	return Result{Text: ours, Conflicts: []Conflict{{Where: "file", Base: string(base), Ours: string(ours), Theirs: string(theirs)}}}
}

// mergeFile merges texts of one shape. Where meaning finds a conflict and lines find none,
// lines decide.
func mergeFile(t triple, name string) (string, []Conflict) {
	if text, ok := t.settled(); ok {
		return text, nil
	}
	if kinds.IsPatterns(name) {
		return mergePatterns(t), nil
	}
	if kinds.IsMachines(name) {
		return max(t[inOurs], t[inTheirs]), nil
	}
	if kinds.IsView(name) {
		t[inOurs], t[inTheirs] = max(t[inOurs], t[inTheirs]), min(t[inOurs], t[inTheirs])
		if text, _, ok := mergeWholeJSON(t); ok {
			return text, nil
		}
		return t[inOurs], nil
	}
	var text string
	var conflicts []Conflict
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".md", ".markdown":
		text, conflicts = mergeDocument(t)
	case ".yaml", ".yml":
		text, conflicts = mergeYAML(t, name)
	case ".canvas", ".json":
		var ok bool
		if ext == ".json" {
			text, conflicts, ok = mergeWholeJSON(t)
		} else {
			text, conflicts, ok = mergeCanvas(t, written)
		}
		if !ok {
			text, conflicts = linesOnly(t)
		}
	default:
		text, conflicts = linesOnly(t)
	}
	if len(conflicts) == 0 {
		return text, nil
	}
	if lines, err := merge.Lines([]byte(t[inBase]), []byte(t[inOurs]), []byte(t[inTheirs])); err == nil {
		return string(lines), nil
	}
	return text, conflicts
}

// written merges what is written on something.
func written(base, ours, theirs string) (string, bool) {
	r := Merge([]byte(base), []byte(ours), []byte(theirs), Options{Path: "text.md"})
	return string(r.Text), r.Clean()
}

// linesOnly merges by lines; what collides is as ours have it.
func linesOnly(t triple) (string, []Conflict) {
	text, clean := mergeLines(t)
	if clean {
		return text, nil
	}
	return text, []Conflict{{Where: "file", Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]}}
}

// complete reports whether each word that a side brought in is in the text or told in a conflict.
// It is the net below everything else here: a merge that loses one is not used.
func complete(t triple, text string, conflicts ...Conflict) bool {
	have := map[string]bool{}
	note := func(text string) {
		for _, w := range bareWords(text) {
			have[w] = true
		}
	}
	note(t[inBase] + "\n" + text)
	for _, c := range conflicts {
		note(c.Ours + "\n" + c.Theirs)
	}
	for _, w := range bareWords(dates.DoneOn.ReplaceAllString(t[inOurs]+"\n"+t[inTheirs], "")) { // of two days of DoneOnce one is gone
		if !have[w] {
			return false
		}
	}
	return true
}

// bareWords returns the words of a text, without signs and in lower case.
func bareWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !saying(r) })
}
