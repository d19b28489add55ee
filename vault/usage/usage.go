// Package usage counts what models used and cost, by day, beside a vault's local state.
package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"kist/vault/disk"
	"kist/vault/fsys"
)

const (
	tokensFile = "tokens.json"
	tokensPart = "tokens.part"
	// damagedFile is what couldn't be read as tokensFile. kist doctor looks for both.
	damagedFile = "tokens.damaged"
	// keptDays is for how many days the counts are kept: more than a month.
	keptDays = 40
)

// A Use is what models used: tokens in and out together, and what they cost in the currency
// of the prices that the user has set.
type Use struct {
	Tokens int     `json:"tokens"`
	Cost   float64 `json:"cost,omitempty"`
}

// UnmarshalJSON also takes a bare count of tokens, which is what there was at first.
func (u *Use) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &u.Tokens) == nil {
		return nil
	}
	type plain Use
	return json.Unmarshal(text, (*plain)(u))
}

// plus is a sum, which is never below zero. Its cost is rounded to far less than a token
// costs, so that what was booked and taken back leaves nothing.
func (u Use) plus(more Use) Use {
	return Use{Tokens: max(u.Tokens+more.Tokens, 0), Cost: max(math.Round((u.Cost+more.Cost)*1e12)/1e12, 0)}
}

// meant is a use without what can't be: somebody may have written it by hand.
func (u Use) meant() Use { return Use{}.plus(Use{Tokens: max(u.Tokens, 0), Cost: max(u.Cost, 0)}) }

// A Counter counts by day.
type Counter struct {
	tree *disk.Tree
	dir  string
	log  *slog.Logger

	mu   sync.Mutex
	days map[string]Use // nil: its file wasn't read yet
}

// New returns a counter that keeps its file in dir, a folder for disposable files.
func New(tree *disk.Tree, dir string, log *slog.Logger) *Counter {
	return &Counter{tree: tree, dir: dir, log: log}
}

// AddUse adds to what models used on a day (YYYY-MM-DD), or takes from it where a figure is
// below zero, but no more than there is. The count is kept with the local state, which is
// disposable and not shared with other machines. An error says that it could not be kept;
// it is right until the vault is closed.
func (c *Counter) AddUse(day string, use Use) error {
	return c.BookUse(day, use, func(Use, Use) bool { return true })
}

// BookUse adds as AddUse does if allow, which is told what was used on the day and in its
// month, says so. Nothing else is added in between; allow must not call the counter.
func (c *Counter) BookUse(day string, use Use, allow func(day, month Use) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	if !allow(c.used(day), c.used(day[:min(len(day), len("2006-01"))])) {
		return nil
	}
	c.days[day] = c.days[day].meant().plus(use)
	days := slices.Sorted(maps.Keys(c.days))
	for _, old := range days[:max(0, len(days)-keptDays)] {
		if old != day {
			delete(c.days, old)
		}
	}
	text, err := json.Marshal(c.days)
	if err == nil {
		err = c.write(text)
	}
	if err != nil {
		return fmt.Errorf("count what models use: %w", fsys.BareError(err))
	}
	return nil
}

// Used returns what was used on a day (YYYY-MM-DD), or in a month (YYYY-MM).
func (c *Counter) Used(when string) Use {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	return c.used(when)
}

func (c *Counter) used(when string) (sum Use) {
	for day, use := range c.days {
		if strings.HasPrefix(day, when) {
			sum = sum.plus(use.meant())
		}
	}
	return sum
}

// load reads the file once. A damaged one counts for nothing, and is put aside for the user
// to see: what was used before isn't held against the limits any more.
func (c *Counter) load() {
	if c.days != nil {
		return
	}
	c.days = map[string]Use{}
	text, _, err := c.tree.ReadHead(c.dir+"/"+tokensFile, 1<<20)
	if err == nil {
		err = json.Unmarshal(text, &c.days)
	}
	if err != nil && !errors.Is(err, disk.ErrNotFound) {
		aside := c.tree.Disk().Rename(c.dir+"/"+tokensFile, c.dir+"/"+damagedFile)
		c.log.Warn("the count of what models use begins anew: the limits of the day and the month don't know what was used before",
			"err", errors.Join(err, aside), "kept", damagedFile)
	}
	if err != nil || c.days == nil {
		c.days = map[string]Use{}
	}
}

// write replaces the file at once, so that a crash leaves one or the other. It
// is not made durable: a count is not worth a write to the disk for each turn.
func (c *Counter) write(text []byte) error {
	d := c.tree.Disk()
	if err := d.Remove(c.dir + "/" + tokensPart); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := d.Create(c.dir+"/"+tokensPart, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Write(text), f.Close()); err != nil {
		return err
	}
	return d.Rename(c.dir+"/"+tokensPart, c.dir+"/"+tokensFile)
}
