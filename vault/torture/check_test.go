package torture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kist/vault/merge"
)

const (
	testFile  = "notes/f01.md"
	otherFile = "notes/f02.md"
)

// logged returns the records of an operation that changes a file, one for each event.
func logged(id, actor, file string, before, after []byte, events ...string) string {
	var b strings.Builder
	for i, event := range events {
		r := map[string]any{"id": id, "event": event}
		if i == 0 {
			r["actor"] = actor
			r["changes"] = []map[string]any{{
				"path": file, "before": hashOf(before), "after": hashOf(after), "patch": merge.Diff(file, before, after),
			}}
		}
		text, err := yaml.Marshal(r)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "---\n%s...\n", text)
	}
	return b.String()
}

// with returns a text with a line changed.
func with(text []byte, who string, n int) []byte {
	out, ok := setSlot(text, who, testFile, slot(who, testFile, n))
	if !ok {
		panic("no line of " + who)
	}
	return out
}

// This file tests the judge with scenes made up for it.

// Each kind of fault is planted and must be found, alone or with what it brings.
func TestFaultsAreFound(t *testing.T) {
	original := document(testFile)
	op := with(original, "k0", 7)               // what an operation leaves
	saved := with(op, "e1", 5)                  // and an editor upon that
	stale := with(original, "e1", 5)            // or with an old buffer
	more := append(slices.Clip(saved), "\n"...) // nobody's, but whole
	cut := saved[:len(saved)/2]                 // an editor's that is half written
	mine := slot("e1", testFile, 5)             // the editor's marker
	done := []string{"begun", "completed"}      // how an operation ends
	first := logged("A", "agent", testFile, original, op, done...)
	tests := []struct {
		name   string
		log    string
		text   []byte // of the file at the end; nil: it is gone
		others map[string][]byte
		edit   func(*scene)
		want   []string
	}{
		{name: "nothing happened", text: original},
		{name: "an operation", log: first, text: op},
		{name: "unacknowledged and not done", text: original, edit: func(s *scene) { s.acked = nil }},
		{name: "acknowledged and not in the log", text: original, edit: acked, want: []string{lostOp}},
		{name: "acknowledged and rolled back", log: logged("A", "agent", testFile, original, op, "begun", "rolled_back"),
			text: original, edit: acked, want: []string{lostOp}},
		{name: "an operation that vanished from the file", log: first, text: original, want: []string{broken, unlogged}},
		{name: "a failed operation that stands", log: first + logged("B", "user", testFile, op, original, "begun", "rolled_back"),
			text: original, edit: wrote(original, 5), want: []string{broken, stands}},
		{name: "an editor's save upon it", log: first, text: saved, edit: wrote(saved, 20), want: []string{broken}},
		{name: "logged", log: first + logged("B", "editor", testFile, op, saved, "completed"), text: saved, edit: wrote(saved, 20)},
		{name: "an old buffer's save upon it", log: first, text: stale, edit: wrote(stale, 20), want: []string{broken}},
		{name: "an old save that came back", log: first, text: stale, edit: wrote(stale, 5), want: []string{broken, lostOp}},
		{name: "appended to what an undo brought back", log: first + logged("B", "user", testFile, op, original, done...),
			text: append(slices.Clone(original), addition("e1", testFile, 3)+"\n"...),
			edit: func(s *scene) { wrote(original, 5)(s); s.acked["B"] = 11 }, want: []string{broken}},
		{name: "a text that nobody wrote", log: first, text: more, want: []string{broken, unlogged}},
		{name: "a torn file", log: first, text: cut, want: []string{broken, tornFile}},
		{name: "half a save in the log", log: logged("A", "agent", testFile, original, cut, done...), text: cut, want: []string{half}},
		{name: "begun", log: logged("A", "agent", testFile, original, op, "begun"), text: original, want: []string{unended}},
		{name: "approved", log: logged("A", "agent", testFile, original, op, "proposed", "approved"), text: original, want: []string{stuck}},
		{name: "a lost save", text: original, edit: expects(mine), want: []string{lostSave}},
		{name: "a save in a conflict copy", text: original, edit: expects(mine),
			others: map[string][]byte{"notes/f01 (conflict 2026-11-20 101500).md": saved}, want: []string{broken}},
		{name: "a conflict copy of another document", text: original,
			others: map[string][]byte{"notes/f01 (conflict 2026-11-20 101500).md": document(otherFile)}, want: []string{broken, badCopy}},
		{name: "a save that an operation deleted", log: logged("A", "agent", testFile, saved, nil, done...), text: nil,
			edit: expects(mine), want: []string{broken}},
		{name: "a save that the log only mentions", log: logged("A", "editor", testFile, original, stale, done...) + logged("B", "editor", testFile, stale, original, done...),
			text: original, edit: expects(mine), want: []string{lostSave}},
		{name: "a document that vanished", log: first, text: nil, edit: acked, want: []string{broken, lostOp}},
		{name: "a patch that doesn't lead back", log: strings.Replace(first, "+k0 f01 s00000007", "+k0 f01 s00000008", 1), text: op, want: []string{badUndo}},
		{name: "a temporary file", text: original, edit: func(s *scene) { s.temps = []string{".kist-x.tmp"} }, want: []string{tempLeft}},
		{name: "a follower", text: original, edit: func(s *scene) { s.differences = []string{"f01.md: missing"} }, want: []string{astray}},
		{name: "a turn", text: original, edit: func(s *scene) { s.turned = []string{"T"} }, want: []string{lostOp}},
	}
	planted := map[string]bool{}
	for _, tt := range tests {
		for _, kind := range tt.want {
			planted[kind] = true
		}
		t.Run(tt.name, func(t *testing.T) {
			s := newScene()
			s.original = map[string][]byte{testFile: original}
			s.now = map[string][]byte{}
			if tt.text != nil {
				s.now[testFile] = tt.text
			}
			for file, text := range tt.others {
				s.now[file] = text
			}
			s.log.parse([]byte(tt.log))
			if tt.edit != nil {
				tt.edit(s)
			}
			faults, _ := s.faults()
			var got []string
			for _, f := range faults {
				got = append(got, f.kind)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if got = slices.Compact(got); !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", faults, tt.want)
			}
		})
	}
	for _, kind := range faultKinds() {
		if !planted[kind] {
			t.Errorf("%q is never planted", kind)
		}
	}
}

func acked(s *scene) { s.acked["A"] = 10 }

// wrote says that an editor wrote a text at a time; operation A began at 10.
func wrote(text []byte, at int64) func(*scene) {
	return func(s *scene) {
		acked(s)
		s.versions[testFile] = map[uint64]int64{sum(text): at}
	}
}

func expects(markers ...string) func(*scene) {
	return func(s *scene) {
		s.expect[testFile] = markers
		s.versions[testFile] = map[uint64]int64{1: 1}
	}
}

// A document cut anywhere is torn, and so is one with a byte changed or a line
// too much or in the wrong place.
func TestTorn(t *testing.T) {
	text := document(testFile)
	if why := torn(text, testFile); why != "" {
		t.Fatalf("a new document: %s", why)
	}
	appended := append(slices.Clone(text), addition("e1", testFile, 3)+"\n"...)
	if why := torn(appended, testFile); why != "" {
		t.Errorf("an appended line: %s", why)
	}
	for n := range text {
		if torn(text[:n], testFile) == "" {
			t.Errorf("cut to %d bytes: not torn", n)
		}
	}
	changed := slices.Clone(text)
	changed[len(changed)/2] ^= 1
	for what, text := range map[string][]byte{
		"a changed byte":    changed,
		"twice":             slices.Concat(text, text),
		"of another":        document(otherFile),
		"a foreign line":    append(slices.Clone(text), addition("e1", otherFile, 3)+"\n"...),
		"appended too soon": append([]byte(addition("e1", testFile, 3)+"\n"), text...),
	} {
		if torn(text, testFile) == "" {
			t.Errorf("%s: not torn", what)
		}
	}
}
