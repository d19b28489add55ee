/*
Package spelling finds names that are spelt much like one that isn't there, to be suggested
beside the error. It knows nothing of what is named.
*/
package spelling

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"kist/vault"
)

// most is how many names are suggested.
const most = 3

// Near returns the names that are spelt much like ref, at most three, best first.
func Near(ref string, names []string) []string {
	ref = strings.ToLower(ref)
	type candidate struct {
		name string
		dist int
	}
	var found []candidate
	for _, n := range names {
		d := levenshtein.ComputeDistance(ref, strings.ToLower(n))
		if strings.Contains(strings.ToLower(n), ref) && len(ref) >= 3 {
			d = 1
		}
		if d <= max(2, len(ref)/3) {
			found = append(found, candidate{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.dist, b.dist) })
	var out []string
	for _, c := range found[:min(most, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// Suggest gives an error that says which document isn't there the names in its folder that
// are spelt much like it, else of all paths those that end in its name, or are spelt like it.
// What it returns says so.
func Suggest(v *vault.Vault, err error, all func() []string) error {
	missing, ok := errors.AsType[*vault.NotFoundError](err)
	if !ok || !strings.HasPrefix(missing.Kind, "file") || len(missing.Near) > 0 {
		return err
	}
	dir := path.Dir(missing.Ref)
	if names, none := v.Names(dir, false); none == nil { // else there is no such folder
		for _, name := range Near(path.Base(missing.Ref), names) {
			missing.Near = append(missing.Near, path.Join(dir, name))
		}
	}
	if len(missing.Near) == 0 {
		missing.Near = elsewhere(path.Clean(missing.Ref), all())
	}
	if len(missing.Near) == 0 {
		return err
	}
	return missing // what is wrapped around it was worded before
}

// elsewhere are the paths nearest to one, whichever folder they are in.
func elsewhere(ref string, all []string) []string {
	named := strings.ToLower(strings.TrimSuffix(path.Base(ref), ".md"))
	var same, alike []string
	for _, p := range all {
		if strings.ToLower(strings.TrimSuffix(path.Base(p), ".md")) == named {
			same = append(same, p)
		}
		if most := max(2, len(ref)/4); len(p) <= len(ref)+most && len(ref) <= len(p)+most && levenshtein.ComputeDistance(ref, p) <= most {
			alike = append(alike, p)
		}
	}
	if len(alike) > 0 {
		same = alike
	}
	slices.SortStableFunc(same, func(a, b string) int {
		return cmp.Compare(levenshtein.ComputeDistance(ref, a), levenshtein.ComputeDistance(ref, b))
	})
	return same[:min(most, len(same))]
}
