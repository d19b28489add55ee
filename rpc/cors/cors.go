// Package cors answers what browsers ask of other origins: which may read, and what they may send.
package cors

import "net/http"

// Allow lets a page of an allowed origin read the answer, and the headers
// in which gRPC-Web puts its status.
func Allow(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin")
	h.Add("Vary", "Origin")
}

// IsPreflight reports whether a browser asks before the request proper.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// Answer answers the question that a browser asks before the request
// proper. It carries no token, so it must not reach a handler.
func Answer(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers",
		"Authorization, Content-Type, Connect-Protocol-Version, Connect-Timeout-Ms, "+
			"Grpc-Timeout, X-Grpc-Web, X-User-Agent, Kist-Client")
	h.Set("Access-Control-Max-Age", "7200")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
}
