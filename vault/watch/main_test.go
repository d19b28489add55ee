package watch_test

import (
	"testing"

	"go.uber.org/goleak"

	"kist/vault/vaulttest"
)

// TestMain is out of the package so that it may import what imports it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(vaulttest.InMemory(m)) }
