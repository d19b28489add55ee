package vault

// SetFault makes v ask f at each named step of a write whether to fail there.
func SetFault(v *Vault, f func(point string) error) { v.faultAt = f }
