package box_test

import (
	"testing"

	"kist/vault/box"
)

func TestReason(t *testing.T) {
	for want, u := range map[string]box.Update{
		"complete “Call mum”":                          {Status: new("done")},
		"change “Call mum”, due 2026-12-01":            {Due: new("2026-12-01")},
		"reopen “Call mum”, title Ring mum, no repeat": {Status: new("todo"), Title: new("Ring mum"), Repeat: new("")},
	} {
		if got := u.Reason("Call mum"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
