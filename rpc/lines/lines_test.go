package lines_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	_ "kist/proto/kist/v1" // the calls
	"kist/rpc/lines"
)

// TestWrittenInPieces: however a handler's frames are cut, the lines are the same.
func TestWrittenInPieces(t *testing.T) {
	const frames = "\x00\x00\x00\x00\x07{\"a\":1}\x00\x00\x00\x00\x02{}\x00\x00\x00\x00\x00\x02\x00\x00\x00\x0c{\"error\":{}}"
	const want = "{\"a\":1}\n{}\n\n{\"end\":{\"error\":{}}}\n"
	for size := 1; size <= len(frames); size++ {
		h := lines.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/connect+json")
			for rest := frames; rest != ""; {
				n := min(size, len(rest))
				if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
					t.Fatal(m, err)
				}
				rest = rest[n:]
			}
		}))
		r := httptest.NewRequest(http.MethodPost, "/kist.v1.OperationService/WatchOperations", strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Body.String(); got != want {
			t.Fatalf("pieces of %d: %q", size, got)
		}
	}
}
