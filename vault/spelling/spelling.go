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
	"sort"
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
	sort.SliceStable(found, func(i, j int) bool { return found[i].dist < found[j].dist })
	var out []string
	for _, c := range found[:min(most, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// Suggest gives an error that says which document isn't there the paths that may be meant, at
// most three: documents of just that name in any folder, names in its own that are spelt much like
// it, and where there is neither, paths that are. What it returns says so.
func Suggest(v *vault.Vault, err error, all func() []string) error {
	missing, ok := errors.AsType[*vault.NotFoundError](err)
	if !ok || !strings.HasPrefix(missing.Kind, "file") || len(missing.Near) > 0 {
		return err
	}
	ref, paths := path.Clean(missing.Ref), all()
	missing.Near = called(ref, paths)
	if names, none := v.Names(path.Dir(ref), false); none == nil { // else there is no such folder
		for _, name := range Near(path.Base(ref), names) {
			if p := path.Join(path.Dir(ref), name); !slices.Contains(missing.Near, p) {
				missing.Near = append(missing.Near, p)
			}
		}
	}
	if len(missing.Near) == 0 {
		missing.Near = alike(ref, paths)
	}
	missing.Near = missing.Near[:min(most, len(missing.Near))]
	if len(missing.Near) == 0 {
		return err
	}
	return missing // what is wrapped around it was worded before
}

// called are the documents of a path's name, with .md or without, the nearest first.
func called(ref string, all []string) (same []string) {
	for _, p := range all {
		if strings.EqualFold(strings.TrimSuffix(path.Base(p), ".md"), strings.TrimSuffix(path.Base(ref), ".md")) {
			same = append(same, p)
		}
	}
	nearest(ref, same)
	return same
}

// alike are the paths that are spelt much like one, the nearest first.
func alike(ref string, all []string) (found []string) {
	for _, p := range all {
		if far := max(2, len(ref)/4); len(p) <= len(ref)+far && len(ref) <= len(p)+far && levenshtein.ComputeDistance(ref, p) <= far {
			found = append(found, p)
		}
	}
	nearest(ref, found)
	return found
}

func nearest(ref string, paths []string) {
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Compare(levenshtein.ComputeDistance(ref, a), levenshtein.ComputeDistance(ref, b))
	})
}
