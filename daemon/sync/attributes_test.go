package sync

import (
	"slices"
	"testing"
)

// TestAttributesAreAppendedOnRequest has a user's own .gitattributes: setup says what it lacks, appends that
// only where it was asked to, and changes nothing of what is there; what the user says of such files counts.
func TestAttributesAreAppendedOnRequest(t *testing.T) {
	t.Parallel()
	const own = "*.png binary\r\n*.md merge=union"
	a := newMachine(t, "amber")
	a.write(".gitattributes", own)
	want := []string{"operations/** merge=kist", "sessions/** merge=kist"}
	if lines, err := a.engine.Attributes(); err != nil || !slices.Equal(lines, want) {
		t.Errorf("lacks %q, %v", lines, err)
	}
	remote := bare(t)
	a.setUp(remote)
	a.wants(".gitattributes", own)
	out, err := a.engine.Setup(t.Context(), Wanted{URL: remote, Attributes: true}, nil)
	if err != nil || !slices.Equal(out.Attributes, want) {
		t.Errorf("appended %q, %v", out.Attributes, err)
	}
	a.wants(".gitattributes", own+"\r\n\r\n"+attributesHead+"\r\noperations/** merge=kist\r\nsessions/** merge=kist\r\n")
	if lines, err := a.engine.Attributes(); err != nil || len(lines) != 0 {
		t.Errorf("lacks %q, %v", lines, err)
	}
	a.sync()
	a.clean()
}

// TestANewVaultsAttributesAreWhole: kist init writes what setup would append.
func TestANewVaultsAttributesAreWhole(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	if lines, err := a.engine.Attributes(); err != nil || len(lines) != 0 {
		t.Errorf("a new vault lacks %q, %v", lines, err)
	}
}
