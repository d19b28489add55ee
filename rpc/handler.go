package rpc

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"

	"kist/proto/grpc/health/v1/healthv1connect"
	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc/bounds"
	"kist/rpc/documents"
	"kist/rpc/lines"
	"kist/rpc/news"
	"kist/rpc/refused"
	"kist/rpc/study"
	"kist/rpc/told"
	"kist/rpc/turns"
	"kist/rpc/validate"
	"kist/vault/assist"
)

// maxMessage limits a request's message, and maxBody its body, which may add
// framing and the base64 of a GET.
const (
	maxMessage = 4 << 20
	maxBody    = maxMessage + 64<<10
)

// Options are what each service is served with: what is checked, logged and bounded.
func Options(d Deps) []connect.HandlerOption {
	return []connect.HandlerOption{
		connect.WithInterceptors(&edge{Deps: d}, bounds.NewAnswers(), validate.NewInterceptor(validate.New()), bounds.NewBudget(d.Vault), &writes{Deps: d}, told.New(d.Vault)),
		connect.WithReadMaxBytes(maxMessage),
		refused.Codecs(),
		// Local calls gain nothing from it, and what can't be unpacked can't explode.
		connect.WithCompression("gzip", nil, nil),
	}
}

// NewServer returns a server of HTTP/1.1, and of HTTP/2 without encryption, which gRPC needs.
func NewServer(h http.Handler) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           h,
		Protocols:         protocols,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}

// NewHandler returns the handler of all services.
func NewHandler(d Deps) http.Handler {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Turns == nil {
		d.Turns = turns.New(d.Agent, d.Vault, d.Stopping)
	}
	if d.News == nil {
		d.News = news.New(d.Vault)
	}
	opts := Options(d)
	mux := http.NewServeMux()
	mux.Handle(kistv1connect.NewVaultServiceHandler(&vaultService{documents.Service{Vault: d.Vault, Apply: d.apply}, d}, opts...))
	mux.Handle(kistv1connect.NewProjectServiceHandler(&projectService{study.New(d.Vault), d}, opts...))
	mux.Handle(kistv1connect.NewTaskServiceHandler(&taskService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewDraftServiceHandler(&draftService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewMemoryServiceHandler(&memoryService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewSessionServiceHandler(&sessionService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewOperationServiceHandler(&operationService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewSearchServiceHandler(&searchService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewIndexServiceHandler(&indexService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewPolicyServiceHandler(&policyService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewModelServiceHandler(&modelService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewSyncServiceHandler(&syncService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewTokenServiceHandler(&tokenService{Deps: d}, opts...))
	mux.Handle(kistv1connect.NewLanguageServiceHandler(&languageService{Deps: d, desk: assist.New(d.Vault)}, opts...))
	mux.Handle(kistv1connect.NewDaemonServiceHandler(&daemonService{Deps: d}, opts...))
	mux.Handle(healthv1connect.NewHealthHandler(&healthService{Deps: d}, opts...))

	reflector := grpcreflect.NewStaticReflector(ServiceNames()...)
	mux.Handle(grpcreflect.NewHandlerV1(reflector, opts...))
	mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, opts...))

	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !d.Ready() {
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	return Bounded(lines.Wrap(refused.Wrap(knownCalls(mux))))
}

// Bounded limits the bodies of requests.
func Bounded(h http.Handler) http.Handler { return http.MaxBytesHandler(h, maxBody) }
