package entity_test

import (
	"testing"

	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// Front matter is made behind a byte order mark, and an edit that would make some of the
// body is refused.
func TestSetPropertyBehindAByteOrderMark(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	for text, want := range map[string]string{
		bom:                bom + "---\ntags: x\n---\n",
		bom + "# B\nx\n":   bom + "---\ntags: x\n---\n# B\nx\n",
		bom + "# B\r\nx\r": bom + "---\r\ntags: x\r\n---\r\n# B\r\nx\r",
		"# B\n":            "---\ntags: x\n---\n# B\n",
	} {
		v := vaulttest.New(t, "-- a.md --\n")
		save(t, v, "a.md", text)
		step, err := entity.PlanSetProperty(v, "a.md", "tags", "x")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := string(step.Changes[0].After); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	v := vaulttest.New(t, "-- a.md --\n")
	save(t, v, "a.md", bom+"---\nopen: 1\n")
	if _, err := entity.PlanAppendNote(v, "a.md", "---\nmore"); err == nil {
		t.Error("a fence that stood open was closed")
	}
}
