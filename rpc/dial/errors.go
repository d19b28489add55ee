package dial

import "errors"

// The sentinels of this package; each comes wrapped in an [*Error].
var (
	// ErrUnreachable: no daemon answered in time, and none was or could be started.
	ErrUnreachable = errors.New("daemon unreachable")
	// ErrNoVault: the folder has no kist.yaml, and only up and init make vaults.
	ErrNoVault = errors.New("no vault")
)

// ExitLocked is the status with which a daemon that was started with --log-file
// exits when another process holds the vault (EX_TEMPFAIL of sysexits.h).
const ExitLocked = 75

// An Error says why a vault's daemon can't be called, and what to do.
type Error struct {
	Kind error  // ErrUnreachable or ErrNoVault
	What string // what happened, in a sentence without a full stop
	Hint string // what to do about it; may be empty
}

func (e *Error) Error() string { return e.What }

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }
