package dial

import (
	"context"
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"

	"connectrpc.com/connect"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/proto/grpc/health/v1/healthv1connect"
	kistv1 "kist/proto/kist/v1"
	"kist/proto/kist/v1/kistv1connect"
)

// A Client calls one daemon. Its fields may be used concurrently. Errors of calls
// are *connect.Error.
type Client struct {
	Vault     kistv1connect.VaultServiceClient
	Project   kistv1connect.ProjectServiceClient
	Task      kistv1connect.TaskServiceClient
	Draft     kistv1connect.DraftServiceClient
	Memory    kistv1connect.MemoryServiceClient
	Session   kistv1connect.SessionServiceClient
	Operation kistv1connect.OperationServiceClient
	Search    kistv1connect.SearchServiceClient
	Index     kistv1connect.IndexServiceClient
	Policy    kistv1connect.PolicyServiceClient
	Model     kistv1connect.ModelServiceClient
	Sync      kistv1connect.SyncServiceClient
	Token     kistv1connect.TokenServiceClient
	Language  kistv1connect.LanguageServiceClient
	Daemon    kistv1connect.DaemonServiceClient
	Health    healthv1connect.HealthClient

	Info      Info   // of the daemon
	Version   string // of the daemon, which need not be the caller's
	TokenFile string // where the token was found

	http *http.Client
}

// NewClient builds a client over any HTTP client; it calls nothing.
func NewClient(c *http.Client, baseURL string, opts ...connect.ClientOption) *Client {
	// Everything stays on this machine, where compressing costs more than it saves.
	opts = append([]connect.ClientOption{connect.WithAcceptCompression("gzip", nil, nil)}, opts...)
	return &Client{
		Vault:     kistv1connect.NewVaultServiceClient(c, baseURL, opts...),
		Project:   kistv1connect.NewProjectServiceClient(c, baseURL, opts...),
		Task:      kistv1connect.NewTaskServiceClient(c, baseURL, opts...),
		Draft:     kistv1connect.NewDraftServiceClient(c, baseURL, opts...),
		Memory:    kistv1connect.NewMemoryServiceClient(c, baseURL, opts...),
		Session:   kistv1connect.NewSessionServiceClient(c, baseURL, opts...),
		Operation: kistv1connect.NewOperationServiceClient(c, baseURL, opts...),
		Search:    kistv1connect.NewSearchServiceClient(c, baseURL, opts...),
		Index:     kistv1connect.NewIndexServiceClient(c, baseURL, opts...),
		Policy:    kistv1connect.NewPolicyServiceClient(c, baseURL, opts...),
		Model:     kistv1connect.NewModelServiceClient(c, baseURL, opts...),
		Sync:      kistv1connect.NewSyncServiceClient(c, baseURL, opts...),
		Token:     kistv1connect.NewTokenServiceClient(c, baseURL, opts...),
		Language:  kistv1connect.NewLanguageServiceClient(c, baseURL, opts...),
		Daemon:    kistv1connect.NewDaemonServiceClient(c, baseURL, opts...),
		Health:    healthv1connect.NewHealthClient(c, baseURL, opts...),
		http:      c,
	}
}

// Close gives up the connections; calls under way are not waited for.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// serving asks whether the daemon is ready.
func (c *Client) serving(ctx context.Context) (bool, error) {
	res, err := c.Health.Check(ctx, &healthv1.HealthCheckRequest{})
	if err != nil {
		return false, err
	}
	return res.Status == healthv1.HealthCheckResponse_SERVING, nil
}

// askInfo asks the daemon what daemon.json would say, where that couldn't be written.
func (c *Client) askInfo(ctx context.Context) {
	if r, err := c.Daemon.GetStatus(ctx, &kistv1.GetStatusRequest{}); err == nil {
		c.Info = Info{PID: int(r.Pid), Version: r.Version, Socket: r.Socket, URL: r.Url}
	}
}

// ClientHeader is the request header that names the calling program; the
// operation log keeps it.
const ClientHeader = "Kist-Client"

// HTTPClient returns a client whose every connection goes to a unix socket and
// whose every request carries the token and the program's name. HTTP/1.1 with
// kept connections answers a unary call faster than HTTP/2 does, and carries the
// daemon's streams as well.
func HTTPClient(socket, token, program string) *http.Client {
	return &http.Client{Transport: &transport{
		token:   token,
		program: program,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "unix", socket)
			},
			DisableCompression:  true,
			MaxIdleConnsPerHost: 8,
			IdleConnTimeout:     time.Minute,
		},
	}}
}

type transport struct {
	*http.Transport
	token, program string
}

// RoundTrip sends a copy of the request with the headers added. A connection that the other
// side broke, of a daemon that was killed, is Unavailable: Connect would take it for our own giving up.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+t.token)
	if t.program != "" {
		req.Header.Set(ClientHeader, t.program)
	}
	res, err := t.Transport.RoundTrip(req)
	if (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) && req.Context().Err() == nil {
		err = connect.NewError(connect.CodeUnavailable, err)
	}
	return res, err
}
