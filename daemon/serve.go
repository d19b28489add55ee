package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"kist/agent"
	"kist/agent/models"
	"kist/daemon/sync"
	"kist/index"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/news"
	"kist/rpc/tokens"
	"kist/rpc/turns"
	"kist/vault"
	"kist/vault/catalog"
)

// The time limits of a stop. Calls under way get answerLimit to finish, the
// followers and each part that is closed get the rest.
const (
	stopLimit   = 3 * time.Second
	answerLimit = 1500 * time.Millisecond
	closeLimit  = 700 * time.Millisecond
)

// A daemon is everything that one process holds.
type daemon struct {
	opts     Options
	log      *slog.Logger
	paths    dial.Paths
	started  time.Time
	patience patience
	config   Config
	rules    *rules

	lock   *lock
	token  *token
	tokens *tokens.Store
	vault  *vault.Vault
	index  *index.Index
	agent  *agent.Agent
	models *models.Service
	sync   *sync.Engine
	socket *unixListener // replaced by the orphan watch alone
	tcp    *limited

	unixServer, tcpServer *http.Server

	group    *errgroup.Group
	ready    atomic.Bool
	stopping chan struct{} // closed when streams have to end
	opened   []part
	turns    *turns.Hub
	news     *news.Documents
}

// A part is something open, with how to close it.
type part struct {
	name  string
	close func() error
}

func (d *daemon) closes(name string, close func() error) {
	d.opened = append(d.opened, part{name, close})
}

func (d *daemon) listen(ctx context.Context) (err error) {
	if d.tcp, err = listenTCP(ctx, d.config.Listen); err != nil {
		return err
	}
	d.closes("port", closeListener(d.tcp))
	if d.socket, err = listenUnix(ctx, d.paths); err != nil {
		return err
	}
	d.closes("socket", func() error { return errors.Join(closeListener(d.socket)(), d.socket.remove()) })
	return nil
}

// closeListener closes a listener that its server may have closed before.
func closeListener(l net.Listener) func() error {
	return func() error {
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	}
}

// serve runs until ctx ends, a client says stop, or a part breaks; then it takes
// everything down.
func (d *daemon) serve(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	handler := d.handler(stop)
	// Followers outlive the servers: what is answered last may still change files.
	running, halt := context.WithCancel(context.WithoutCancel(ctx))
	defer halt()
	var broken context.Context
	d.group, broken = errgroup.WithContext(running)
	d.unixServer = d.server(handler, true, "localhost")
	d.tcpServer = d.server(handler, false, tcpHosts(d.tcp.Addr())...)
	d.serveOn(d.unixServer, d.socket)
	d.serveOn(d.tcpServer, d.tcp)
	d.group.Go(func() error { return ended(broken, "watcher", d.vault.Run(broken)) })
	d.group.Go(func() error { return ended(broken, "index", d.follow(broken)) })
	d.group.Go(func() error { return ended(broken, "agent", d.agent.Run(broken)) })
	d.group.Go(func() error { return ended(broken, "sync", d.sync.Run(broken)) })
	d.group.Go(func() error { return d.watchOrphan(broken) })
	if err := d.announce(broken); err != nil {
		return errors.Join(err, d.shutdown(broken, halt))
	}
	select {
	case <-ctx.Done():
	case <-broken.Done():
	}
	return d.shutdown(broken, halt)
}

// watchWait is how long the index waits for the watcher at most; it then goes
// without one, as on a file system that reports no changes.
const watchWait = 5 * time.Second

// follow runs the index once the watcher sees changes: what is saved before that
// is found by the first comparison, and what is saved after it is reported.
func (d *daemon) follow(ctx context.Context) error {
	for deadline := time.Now().Add(watchWait); time.Now().Before(deadline); {
		select {
		case <-ctx.Done():
			return nil
		case <-d.vault.Watching():
			d.group.Go(func() error {
				d.catchUp(ctx)
				return ended(ctx, "catalog", catalog.Follow(ctx, d.vault))
			})
			return d.index.Run(ctx)
		case <-time.After(time.Millisecond):
		}
	}
	d.catchUp(ctx)
	return d.index.Run(ctx)
}

// catchUp finds for those who watch what changed while no daemon ran.
func (d *daemon) catchUp(ctx context.Context) {
	if err := d.news.CatchUp(ctx); err != nil && ctx.Err() == nil {
		d.log.Info("watches begin anew: what changed before can't be known", "why", err)
	}
}

// ended says which follower ended with an error, unless it was told to.
func ended(ctx context.Context, name string, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (d *daemon) handler(stop func()) http.Handler {
	d.turns = turns.New(d.agent, d.vault, d.stopping)
	return rpc.NewHandler(rpc.Deps{
		Vault:    d.vault,
		Index:    d.index,
		Agent:    d.agent,
		Policy:   d.rules,
		Models:   d.models,
		Sync:     d.sync,
		Tokens:   d.tokens,
		Turns:    d.turns,
		News:     d.news,
		Status:   d.status,
		Stop:     stop,
		Ready:    d.ready.Load,
		Stopping: d.stopping,
		Log:      d.log,
	})
}

// server serves on a listener that, where own is true, only this user's processes reach.
func (d *daemon) server(h http.Handler, own bool, hosts ...string) *http.Server {
	guard := rpc.Guard{
		Hosts:   hosts,
		Origins: append(rpc.DefaultOrigins(), d.config.Origins...),
		Token:   d.token.current,
		Named:   d.tokens,
		Own:     own,
	}
	s := rpc.NewServer(guard.Wrap(admitted(h)))
	s.ConnContext, s.ConnState = withConn, connState
	s.ErrorLog = slog.NewLogLogger(d.log.Handler(), slog.LevelDebug)
	return s
}

func (d *daemon) serveOn(s *http.Server, l net.Listener) {
	d.group.Go(func() error {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
		return nil
	})
}

// keepSocket makes the socket again if it was removed; temporary folders get
// swept. Only the orphan watch calls it.
func (d *daemon) keepSocket(ctx context.Context) error {
	if d.socket.present() {
		return nil
	}
	l, err := listenUnix(ctx, d.paths)
	if err != nil {
		return err
	}
	d.log.Info("made the socket again", "path", d.paths.Socket)
	old := d.socket
	d.socket = l
	d.serveOn(d.unixServer, l)
	return closeListener(old)()
}

// announce writes daemon.json and only then says that the daemon serves: who gets
// a good answer from health may rely on the file, or find none.
func (d *daemon) announce(ctx context.Context) error {
	info := d.info()
	data, err := json.Marshal(info)
	if err != nil {
		return err
	}
	if err := writePrivate(d.paths.Info, append(data, '\n')); err != nil {
		// On a full disk, say. Clients ask the daemon itself then; what an earlier one left
		// there would mislead them.
		d.log.Warn("daemon.json can't be written", "err", err)
		_ = os.Remove(d.paths.Info)
	}
	d.closes("daemon.json", func() error { return os.Remove(d.paths.Info) })
	d.ready.Store(true)
	d.log.Info("ready", "vault", d.paths.Vault, "url", info.URL, "socket", info.Socket, "took", time.Since(d.started).Round(time.Millisecond))
	if d.opts.Ready != nil {
		d.opts.Ready(info)
	}
	if d.opts.Progress != nil {
		d.group.Go(func() error { d.progress(ctx); return nil })
	}
	return nil
}

func (d *daemon) info() Info {
	return Info{
		PID:     os.Getpid(),
		Version: d.opts.Version,
		Socket:  d.paths.Socket,
		URL:     "http://" + d.tcp.Addr().String(),
		Started: d.started,
	}
}

func (d *daemon) status() rpc.DaemonInfo {
	info := d.info()
	s := rpc.DaemonInfo{Version: info.Version, PID: info.PID, Started: info.Started, URL: info.URL, Socket: info.Socket}
	s.Anonymous, s.Heap = memoryUse()
	return s
}
