package vault

// Settled waits until every displaced file is gone.
func (v *Vault) Settled() { v.settling.Wait() }
