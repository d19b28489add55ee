package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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

// EachStamp calls fn for each document, in no order, with the stamp of the version that was
// looked at last. Every version behind that one has a number above v.Seq() as of the call, or
// will have one. It returns [ErrUnwatched], and is quick where [Follow] has begun. fn must not
// call the package.
func EachStamp(ctx context.Context, v *vault.Vault, fn func(p string, s Stamp)) error {
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
	for p, k := range f.known {
		fn(p, Stamp{k.stamp.size, k.stamp.modified, k.stamp.changed, k.stamp.inode})
	}
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
