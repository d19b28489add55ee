package vaulttest

import (
	"os"
	"runtime/debug"
)

// A Runner runs the tests of a package, as testing.M does.
type Runner interface{ Run() int }

// InMemory returns a runner of the same tests that has them make their folders in memory,
// where fsync costs nothing, and that collects garbage less often: hundreds of small vaults come and go. It is for a TestMain of tests that aren't about disks. They stay
// on the disk with KIST_TEST_DISK, where TMPDIR says where they belong, and where memory has no
// file system with a gigabyte of room that programs may run in.
func InMemory(m Runner) Runner { return inMemory{m} }

type inMemory struct{ Runner }

func (m inMemory) Run() int {
	debug.SetGCPercent(400)
	parent := memory()
	if parent == "" || os.Getenv("KIST_TEST_DISK") != "" || os.Getenv("TMPDIR") != "" {
		return m.Runner.Run()
	}
	dir, err := os.MkdirTemp(parent, "kist-test-")
	if err != nil {
		return m.Runner.Run()
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o711) // some tests have another user look
	os.Setenv("TMPDIR", dir)
	return m.Runner.Run()
}
