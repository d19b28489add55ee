package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"runtime"

	"kist/vault"
	"kist/vault/obsidian"
)

// A Stamp tells the versions of a document from each other. Those of one tick of the clock may
// have the same. Times are Unix nanoseconds.
type Stamp struct {
	Size, Modified, Changed int64
	Inode                   uint64
}

// ErrUnwatched means that changes of the vault's documents aren't heard in their order, or not
// at all.
var ErrUnwatched = errors.New("the folder isn't watched so that nothing is missed")

// Stamps are those of all documents.
type Stamps struct{ f *follower }

// Of returns the stamp of a document; false: there is none of that path.
func (s Stamps) Of(p string) (Stamp, bool) {
	k, ok := s.f.known[p]
	return k.stamp, ok
}

// Len is how many documents there are.
func (s Stamps) Len() int { return len(s.f.known) }

// All yields them in no order.
func (s Stamps) All() iter.Seq2[string, Stamp] {
	return func(yield func(string, Stamp) bool) {
		for p, k := range s.f.known {
			if !yield(p, k.stamp) {
				return
			}
		}
	}
}

// WithStamps calls fn with the stamps of the versions that were looked at last. Every version behind
// these has a number above v.Seq() as of the call, or will have one. It returns [ErrUnwatched],
// and is quick where [Follow] has begun. fn must not keep them, nor call the package.
func WithStamps(ctx context.Context, v *vault.Vault, fn func(Stamps)) error {
	if runtime.GOOS != "linux" || v.Watcher() != "watching" {
		return ErrUnwatched
	}
	now := Known{Seq: v.Seq(), Heard: true, Told: true}
	f := vault.Kept[follower](v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx, vault.Whole(v), now, false); err != nil {
		return fmt.Errorf("look through the documents: %w", err)
	}
	fn(Stamps{f})
	return nil
}

// Reading tells by what settings of the vault its documents are read: another text, by others.
func Reading(v *vault.Vault) string {
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n%q\n", v.Layout(), vault.ProjectsFrom(v))
	if v.HasEditor(obsidian.Folder) {
		for _, name := range obsidian.Files() {
			fmt.Fprintf(h, "%q\n", v.EditorSettings(obsidian.Folder+"/"+name))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
