package daemon

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"kist/rpc/dial"
)

// TestNothingIsCompressed: a client that takes gzip gets plain replies, by the socket
// and by loopback, and asks in vain to send it.
func TestNothingIsCompressed(t *testing.T) {
	paths := isolate(t)
	r := begin(t, paths, usualPatience())
	token, err := os.ReadFile(paths.Token)
	if err != nil {
		t.Fatal(err)
	}
	socket := dial.HTTPClient(r.info.Socket, strings.TrimSpace(string(token)), "test")
	defer socket.CloseIdleConnections()
	loopback := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer loopback.CloseIdleConnections()
	call := func(c *http.Client, base, encoding string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), "POST", base+"/kist.v1.IndexService/GetIndexStatus", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept-Encoding", "gzip, br, zstd")
		if encoding != "" {
			req.Header.Set("Content-Encoding", encoding)
		}
		res, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res
	}
	for name, c := range map[string]*http.Client{"http://localhost": socket, r.info.URL: loopback} {
		if res := call(c, name, ""); res.StatusCode != http.StatusOK || res.Header.Get("Content-Encoding") != "" || res.Uncompressed {
			t.Errorf("%s: %d, packed as %q", name, res.StatusCode, res.Header.Get("Content-Encoding"))
		}
		if res := call(c, name, "gzip"); res.StatusCode != http.StatusNotImplemented {
			t.Errorf("%s: a packed request: %d", name, res.StatusCode)
		}
	}
	r.stop()
	r.end(t)
}
