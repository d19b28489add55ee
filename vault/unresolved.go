package vault

import (
	"bytes"
	"fmt"

	"kist/vault/disk"
	"kist/vault/markdown"
)

// unresolved refuses the agent's change of a text that has git's conflict markers: what it would read there is two
// documents in one. A person's own change is his way out.
func unresolved(files []*disk.Replacement, by Actor) error {
	for _, r := range files {
		if by != ActorAgent || HashOf(r.Before) == HashOf(r.After) {
			continue
		}
		if at := markdown.Unresolved(markdown.Parse(r.Before)); len(at) > 0 {
			line := 1 + bytes.Count(r.Before[:at[0].Start], []byte("\n"))
			return Hinted(fmt.Errorf("%w: %s has git's conflict markers, from line %d on, and is left to you until they are gone", ErrProtected, r.Path, line),
				"choose what is to stay between <<<<<<< and >>>>>>>, and take these lines out")
		}
	}
	return nil
}
