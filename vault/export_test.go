package vault

import (
	"io/fs"
	"time"
)

// SetFault makes v ask f at each named step of a write whether to fail there.
func SetFault(v *Vault, f func(point string) error) { v.tree.Options.Fault = f }

// SetQuiet sets how long a document must be quiet until what another program saved
// is recorded.
func SetQuiet(v *Vault, d time.Duration) { v.history.SetQuiet(d) }

// SetElsewhere makes v take files for kept by a cloud service.
func SetElsewhere(v *Vault, f func(fs.FileInfo) bool) {
	v.tree.Options.Elsewhere, v.tree.Options.Portable = f, true
}

// SetCloseLimit sets how long an operation waits for a program to close its file.
func SetCloseLimit(v *Vault, d time.Duration) { v.tree.Options.CloseLimit = d }

// Known reports whether anything is known of a document.
func Known(v *Vault, p string) bool {
	_, known, err := v.state.Document(p)
	return known && err == nil
}
