package daemon

import "errors"

// The sentinels of this package; each comes wrapped in an [*Error].
var (
	// ErrLocked: another process holds the vault.
	ErrLocked = errors.New("vault is in use")
	// ErrConfig: kist.yaml, the machine's settings or the environment hold what can't be
	// meant.
	ErrConfig = errors.New("invalid settings")
	// ErrFolder: the vault's folder can't be used, because it can't be written, say.
	ErrFolder = errors.New("unusable folder")
	// ErrListen: an address or socket that can't be listened on.
	ErrListen = errors.New("can't listen")
)

// caused is an error of this package that is told by its own words, and has its cause.
type caused struct {
	error
	cause error
}

func (c caused) Unwrap() []error { return []error{c.error, c.cause} }

// An Error says why the daemon doesn't run, and what to do.
type Error struct {
	Kind error  // one of the sentinels
	What string // what happened, without a full stop
	Hint string // what to do about it; may be empty
}

func (e *Error) Error() string { return e.What }

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }
