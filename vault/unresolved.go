package vault

import (
	"bytes"
	"fmt"

	"kist/vault/disk"
	"kist/vault/markdown"
)

// Unresolved returns the line, from 1, from which on git's conflict markers stand in a text; 0: there are none. See [markdown.Unresolved].
func Unresolved(text []byte) (line int) {
	at := markdown.Unresolved(markdown.Parse(text))
	if len(at) == 0 {
		return 0
	}
	return 1 + bytes.Count(text[:at[0].Start], []byte("\n"))
}

// unresolved refuses the agent's change of a text that has git's conflict markers: what it would read there is two
// documents in one. A person's own change is his way out.
func unresolved(files []*disk.Replacement, by Actor) error {
	for _, r := range files {
		if by != ActorAgent || HashOf(r.Before) == HashOf(r.After) {
			continue
		}
		if line := Unresolved(r.Before); line > 0 {
			return Hinted(fmt.Errorf("%w: %s has git's conflict markers, from line %d on, and is left to you until they are gone", ErrProtected, r.Path, line),
				"choose what is to stay between <<<<<<< and >>>>>>>, and take these lines out")
		}
	}
	return nil
}
