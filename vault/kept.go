package vault

import (
	"reflect"
	"sync"
)

// Kept returns the one T that is kept beside an open vault, the zero value at first: what
// follows the documents for packages above. All views of the vault share it, so it has to
// read by way of [Whole] and to hide in what it tells.
func Kept[T any](v *Vault) *T {
	kept, _ := v.kept.LoadOrStore(reflect.TypeFor[T](), new(T))
	return kept.(*T)
}

// keeping is what [Kept] keeps, by type.
type keeping struct {
	kept  sync.Map
	whole *Vault
}

// Whole returns the vault with nothing hidden, see [Vault.Without].
func Whole(v *Vault) *Vault { return v.whole }
