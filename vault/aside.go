package vault

import (
	"fmt"

	"kist/vault/fsys"
)

// maxAside is the size of the largest file that [TakeAside] reads: the paths of a million
// documents, and some.
const maxAside = 256 << 20

// PutAside keeps text for the next who opens the vault, in a file of the local state, which
// isn't shared with other machines. It replaces what was kept under the name, at once.
func PutAside(v *Vault, name string, text []byte) error {
	if why := v.ReadOnly(); why != "" {
		return fmt.Errorf("%w: %s", ErrReadOnly, why)
	}
	if err := v.tree.Disk().ReplaceSynced(StateDir+"/"+name, text, 0o600); err != nil {
		return fmt.Errorf("keep %s/%s: %w", StateDir, name, fsys.BareError(err))
	}
	return nil
}

// TakeAside returns what [PutAside] kept under a name, which is no longer there then. An error
// says that there is nothing to go by: nothing was kept, it can't be read, or it would be
// there for the next one as well.
func TakeAside(v *Vault, name string) ([]byte, error) {
	file := StateDir + "/" + name
	text, _, err := v.tree.ReadHead(file, maxAside)
	if gone := v.tree.Disk().Remove(file); err == nil {
		err = gone
	}
	if err != nil {
		return nil, fmt.Errorf("take %s: %w", file, fsys.BareError(err))
	}
	return text, nil
}

// Notice gives documents that changed unseen their numbers, so that followers look at them.
func Notice(v *Vault, paths ...string) { v.changes.Add(paths...) }
