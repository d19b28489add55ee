package narrow_test

import (
	"testing"

	"github.com/spf13/pflag"

	"kist/cmd/kist/narrow"
)

// --proposed=false asks for no status.
func TestProposed(t *testing.T) {
	for arg, want := range map[string]string{"--proposed": "proposed", "--proposed=true": "proposed", "--proposed=false": ""} {
		f, status := pflag.NewFlagSet("list", pflag.ContinueOnError), ""
		narrow.Proposed(f, &status)
		if err := f.Parse([]string{arg}); err != nil || status != want {
			t.Errorf("%s: %q, %v", arg, status, err)
		}
	}
	f, status := pflag.NewFlagSet("list", pflag.ContinueOnError), ""
	narrow.Proposed(f, &status)
	if f.Parse([]string{"--proposed=perhaps"}) == nil {
		t.Error("perhaps is taken")
	}
}
