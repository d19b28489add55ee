package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A count that can't be read is told of, before and after it began anew.
func TestUseFault(t *testing.T) {
	for name, tc := range map[string]struct {
		file, text, want string
	}{
		"none":    {},
		"sound":   {"tokens.json", `{"2026-11-20":{"tokens":3}}`, ""},
		"an old":  {"tokens.json", `{"2026-11-20":3}`, ""},
		"half":    {"tokens.json", `{"2026-11-20":{"tok`, "can't be read"},
		"a list":  {"tokens.json", `[1]`, "can't be read"},
		"folder":  {"tokens.json/x", "", "not a regular file"},
		"aside":   {"tokens.damaged", "{", "began anew"},
		"aside/x": {"tokens.damaged/x", "", "began anew"},
	} {
		dir := t.TempDir()
		if tc.file != "" {
			p := filepath.Join(dir, ".kist", tc.file)
			if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := UseFault(dir); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
