package git

import (
	"maps"
	"slices"
	"strings"
)

// Named returns what a repository's own config calls the remote with an address: where several have it that of a branch,
// or origin, before others; empty: there is none.
func Named(r *Repo, address, branch string) string {
	all := slices.Sorted(maps.Keys(r.own))
	for _, key := range append([]string{"remote." + r.own["branch."+branch+".remote"] + ".url", "remote.origin.url"}, all...) {
		name, isURL := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url")
		if strings.HasPrefix(key, "remote.") && isURL && r.own[key] == address && CheckRef(name) == nil {
			return name
		}
	}
	return ""
}

// Includes reports whether a repository's own config takes in other files, which may be such as a pull brings.
func Includes(r *Repo) bool {
	for key := range r.own {
		if strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.") {
			return true
		}
	}
	return false
}
