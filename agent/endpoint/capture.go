package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// ErrCaptured: a request was looked at and not sent.
var ErrCaptured = errors.New("the request was captured, and not sent")

// A Captured request is what would have been sent, without its headers, one of which has
// the key.
type Captured struct {
	URL  string
	Body []byte
}

type captureKey struct{}

// Capture returns a context in which clients of [Endpoint.Stream] send nothing: a request
// is put into what is returned, and fails with ErrCaptured. It is for one request at a time.
func Capture(ctx context.Context) (context.Context, *Captured) {
	c := &Captured{}
	return context.WithValue(ctx, captureKey{}, c), c
}

// capture takes a request if its context wants that.
func capture(req *http.Request) (taken bool, err error) {
	c, ok := req.Context().Value(captureKey{}).(*Captured)
	if !ok {
		return false, nil
	}
	c.URL = req.URL.Redacted()
	if req.Body != nil {
		defer req.Body.Close()
		if c.Body, err = io.ReadAll(req.Body); err != nil {
			return true, err
		}
	}
	return true, ErrCaptured
}
