package oplog

import (
	"errors"
	"slices"

	"kist/vault/disk"
	"kist/vault/merge"
)

// ErrNoBase: the log doesn't lead from what is known to an operation's result.
var ErrNoBase = errors.New("the log's chain of changes is broken")

// maxChain is how many operations on one file are looked at for its earlier text.
const maxChain = 2000

// A link is one operation's change of a file.
type Link struct {
	Op *Folded
	FileChange
	Away bool // the file was moved to another path
}

// Chain returns what the log has on the file at a path: first what this device did, or
// saw, of it, the latest change first, and then what others did.
func (log *Log) Chain(p string) (links []Link, own int, err error) {
	var here, elsewhere []*Folded
	for e, err := range log.db.Operations(string(ByPath(p)), "") {
		var op *Folded
		if err == nil {
			op, err = log.ops.of(e.Value, decodeOp)
		}
		switch {
		case err != nil:
			return nil, 0, err
		case !op.Status.Took():
		case op.Device == log.opts.Device:
			here = append(here, op)
		default:
			elsewhere = append(elsewhere, op)
		}
		if len(here)+len(elsewhere) >= maxChain {
			break
		}
	}
	// A proposal has an older id than what was done before its approval.
	links = linksOf(p, LastDoneFirst(here))
	return append(links, linksOf(p, LastDoneFirst(elsewhere))...), len(links), nil
}

func linksOf(p string, ops []*Folded) (out []Link) {
	for _, op := range ops {
		for _, c := range slices.Backward(op.Changes) {
			switch p {
			case c.Path:
				out = append(out, Link{Op: op, FileChange: c})
			case c.From: // from here on there is no such file
				out = append(out, Link{op, FileChange{Path: p, Before: c.Before}, true})
			}
		}
	}
	return out
}

// Patch reads a link's patch from the log.
func (log *Log) Patch(l Link) (string, error) {
	full, err := log.Patches(l.Op)
	if err != nil {
		return "", err
	}
	for _, c := range full.Changes {
		if c.Path == l.Path && c.Before == l.Before && c.After == l.After {
			return c.Patch, nil
		}
	}
	return "", ErrNoBase
}

// TextAt works out the text with the given hash that the file at path p once had, by
// taking back, from what is known, what the log has on it. Texts are nodes that patches
// lead between, whichever device logged them. It returns ErrNoBase where none do.
func (log *Log) TextAt(want Hash, p string) ([]byte, error) {
	now, ok := log.Baseline(p)
	if !ok {
		return nil, ErrNoBase
	}
	links, err := newSearch(log).back(Node{Path: p, Hash: disk.HashOf(now)}, want)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		patch, err := log.Patch(l)
		if err != nil {
			return nil, err
		}
		if now, err = TakeBack(patch, l.Before, now); err != nil {
			return nil, ErrNoBase
		}
	}
	return now, nil
}

// A search goes back from a text over the changes that led to it.
type search struct {
	log    *Log
	came   map[Node]step // how a text was reached
	from   map[Node][]Link
	chains map[string]bool // paths whose links are in from
}

func newSearch(log *Log) *search {
	return &search{log, map[Node]step{}, map[Node][]Link{}, map[string]bool{}}
}

// A step is the change that was taken back from a later text.
type step struct {
	later Node
	link  Link
}

// back returns the changes to take back, the latest first.
func (s *search) back(start Node, want Hash) ([]Link, error) {
	s.came[start] = step{}
	for queue := []Node{start}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.Hash == want {
			return s.steps(start, at), nil
		}
		if err := s.read(at.Path); err != nil {
			return nil, err
		}
		for _, l := range s.from[at] {
			earlier := Node{Path: at.Path, Hash: l.Before}
			if l.From != "" {
				earlier.Path = l.From
			}
			if _, seen := s.came[earlier]; !seen && len(s.came) < maxChain {
				s.came[earlier] = step{at, l}
				queue = append(queue, earlier)
			}
		}
	}
	return nil, ErrNoBase
}

func (s *search) read(p string) error {
	if s.chains[p] {
		return nil
	}
	s.chains[p] = true
	links, _, err := s.log.Chain(p)
	for _, l := range links {
		if l.Away || l.From == "" && (l.Op.Bare || l.Before == l.After) {
			continue // what it changed is told elsewhere, or nowhere
		}
		s.from[Node{Path: p, Hash: l.After}] = append(s.from[Node{Path: p, Hash: l.After}], l)
	}
	return err
}

// steps returns the changes with a patch between two texts, the latest first.
func (s *search) steps(start, end Node) (links []Link) {
	for at := end; at != start; at = s.came[at].later {
		if l := s.came[at].link; l.From == "" {
			links = append(links, l)
		}
	}
	slices.Reverse(links)
	return links
}

// CatchUp goes on from what is known of a document to what the log says of it, if it
// says anything: a crash may have come between the two, or .kist was deleted. It
// returns the hash, and the text if that is known.
func (log *Log) CatchUp(p string, base Hash, before []byte, kept bool) (Hash, []byte, bool, bool) {
	links, own, err := log.Chain(p)
	if err != nil || len(links) == 0 {
		return base, before, kept, false
	}
	if own > 0 {
		links = links[:own] // it tells of what others did where that came here
	} else if now, err := log.opts.Tree.ReadOrNil(p); err == nil && slices.ContainsFunc(links, func(l Link) bool { return l.After == disk.HashOf(now) }) {
		return disk.HashOf(now), now, true, true
	}
	last := links[0].After
	switch i := slices.IndexFunc(links, func(l Link) bool { return l.Before == base && l.From == "" && l.Before != l.After }); {
	case last == base:
		return base, before, kept, true
	case last == "":
		return "", nil, true, true
	case i >= 0 && kept:
		if text, ok := log.forward(before, links[:i+1]); ok {
			return last, text, true, true
		}
	}
	if now, err := log.opts.Tree.ReadOrNil(p); err == nil && disk.HashOf(now) == last {
		return last, now, true, true
	}
	return last, nil, false, true
}

// forward makes the changes of links, the latest first, in a text.
func (log *Log) forward(text []byte, links []Link) ([]byte, bool) {
	for _, l := range slices.Backward(links) {
		if l.After == "" {
			text = nil
			continue
		}
		if (l.From != "" || l.Before == l.After) && l.After == disk.HashOf(text) {
			continue
		}
		patch, err := log.Patch(l)
		if err == nil {
			text, err = merge.Patch(text, patch)
		}
		if err != nil || disk.HashOf(text) != l.After {
			return nil, false
		}
	}
	return text, true
}

// A Logged tells what the log says of a file: the text that it ends with, and all that
// devices left of which none is this one.
type Logged struct {
	last  *Folded
	hash  Hash
	texts map[Hash]bool // nil: this device has logged the file
}

// Explains reports whether the log leads to a text.
func (l *Logged) Explains(h Hash) bool { return l == nil || l.hash == h || l.texts[h] }

// LastLogged returns what the log says of each path in it.
func (log *Log) LastLogged() (map[string]*Logged, error) {
	all := map[string]*Logged{}
	note := func(op *Folded, p string, h Hash) {
		own := op.Device == log.opts.Device
		is := all[p]
		switch {
		case p == "":
		case is == nil && own, is != nil && own && is.texts != nil:
			all[p] = &Logged{op, h, nil}
		case is == nil:
			all[p] = &Logged{op, h, map[Hash]bool{h: true}}
		case own || is.texts != nil:
			if op.IsLater(is.last) || op == is.last {
				is.last, is.hash = op, h
			}
			if !own {
				is.texts[h] = true
			}
		}
	}
	for op, err := range log.With("") {
		if err != nil {
			return nil, err
		}
		if !op.Status.Took() {
			continue
		}
		for _, c := range op.Changes {
			note(op, c.From, "")
			note(op, c.Path, c.After)
		}
	}
	return all, nil
}

// A Pull is what another device Logged, and some program then brought here.
type Pull struct {
	Named  bool // another device's log names the text
	Joined bool // and the log leads to it from what is known here
}

// Pulled looks whether a text that a document has now was logged elsewhere.
func (log *Log) Pulled(p string, base, now Hash) (out Pull) {
	links, own, err := log.Chain(p)
	if err != nil {
		log.trouble(err)
		return Pull{}
	}
	out.Named = slices.ContainsFunc(links[own:], func(l Link) bool {
		return l.After == now && (now != "" || l.Before == base)
	})
	if out.Named {
		_, err := newSearch(log).back(Node{Path: p, Hash: now}, base)
		out.Joined = err == nil
	}
	return out
}

// Between returns the patch between two texts that a file had, of which a change tells
// only the hashes; "" where the log doesn't lead to both.
func (log *Log) Between(c FileChange, p string) string {
	after, err := log.TextAt(c.After, p)
	if err != nil {
		return ""
	}
	before, err := log.TextAt(c.Before, p)
	if err != nil {
		return ""
	}
	return merge.Delta(before, after, nil)
}

// TakeBack takes a patch back from the very text that it left.
func TakeBack(patch string, before Hash, after []byte) ([]byte, error) {
	inverse, err := merge.Invert(patch)
	if err != nil {
		return nil, err
	}
	text, err := merge.Patch(after, inverse)
	if err == nil && disk.HashOf(text) != before {
		err = ErrNoBase
	}
	return text, err
}

// Baseline returns a document's text as the log explains it, nil where none is known; false if
// there is one that wasn't kept.
func (log *Log) Baseline(p string) ([]byte, bool) {
	_, known, err := log.db.Document(p)
	if err != nil || !known {
		return nil, err == nil
	}
	text, kept, err := log.db.Text(p)
	if err == nil && kept && text == nil {
		text = []byte{}
	}
	return text, err == nil && kept
}
