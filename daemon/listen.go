package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"kist/rpc/dial"
)

// listenTCP listens on a loopback address and on nothing else.
func listenTCP(ctx context.Context, address string) (*limited, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &Error{Kind: ErrListen, What: fmt.Sprintf("listen on %q: %v", address, err), Hint: "give an address such as 127.0.0.1:7777"}
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, &Error{
			Kind: ErrListen,
			What: fmt.Sprintf("listen on %q: kist listens on this machine's loopback address only", address),
			Hint: "give 127.0.0.1:PORT or [::1]:PORT",
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &Error{Kind: ErrListen, What: fmt.Sprintf("listen on %s: the port is taken", address), Hint: "give another port, or 0 for any"}
	}
	if err != nil {
		return nil, &Error{Kind: ErrListen, What: fmt.Sprintf("listen: %v", err)}
	}
	return limit(l, maxNew, maxKnown), nil
}

// tcpHosts returns the Host headers that mean a listener.
func tcpHosts(addr net.Addr) []string {
	_, port, _ := net.SplitHostPort(addr.String())
	return []string{"127.0.0.1:" + port, "[::1]:" + port, "localhost:" + port}
}

// A unixListener knows which file it made, to remove that one and no other.
type unixListener struct {
	*limited
	path string
	info fs.FileInfo
}

// makeSocketDir makes the folder of the socket, which nobody else may enter.
func makeSocketDir(paths dial.Paths) error {
	if err := os.MkdirAll(filepath.Dir(paths.Socket), 0o700); err != nil {
		return err
	}
	return paths.CheckSocketDir()
}

// listenUnix makes the socket. The caller holds the lock, so a socket that is
// there already is left over from a daemon that was killed.
func listenUnix(ctx context.Context, paths dial.Paths) (*unixListener, error) {
	fail := func(err error) (*unixListener, error) {
		return nil, &Error{
			Kind: ErrListen,
			What: fmt.Sprintf("listen on %s: %v", paths.Socket, err),
			Hint: "set XDG_RUNTIME_DIR to a folder of your own that others can't enter",
		}
	}
	if err := makeSocketDir(paths); err != nil {
		return fail(err)
	}
	if info, err := os.Lstat(paths.Socket); err == nil {
		if info.Mode()&fs.ModeSocket == 0 {
			return fail(errors.New("something that isn't a socket is in the way"))
		}
		if err := os.Remove(paths.Socket); err != nil {
			return fail(err)
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", paths.Socket)
	if err != nil {
		return fail(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	// The folder has kept everybody else out so far.
	err = os.Chmod(paths.Socket, 0o600)
	info, statErr := os.Lstat(paths.Socket)
	if err := errors.Join(err, statErr); err != nil {
		l.Close()
		return fail(err)
	}
	return &unixListener{limited: limit(ownOnly{l}, maxNew, maxKnown), path: paths.Socket, info: info}, nil
}

// present reports whether the socket can still be found where it was made.
func (l *unixListener) present() bool {
	info, err := os.Lstat(l.path)
	return err == nil && os.SameFile(info, l.info)
}

// remove takes the socket away, unless it is another one by now.
func (l *unixListener) remove() error {
	if !l.present() {
		return nil
	}
	return os.Remove(l.path)
}

// ownOnly turns other users away, should the modes ever let them come so far.
type ownOnly struct{ net.Listener }

func (l ownOnly) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || own(c) {
			return c, err
		}
		c.Close()
	}
}
