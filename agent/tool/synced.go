package tool

import "kist/vault"

// A Sync is how the sync of the vault between the user's machines stands.
type Sync struct {
	State     string   // off, paused, ready, syncing or failing
	Sentence  string   // in words, without a capital at its beginning
	Conflicts int      // files of which another version lies beside them
	Files     []string // those, by path in the vault; may be nil
}

// mostFiles is how many of the files are named.
const mostFiles = 20

// value is that as a result, with those files that are there in a view of the vault.
func (s Sync) value(v *vault.Vault) map[string]any {
	out := map[string]any{"state": s.State, "sentence": s.Sentence, "conflicts": s.Conflicts}
	if s.Conflicts == 0 {
		return out
	}
	var files []string
	for _, p := range s.Files[:min(len(s.Files), mostFiles)] {
		if _, _, err := v.ReadHead(p, 1); err == nil { // not what is private
			files = append(files, vault.OneLine(p))
		}
	}
	out["files"], out["next"] = files, "the user looks at them with `kist sync conflicts` and decides with `kist sync resolve`"
	return out
}
