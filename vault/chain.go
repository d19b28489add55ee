package vault

import (
	"cmp"
	"errors"
	"slices"

	"kist/vault/merge"
)

// errNoBase: the log doesn't lead from what is known to an operation's result.
var errNoBase = errors.New("the log's chain of changes is broken")

// maxChain is how many operations on one file are looked at for its earlier text.
const maxChain = 2000

// A link is one operation's change of a file.
type link struct {
	op *loggedOp
	FileChange
}

// chain returns what the log has on the file at a path, the latest change first.
func (v *Vault) chain(p string) ([]link, error) {
	var out []link
	for e, err := range v.ops.db.Operations(pathKey(p), "") {
		if err != nil {
			return nil, err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return nil, err
		}
		if !op.took() {
			continue
		}
		for _, c := range slices.Backward(op.Changes) {
			switch p {
			case c.Path:
				out = append(out, link{op, c})
			case c.From: // from here on there is no such file
				out = append(out, link{op, FileChange{Path: p, Before: c.Before}})
			}
		}
		if len(out) >= maxChain {
			break
		}
	}
	// A proposal has an older id than what was done before its approval.
	slices.SortStableFunc(out, func(a, b link) int { return cmp.Compare(b.op.Seq, a.op.Seq) })
	return out, nil
}

// took reports whether an operation changed files.
func (op *loggedOp) took() bool {
	return op.Status == StatusCompleted || op.Status == StatusSuperseded
}

// patch reads a link's patch from the log.
func (v *Vault) patch(l link) (string, error) {
	full, err := v.ops.patches(l.op)
	if err != nil {
		return "", err
	}
	for _, c := range full.Changes {
		if c.Path == l.Path && c.Before == l.Before && c.After == l.After {
			return c.Patch, nil
		}
	}
	return "", errNoBase
}

// textAt works out the text with the given hash that the file at path p once had,
// by taking back, from what is known, what the log has on it since. It returns
// errNoBase where the log doesn't know all.
func (v *Vault) textAt(want Hash, p string) ([]byte, error) {
	text, ok := v.knownText(p)
	if !ok {
		return nil, errNoBase
	}
	links, err := v.chain(p)
	if err != nil {
		return nil, err
	}
	for steps := 0; HashOf(text) != want; steps++ {
		i := slices.IndexFunc(links, func(l link) bool { return l.After == HashOf(text) && (l.From != "" || l.Before != l.After) })
		if i < 0 || steps > maxChain {
			return nil, errNoBase
		}
		l := links[i]
		links = links[i+1:]
		if l.From != "" {
			if links, err = v.chain(l.From); err != nil {
				return nil, err
			}
			continue
		}
		patch, err := v.patch(l)
		if err != nil {
			return nil, err
		}
		if text, err = reverse(patch, l.Before, text); err != nil {
			return nil, errNoBase
		}
	}
	return text, nil
}

// catchUp goes on from what is known of a document to what the log says of it, if it
// says anything: a crash may have come between the two, or .kist was deleted. It
// returns the hash, and the text if that is known.
func (v *Vault) catchUp(p string, base Hash, before []byte, kept bool) (Hash, []byte, bool, bool) {
	links, err := v.chain(p)
	if err != nil || len(links) == 0 {
		return base, before, kept, false
	}
	last := links[0].After
	switch i := slices.IndexFunc(links, func(l link) bool { return l.Before == base && l.From == "" && l.Before != l.After }); {
	case last == base:
		return base, before, kept, true
	case last == "":
		return "", nil, true, true
	case i >= 0 && kept:
		if text, ok := v.forward(before, links[:i+1]); ok {
			return last, text, true, true
		}
	}
	if now, err := v.readOrNil(p); err == nil && HashOf(now) == last {
		return last, now, true, true
	}
	return last, nil, false, true
}

// forward makes the changes of links, the latest first, in a text.
func (v *Vault) forward(text []byte, links []link) ([]byte, bool) {
	for _, l := range slices.Backward(links) {
		if l.After == "" {
			text = nil
			continue
		}
		if (l.From != "" || l.Before == l.After) && l.After == HashOf(text) {
			continue
		}
		patch, err := v.patch(l)
		if err == nil {
			text, err = merge.Patch(text, patch)
		}
		if err != nil || HashOf(text) != l.After {
			return nil, false
		}
	}
	return text, true
}

// lastLogged returns, for each path in the log, the hash that the log ends with.
func (v *Vault) lastLogged() (map[string]Hash, error) {
	last, seqs := map[string]Hash{}, map[string]Seq{}
	for e, err := range v.ops.db.Operations("", "") {
		if err != nil {
			return nil, err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return nil, err
		}
		for _, c := range op.Changes {
			if !op.took() {
				continue
			}
			if seq, ok := seqs[c.Path]; !ok || op.Seq > seq {
				last[c.Path], seqs[c.Path] = c.After, op.Seq
			}
			if seq, ok := seqs[c.From]; c.From != "" && (!ok || op.Seq > seq) {
				last[c.From], seqs[c.From] = "", op.Seq
			}
		}
	}
	return last, nil
}

// reverse takes a patch back from the very text that it left.
func reverse(patch string, before Hash, after []byte) ([]byte, error) {
	inverse, err := merge.Invert(patch)
	if err != nil {
		return nil, err
	}
	text, err := merge.Patch(after, inverse)
	if err == nil && HashOf(text) != before {
		err = errNoBase
	}
	return text, err
}
