package rpc

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"

	"connectrpc.com/connect"

	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/cors"
	"kist/rpc/fault"
	"kist/rpc/tokens"
)

// A Guard refuses requests before anything is routed. Whatever web page the user
// looks at can send requests to a loopback port, and by DNS rebinding even with
// an Origin and Host that agree; so the Host must be one of ours, an Origin one
// that was allowed, and the token right. (http.CrossOriginProtection compares
// Origin with Host only: all that it refuses is refused here before.)
type Guard struct {
	Hosts   []string      // exact Host headers, such as 127.0.0.1:7777
	Origins []string      // exact origins; one that ends in :// allows every host of its scheme
	Token   func() string // the token of now; "" lets nobody in
	Named   *tokens.Store // the tokens of the user's programs; nil: there are none
	Own     bool          // the listener is reached by this user's own processes alone
}

// ownWord is what only a process of this user may say for them: a token can be known to
// others, having come with the vault, say, and to web pages that were let in.
func ownWord() []string {
	return []string{kistv1connect.PolicyServiceTrustPolicyProcedure, kistv1connect.ModelServiceUseModelProcedure, kistv1connect.ModelServicePullModelProcedure,
		kistv1connect.SyncServiceSetUpSyncProcedure, kistv1connect.SyncServiceOwnDeviceProcedure,
		kistv1connect.VaultServiceImportConversationsProcedure, kistv1connect.TokenServiceCreateTokenProcedure}
}

// DefaultOrigins returns the origins of the clients that run in a web view:
// Obsidian on desktop, iOS and Android, and VS Code.
func DefaultOrigins() []string {
	return []string{"app://obsidian.md", "capacitor://localhost", "http://localhost", "vscode-webview://"}
}

// Wrap returns a handler that passes on what the guard lets through. It answers
// 403 to a wrong Host or Origin, and to the user's own word where others could speak, 401
// to a wrong token, and preflights itself.
func (g Guard) Wrap(next http.Handler) http.Handler {
	reads := calls()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(g.Hosts, r.Host) {
			refuse(w, r, http.StatusForbidden, fault.ErrHost)
			return
		}
		origin, ok := g.allowed(r)
		if !ok {
			refuse(w, r, http.StatusForbidden, fault.ErrOrigin)
			return
		}
		if origin != "" {
			cors.Allow(w.Header(), origin)
			if cors.IsPreflight(r) {
				cors.Answer(w, r)
				return
			}
		}
		who, ok := g.authorized(r)
		if !ok {
			refuse(w, r, http.StatusUnauthorized, fault.ErrToken)
			return
		}
		if err := who.may(r.URL.Path, reads); err != nil {
			refuse(w, r, http.StatusForbidden, err)
			return
		}
		if !g.Own && slices.Contains(ownWord(), r.URL.Path) {
			refuse(w, r, http.StatusForbidden, fault.ErrOwnWord)
			return
		}
		r, done := who.until(r)
		defer done()
		next.ServeHTTP(w, r)
	})
}

// allowed returns the request's origin, "" for a request that no web page made.
func (g Guard) allowed(r *http.Request) (origin string, ok bool) {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		// Without Origin, a page can still cause GETs; browsers say so here. A page
		// of another port on this machine counts as same-site and is no friend.
		for _, site := range r.Header.Values("Sec-Fetch-Site") {
			if site != "none" && site != "same-origin" {
				return "", false
			}
		}
		return "", true
	}
	if len(origins) != 1 {
		return "", false
	}
	origin = origins[0]
	for _, allowed := range g.Origins {
		match := origin == allowed
		if strings.HasSuffix(allowed, "://") {
			match = plainHost(origin, allowed)
		}
		if match {
			return origin, true
		}
	}
	return "", false
}

// plainHost reports whether an origin is a scheme and a host of harmless letters:
// it is echoed in a header.
func plainHost(origin, scheme string) bool {
	host, ok := strings.CutPrefix(origin, scheme)
	return ok && host != "" && strings.IndexFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}) < 0
}

// authorized looks at the one Authorization header and at nothing else: a token
// in a URL would end up in histories and logs.
func (g Guard) authorized(r *http.Request) (who caller, ok bool) {
	headers := r.Header.Values("Authorization")
	want := g.Token()
	if len(headers) != 1 || want == "" {
		return who, false
	}
	scheme, got, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return who, false
	}
	// Sums have one length, so that nothing can be learned about the token's.
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	if subtle.ConstantTimeCompare(a[:], b[:]) == 1 {
		return who, true
	}
	if g.Named == nil {
		return who, false
	}
	named, ok := g.Named.Find(got)
	return caller{named}, ok
}

// refuse answers in the caller's protocol, as text where it speaks none, and closes the
// connection, so that the server doesn't read on to the end of a body that nobody wants.
func refuse(w http.ResponseWriter, r *http.Request, status int, why error) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="kist"`)
	}
	w.Header().Set("Connection", "close")
	if errors := connect.NewErrorWriter(); errors.IsSupported(r) {
		_ = errors.Write(w, r, fault.Connect(why)) // the client is gone
		return
	}
	http.Error(w, why.Error(), status)
}
