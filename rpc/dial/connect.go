package dial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kist/vault/control"
)

// Options for [Connect]; the zero value never starts a daemon.
type Options struct {
	Start      bool          // start a daemon where none answers
	Client     string        // name of the calling program, such as cli
	Executable string        // to start; empty: this program
	Timeout    time.Duration // for a daemon that runs to answer; 0: 10 s
	Patience   time.Duration // for a daemon started here, while it runs; 0: a minute
	Log        func(string)  // told when a daemon is started, and when that takes long; may be nil
}

const (
	defaultTimeout  = 10 * time.Second
	defaultPatience = time.Minute // a machine may be busy, or its disk asleep
)

var errNotServing = errors.New("the daemon is starting or stopping")

// Connect returns a client of the vault's daemon once that answers a health
// call. The error is an [*Error] that wraps [ErrUnreachable] or [ErrNoVault], or
// comes from ctx. The caller closes the client.
func Connect(ctx context.Context, vault string, opts Options) (*Client, error) {
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.Patience == 0 {
		opts.Patience = defaultPatience
	}
	paths, err := PathsFor(vault)
	if err != nil {
		return nil, &Error{Kind: ErrUnreachable, What: err.Error()}
	}
	limited, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	client, err := try(limited, paths, opts)
	if err == nil {
		return client, nil
	}
	if missing := checkVault(paths); missing != nil {
		return nil, missing
	}
	if opts.Start && limited.Err() == nil {
		client, err = start(ctx, paths, opts, err)
	} else if !opts.Start && errors.Is(err, errNotServing) {
		client, err = poll(limited, paths, opts, err)
	}
	switch {
	case err == nil:
		return client, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, unreachable(paths, opts, err)
}

// try makes one health call on each socket that may be the daemon's: the one that
// this environment leads to, and the one that the daemon noted when it was
// started in another environment.
func try(ctx context.Context, paths Paths, opts Options) (*Client, error) {
	token, file, err := readToken(paths)
	if err != nil {
		return nil, err
	}
	sockets := []string{paths.Socket}
	if info := readInfo(paths); info.Socket != "" && info.Socket != paths.Socket {
		sockets = append(sockets, info.Socket)
	}
	for _, socket := range sockets {
		// The token goes only to a socket that nobody else can have made.
		if err = (Paths{Socket: socket}).CheckSocketDir(); err != nil {
			continue
		}
		client := NewClient(HTTPClient(socket, strings.TrimSpace(string(token)), opts.Client), "http://localhost")
		var ok bool
		if ok, err = client.serving(ctx); ok {
			// The daemon writes its info before it says that it serves.
			client.Info = readInfo(paths)
			if client.Info.PID == 0 {
				client.askInfo(ctx)
			}
			client.Version, client.TokenFile = client.Info.Version, file
			return client, nil
		}
		client.Close()
		if err == nil {
			err = errNotServing
		}
	}
	return nil, err
}

// readToken returns the vault's token or, where it has none, the one beside the socket,
// and in which file it is.
func readToken(paths Paths) (token []byte, file string, err error) {
	token, err = control.Read(paths.Token, maxNote)
	if errors.Is(err, fs.ErrNotExist) && paths.CheckSocketDir() == nil {
		if spare, spareErr := control.Read(paths.SpareToken(), maxNote); spareErr == nil {
			return spare, paths.SpareToken(), nil
		}
	}
	return token, paths.Token, err
}

// poll repeats try until it succeeds or ctx ends, and then returns the last
// reason, not that time ran out.
func poll(ctx context.Context, paths Paths, opts Options, last error) (*Client, error) {
	for delay := 2 * time.Millisecond; ; delay = min(2*delay, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return nil, last
		case <-time.After(delay):
		}
		client, err := try(ctx, paths, opts)
		if err == nil {
			return client, nil
		}
		if ctx.Err() == nil {
			last = err
		}
	}
}

// checkVault refuses a folder that isn't a vault, the default one too: only up and init
// make vaults.
func checkVault(paths Paths) error {
	info, err := os.Stat(filepath.Join(paths.Vault, ConfigFile))
	if errors.Is(err, fs.ErrPermission) {
		return &Error{Kind: ErrUnreachable, What: "permission denied: " + paths.Vault, Hint: "its owner can let you in: chmod u+rwx " + quote(paths.Vault)}
	}
	if err == nil && !info.Mode().IsRegular() {
		return &Error{
			Kind: ErrUnreachable,
			What: fmt.Sprintf("%s is not a regular file", filepath.Join(paths.Vault, ConfigFile)),
			Hint: "move it away and put a file in its place; kist init writes one",
		}
	}
	if err == nil {
		return nil
	}
	e := &Error{
		Kind: ErrNoVault,
		What: fmt.Sprintf("%s is not a vault: it has no %s", paths.Vault, ConfigFile),
		Hint: "to make it a vault: kist init " + quote(paths.Vault),
	}
	if dir, err := DefaultVault(); err == nil && dir == paths.Vault {
		e.What = "there is no vault here, and none at " + dir
		e.Hint = "kist init DIR makes a folder a vault, and kist up the default one; --vault DIR names one"
	} else if _, err := os.Stat(paths.Vault); errors.Is(err, fs.ErrNotExist) {
		e.What = "there is no folder " + paths.Vault
	}
	return e
}

func unreachable(paths Paths, opts Options, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if pid, text := Holder(paths); pid != 0 && Alive(pid) && held(paths) {
		return &Error{
			Kind: ErrUnreachable,
			What: fmt.Sprintf("the daemon of %s (%s) does not answer: %v", paths.Vault, text, err),
			Hint: "see its log: " + paths.Log,
		}
	}
	if !opts.Start {
		return &Error{
			Kind: ErrUnreachable,
			What: "no daemon runs for " + paths.Vault,
			Hint: "start it: kist up " + quote(paths.Vault),
		}
	}
	return &Error{
		Kind: ErrUnreachable,
		What: fmt.Sprintf("the daemon of %s was started but did not answer within %v: %v", paths.Vault, opts.Patience, err),
		Hint: "see its log: " + paths.Log,
	}
}

// quote makes a path that holds blanks or worse fit for a shell.
func quote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+~:", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
