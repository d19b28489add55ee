package endpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
)

// Sent says what a request consisted of, without its headers.
type Sent struct {
	URL    string // without a password
	Bytes  int
	SHA256 string // of the body, in hex
}

type recordKey struct{}

// Record returns a context in which each request of a client of [Endpoint.Client] is told of
// when it is about to be sent, each try anew.
func Record(ctx context.Context, tell func(Sent)) context.Context {
	return context.WithValue(ctx, recordKey{}, tell)
}

// record tells of a request if its context wants that.
func record(req *http.Request) error {
	tell, ok := req.Context().Value(recordKey{}).(func(Sent))
	if !ok || req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	if err := errors.Join(err, req.Body.Close()); err != nil {
		return err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	sum := sha256.Sum256(body)
	tell(Sent{URL: req.URL.Redacted(), Bytes: len(body), SHA256: hex.EncodeToString(sum[:])})
	return nil
}
