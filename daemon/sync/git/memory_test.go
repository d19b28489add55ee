package git

import (
	"os"
	"testing"

	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }
