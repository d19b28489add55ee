package daemon

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// BenchmarkStreams opens 2,000 streams over loopback TCP, by ten clients of 200, on HTTP/2
// and on a connection each, closes them, and says what memory the daemon, a process of its
// own, has before, with them, and ten seconds after:
//
//	go test ./daemon -run '^$' -bench Streams -benchtime 1x
func BenchmarkStreams(b *testing.B) {
	for _, protocol := range []string{"HTTP2", "HTTP1"} {
		b.Run(protocol, func(b *testing.B) {
			paths := isolate(b)
			if _, err := Init(paths.Vault); err != nil {
				b.Fatal(err)
			}
			defer down(b, paths)
			info := starting(b, paths).Info
			resident := func(when string) {
				b.Helper()
				data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", info.PID))
				if err != nil {
					b.Fatal(err)
				}
				n, _ := field(data, "Rss:")
				anon, _ := field(data, "Anonymous:")
				b.Logf("%s: %d MB, of which %d anonymous", when, n>>20, anon>>20)
				b.ReportMetric(float64(n)/(1<<20), "MB-"+when)
			}
			for range b.N {
				time.Sleep(10 * time.Second) // what the start left is given back
				resident("before")
				open, done := 0, []func(){}
				for client := range 10 {
					n, end := openStreams(b, paths, info.URL, fmt.Sprint("client-", client), 200, protocol == "HTTP2")
					open, done = open+n, append(done, end)
				}
				resident("open")
				b.ReportMetric(float64(open), "streams")
				for _, end := range done {
					end()
				}
				time.Sleep(10 * time.Second)
				resident("after")
			}
		})
	}
}

// openStreams opens up to n streams as one client and returns how many there are.
func openStreams(t testing.TB, paths dial.Paths, url, client string, n int, http2 bool) (open int, end func()) {
	t.Helper()
	token, err := os.ReadFile(paths.Token)
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!http2)
	protocols.SetUnencryptedHTTP2(http2)
	transport := &http.Transport{Protocols: protocols}
	k := dial.NewClient(&http.Client{Transport: bearer{transport, strings.TrimSpace(string(token)), client}}, url)
	ctx, cancel := context.WithCancel(context.Background())
	var streams []io.Closer
	for range n {
		s, err := k.Operation.WatchOperations(ctx, &kistv1.WatchOperationsRequest{})
		if err != nil {
			break
		}
		streams = append(streams, s)
	}
	return len(streams), func() {
		cancel()
		for _, s := range streams {
			_ = s.Close()
		}
		transport.CloseIdleConnections()
	}
}

// A bearer sends the token and the client's name.
type bearer struct {
	http.RoundTripper
	token, client string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	r.Header.Set(dial.ClientHeader, b.client)
	return b.RoundTripper.RoundTrip(r)
}
