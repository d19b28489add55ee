package documents

import (
	"log/slog"
	"strconv"
	"strings"

	"kist/vault/disk"
)

// reserveAhead is how many numbers are reserved at a time: so many saves cost one more
// write, and after a crash as many at most are left out.
const reserveAhead = 1000

// Numbers keeps, in a file of kist's own, up to where numbers may have been given, so that
// none is given again after a crash: followers outside of the process go by them. Not all
// that has a number is in the operation log.
type Numbers struct {
	tree *disk.Tree
	file string
	log  *slog.Logger
}

// NewNumbers returns numbers kept in a file of the tree, whose folder must exist.
func NewNumbers(tree *disk.Tree, file string, log *slog.Logger) *Numbers {
	return &Numbers{tree: tree, file: file, log: log}
}

// Given returns the highest number that may have been given, logged being the highest in the
// operation log. Where the file is gone there may have been some more, and nobody knows.
func (n *Numbers) Given(logged Seq) Seq {
	text, _, err := n.tree.ReadHead(n.file, 64)
	given, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	switch {
	case err == nil && bad == nil:
		return max(logged, Seq(given))
	case logged > 0:
		return logged + reserveAhead
	}
	return 0
}

// Keep makes durable that numbers up to one may have been given. Where that fails numbers
// are given all the same: only who watches across a crash could miss something.
func (n *Numbers) Keep(upTo Seq) {
	err := n.tree.Disk().ReplaceSynced(n.file, strconv.AppendInt(nil, int64(upTo), 10), 0o600)
	if err != nil {
		n.log.Warn("the numbers of changes can't be reserved", "err", err)
	}
}
