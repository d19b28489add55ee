/*
Package refused gives a detail with reason and hint to what the library that serves refuses
before any handler or interceptor sees it: a body that isn't the JSON of its call, or is too large.

	http.Handle("/", refused.Wrap(handler))

It looks at answers to calls in JSON alone, as people and scripts make them; all others pass.
*/
package refused

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"

	"connectrpc.com/connect"

	"kist/rpc/fault"
)

// Wrap returns a handler whose refusals all have a detail.
func Wrap(next http.Handler) http.Handler {
	write := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" || r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		held := &answer{ResponseWriter: w}
		next.ServeHTTP(held, r)
		if held.status == 0 {
			return
		}
		var said struct {
			Code    connect.Code    `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		}
		if json.Unmarshal(held.body.Bytes(), &said) == nil && said.Code != 0 && said.Details == nil {
			w.Header().Del("Content-Length")
			_ = write.Write(w, r, fault.Connect(connect.NewError(said.Code, errors.New(said.Message)))) // the client is gone
			return
		}
		w.WriteHeader(held.status)
		_, _ = w.Write(held.body.Bytes()) // the same
	})
}

// An answer holds back what is a refusal.
type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		a.status = status
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	if a.status != 0 {
		return a.body.Write(b)
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
