package vault

import (
	"kist/vault/displaced"
	"kist/vault/fsys"
)

// ErrNoExchange is what a fault function returns for a file system without an
// atomic exchange and without a rename that never overwrites.
var ErrNoExchange = fsys.ErrNoExchange

// CopyName is the name of a conflict copy.
var CopyName = displaced.CopyName

// KeepCopy gives a file the name of a conflict copy of target.
func KeepCopy(v *Vault, tmp, target string) error { return v.tree.KeepCopy(tmp, target) }
