package endpoint

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// errElsewhere: an address that a client of what is on this machine was to reach.
var errElsewhere = errors.New("it is not on this machine")

type dial func(ctx context.Context, network, address string) (net.Conn, error)

// dialer connects to the endpoint: to one on this machine without leaving it.
func (e *Endpoint) dialer() dial {
	d := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	if !e.Local() {
		return d.DialContext
	}
	d.Control = func(_, address string, _ syscall.RawConn) error {
		if to, err := netip.ParseAddrPort(address); err != nil || !to.Addr().Unmap().IsLoopback() {
			return errElsewhere
		}
		return nil
	}
	return here(d)
}

// here doesn't look the name localhost up: where the file of hosts lacks it, a name server
// is asked, which learns of it and may name any machine.
func here(d *net.Dialer) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil || !strings.EqualFold(host, "localhost") {
			return d.DialContext(ctx, network, address)
		}
		conn, first := d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
		if first == nil {
			return conn, nil
		}
		conn, err = d.DialContext(ctx, network, net.JoinHostPort("::1", port))
		if err != nil {
			return nil, first // most servers listen at the first
		}
		return conn, nil
	}
}
