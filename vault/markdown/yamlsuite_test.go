package markdown

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

// suiteCases reads the inputs of the YAML test suite; the file says whose they are.
func suiteCases(t *testing.T) []suiteCase {
	data, err := os.ReadFile("testdata/yaml-test-suite.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []suiteCase }
	if err := json.Unmarshal(data, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Cases) != 402 {
		t.Fatalf("%d cases", len(suite.Cases))
	}
	return suite.Cases
}

type suiteCase struct {
	ID, Name, YAML string
	Fail           bool
}

// TestYAMLSuite puts each case of the suite into front matter. Each key must be
// editable, or refused with its line and column; so must a new key. An edit and
// its inverse give back the same bytes.
func TestYAMLSuite(t *testing.T) {
	var invalid, set, refused, added, closed int
	for _, c := range suiteCases(t) {
		for _, nl := range []string{"\n", "\r\n"} {
			text := c.YAML
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			src := []byte(strings.ReplaceAll("---\n"+text+"---\n# T\n", "\n", nl))
			doc := Parse(src)
			front, err := doc.properties()
			if err != nil {
				wantPlace(t, c.ID, err, ErrFrontMatter)
				invalid++
				continue
			}
			for _, p := range front.Keys() {
				if replaceAndRestore(t, c.ID, src, p) {
					set++
				} else {
					refused++
				}
			}
			if addAndRemove(t, c.ID, src) {
				added++
			} else {
				closed++
			}
		}
	}
	t.Logf("front matter: %d invalid, %d with a key added, %d refused; keys: %d set, %d refused", invalid, added, closed, set, refused)
	// Refused are braces around all, and keys that are written as "? key", with a
	// tag or an anchor, or that have a part in an alias.
	if added < 2*174 || set < 2*140 || closed > 2*8 {
		t.Error("less can be edited than before")
	}
}

// wantPlace checks that an error is a sentinel and says where.
func wantPlace(t *testing.T, name string, err, sentinel error) {
	t.Helper()
	var syntax *SyntaxError
	var unsupported *UnsupportedError
	switch {
	case !errors.Is(err, sentinel):
	case errors.As(err, &syntax) && syntax.Line > 0 && syntax.Column > 0:
		return
	case errors.As(err, &unsupported) && unsupported.Line > 0 && unsupported.Column > 0:
		return
	}
	t.Errorf("%s: error %v without a place", name, err)
}

// replaceAndRestore sets a key that is there and undoes that by the inverse edit.
func replaceAndRestore(t *testing.T, name string, src []byte, p Property) bool {
	t.Helper()
	doc := Parse(src)
	edit, err := doc.SetProperty(p.Key, `"new: value"`)
	if err != nil {
		if !errors.Is(err, ErrValue) { // a key that can't be named, as an empty one
			wantPlace(t, name, err, ErrUnsupported)
		}
		return false
	}
	after := edit.Apply(src)
	now, err := Parse(after).properties()
	if err != nil || now.String(p.Key) != "new: value" {
		t.Errorf("%s: %q to %q: %v", name, src, after, err)
		return false
	}
	inverse := Edit{Start: edit.Start, End: edit.Start + len(edit.Text), Text: src[edit.Start:edit.End]}
	if !bytes.Equal(inverse.Apply(after), src) {
		t.Errorf("%s: the inverse of %+v differs", name, edit)
	}
	return true
}

// addAndRemove adds a key and removes it again.
func addAndRemove(t *testing.T, name string, src []byte) bool {
	t.Helper()
	doc := Parse(src)
	edit, err := doc.SetProperty("kist-new", "[x]")
	if err != nil {
		wantPlace(t, name, err, ErrUnsupported)
		return false
	}
	after := edit.Apply(src)
	gone, err := Parse(after).UnsetProperty("kist-new")
	if err != nil {
		front, _ := doc.properties()
		if !front.Has("<<") {
			t.Errorf("%s: %q can't be undone: %v", name, after, err)
		}
		return true
	}
	if !bytes.Equal(gone.Apply(after), src) {
		t.Errorf("%s: set and unset: %q to %q", name, src, gone.Apply(after))
	}
	return true
}
