package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"kist/vault/fsys"
)

const (
	tokensFile = StateDir + "/tokens.json"
	tokensPart = StateDir + "/tokens.part"
	// keptTokens is for how many days the counts are kept.
	keptTokens = 40
)

// A tokenCounter counts by day. Its zero value has not read its file yet.
type tokenCounter struct {
	mu   sync.Mutex
	days map[string]int
}

// AddTokens adds n to the tokens that models used on a day (YYYY-MM-DD) and returns
// the day's total. The count is kept with the local state, which is disposable and
// not shared with other machines. An error says that it could not be kept; the total
// is right until the vault is closed.
func (v *Vault) AddTokens(day string, n int) (total int, err error) {
	c := &v.tokens
	c.mu.Lock()
	defer c.mu.Unlock()
	v.loadTokens()
	c.days[day] += max(n, 0)
	days := slices.Sorted(maps.Keys(c.days))
	for _, old := range days[:max(0, len(days)-keptTokens)] {
		if old != day {
			delete(c.days, old)
		}
	}
	text, err := json.Marshal(c.days)
	if err == nil {
		err = v.writeTokens(text)
	}
	if err != nil {
		return c.days[day], fmt.Errorf("count tokens: %w", fsys.BareError(err))
	}
	return c.days[day], nil
}

// Tokens returns the tokens used on a day (YYYY-MM-DD).
func (v *Vault) Tokens(day string) int {
	v.tokens.mu.Lock()
	defer v.tokens.mu.Unlock()
	v.loadTokens()
	return v.tokens.days[day]
}

// loadTokens reads the file once. A damaged one counts for nothing.
func (v *Vault) loadTokens() {
	if v.tokens.days != nil {
		return
	}
	v.tokens.days = map[string]int{}
	text, _, err := v.ReadHead(tokensFile, 1<<20)
	if err == nil {
		err = json.Unmarshal(text, &v.tokens.days)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		v.log.Warn("the count of tokens begins anew", "err", err)
	}
	if err != nil || v.tokens.days == nil {
		v.tokens.days = map[string]int{}
	}
}

// writeTokens replaces the file at once, so that a crash leaves one or the other. It
// is not made durable: a count is not worth a write to the disk for each turn.
func (v *Vault) writeTokens(text []byte) error {
	d := v.disk()
	if err := d.Remove(tokensPart); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := d.Create(tokensPart, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Write(text), f.Close()); err != nil {
		return err
	}
	return d.Rename(tokensPart, tokensFile)
}
