package rpc

import (
	"net/http"
	"strings"

	"kist/proto/grpc/health/v1/healthv1connect"
	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/fault"
	"kist/rpc/tokens"
)

// A caller is who showed a token: without a name the vault's own.
type caller struct{ tokens.Caller }

// may says why a caller can't have what is at a path; nil: it can.
func (c caller) may(path string, reads map[string]bool) error {
	switch {
	case c.Name == "":
		return nil
	case strings.HasPrefix(path, "/"+kistv1connect.TokenServiceName+"/"):
		return fault.ErrNamedToken // or it would outlive its own withdrawal
	case !c.Read, reads[path], path == "/healthz", path == "/readyz",
		strings.HasPrefix(path, "/"+healthv1connect.HealthName+"/"), strings.HasPrefix(path, "/grpc.reflection."):
		return nil
	}
	return fault.ErrReadToken
}

// until ends a request when its caller's token is withdrawn; done is to be called behind it.
func (c caller) until(r *http.Request) (_ *http.Request, done func()) {
	if c.Gone == nil {
		return r, func() {}
	}
	ctx, done := c.Until(r.Context(), fault.ErrToken)
	return r.WithContext(ctx), done
}
