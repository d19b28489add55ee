package validate

import (
	"strings"
	"testing"
)

// TestPlain: what protovalidate says of a rule, in the words of people.
func TestPlain(t *testing.T) {
	for said, want := range map[string]string{
		"name: does not match regex pattern `^[a-z0-9][a-z0-9._-]{0,39}$`":     "name: must be a short name of small",
		"due: does not match regex pattern `^([0-9]{4}-[0-9]{2}-[0-9]{2})?$`":  "due: must be a date such as 2026-12-31",
		"digest: does not match regex pattern `^[0-9a-f]{64}$`":                "digest: must be a SHA-256",
		"request_id: does not match regex pattern `^([A-Za-z0-9._-]{8,64})?$`": "request_id: must be 8 to 64 letters",
	} {
		if got := plain(said); !strings.HasPrefix(got, want) || strings.Contains(got, "regex") {
			t.Errorf("%q becomes %q", said, got)
		}
	}
	if got := plain(`status: must be in list ["", all, active]`); got != "status: must be all or active" {
		t.Errorf("%q", got)
	}
}
