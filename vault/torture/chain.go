package torture

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"kist/vault/merge"
)

// This file follows the chain of texts that the log has for each file: forwards, to
// see that none is missing, and backwards, to undo all of it.

// brokenChains returns the files that the log doesn't fully explain, with why.
func (s *scene) brokenChains() map[string]string {
	hashes := map[string]string{}
	for file, text := range s.original {
		hashes[file] = hashOf(text)
	}
	out := map[string]string{}
	step := func(e *entry, file, before, after string) {
		if hashes[file] != before && out[file] == "" {
			out[file] = fmt.Sprintf("operation %s starts from %.8s, not %.8s", e.id, before, hashes[file])
		}
		hashes[file] = after
	}
	for _, e := range s.log.completed() {
		for _, c := range e.changes {
			if c.From == "" {
				step(e, c.Path, c.Before, c.After)
				continue
			}
			step(e, c.From, c.Before, "")
			step(e, c.Path, "", c.After)
		}
	}
	for file, text := range s.now {
		if hashes[file] != hashOf(text) && out[file] == "" {
			out[file] = fmt.Sprintf("it holds %.8s, and the log ends with %.8s", hashOf(text), hashes[file])
		}
	}
	for file, h := range hashes {
		if _, there := s.now[file]; !there && h != "" && out[file] == "" {
			out[file] = "it is gone, and the log doesn't say so"
		}
	}
	return out
}

// undoByPatches takes all operations back in memory, by the log alone. It leaves
// out files with a broken chain: that they can't be undone is the same fault.
func (s *scene) undoByPatches() (all []fault) {
	skip := s.brokenChains()
	now := maps.Clone(s.now)
	done := s.log.completed()
	for _, e := range slices.Backward(done) {
		for _, c := range slices.Backward(e.changes) {
			if skip[c.Path] != "" || skip[c.From] != "" {
				continue
			}
			if c.From != "" {
				now[c.From] = now[c.Path]
				delete(now, c.Path)
				continue
			}
			back, err := takeBack(now[c.Path], c)
			if err != nil {
				all = append(all, fault{badUndo, fmt.Sprintf("%s: operation %s: %v", c.Path, e.id, err)})
				skip[c.Path] = "not undone"
				continue
			}
			if now[c.Path] = back; back == nil {
				delete(now, c.Path)
			}
		}
	}
	return append(all, s.compare(now, skip)...)
}

func takeBack(now []byte, c change) ([]byte, error) {
	if hashOf(now) != c.After {
		return nil, errors.New("the text is not what it left")
	}
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, err
	}
	back, err := merge.Patch(now, inverse)
	if err == nil && hashOf(back) != c.Before {
		err = errors.New("the patch doesn't lead back")
	}
	return back, err
}

// compare looks for differences from the original tree.
func (s *scene) compare(now map[string][]byte, skip map[string]string) (all []fault) {
	for file := range now {
		if _, there := s.original[file]; !there && skip[file] == "" {
			all = append(all, fault{badUndo, file + " was not there originally"})
		}
	}
	for file, text := range s.original {
		if skip[file] == "" && hashOf(now[file]) != hashOf(text) {
			all = append(all, fault{badUndo, file + " is not what it was originally"})
		}
	}
	return all
}
