package endpoint

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
)

// TestHere: what is on this machine is reached without a name server, which might not be on
// it, or might name another; and a client for it reaches nothing else.
func TestHere(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil && strings.HasPrefix(address, "[") {
			continue // this machine has no such addresses
		}
		if err != nil {
			t.Fatal(err)
		}
		server := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "here") })}}
		server.Start()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		for _, host := range []string{"localhost", "LocalHost"} {
			if got, err := traced(t, "http://"+host+":"+port, ""); got != "here" || err != nil {
				t.Errorf("%s at %s: %q, %v", host, address, got, err)
			}
		}
		server.Close()
		if _, err := traced(t, "http://localhost:"+port, ""); err == nil || err.Error() != "nothing listens at http://localhost:"+port {
			t.Errorf("nothing at %s: %v", address, err)
		}
	}
	for _, elsewhere := range []string{"http://192.0.2.1:1/", "http://[2001:db8::1]:1/"} {
		if _, err := traced(t, "http://127.0.0.1:1", elsewhere); err == nil || !strings.Contains(err.Error(), "not on this machine") {
			t.Errorf("%s: %v", elsewhere, err)
		}
	}
}

// traced asks at an address, by the client of the endpoint, where nothing may be looked up.
func traced(t *testing.T, endpoint, address string) (string, error) {
	t.Helper()
	e, err := New(endpoint, "")
	if err != nil {
		t.Fatal(err)
	}
	if address == "" {
		address = endpoint
	}
	c := e.Client()
	defer c.CloseIdleConnections()
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{DNSStart: func(i httptrace.DNSStartInfo) { t.Errorf("%s is looked up", i.Host) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", Cause(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}
