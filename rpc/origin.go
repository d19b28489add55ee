package rpc

import (
	"context"
	"net/http"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
)

// clientName returns the name that the calling program gave itself, as far as it
// is one: it goes into the operation log and the daemon's.
func clientName(h http.Header) string {
	name := h.Get("Kist-Client")
	if len(name) > 64 {
		return ""
	}
	for _, r := range name {
		if r <= ' ' || r > '~' {
			return ""
		}
	}
	return name
}

// origin says that the user did it, with the program that called. Nothing else
// that a client claims about itself counts.
func origin(ctx context.Context) vault.Origin {
	o := vault.Origin{Actor: vault.ActorUser}
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok {
		o.Client = clientName(call.RequestHeader())
	}
	o.Request = wishOf(ctx).request
	return o
}

// apply carries out one planned step as the user's, with the user's reason where
// one was given, and in the way that the request wants it: guarded, or as a proposal.
func (d Deps) apply(ctx context.Context, step vault.Step, reason string) (*kistv1.Operation, error) {
	ops, err := d.applyAll(ctx, []vault.Step{step}, reason)
	if err != nil || len(ops) == 0 {
		return nil, err
	}
	return ops[0], nil
}

// planned is apply for what a plan returns.
func (d Deps) planned(ctx context.Context, reason string) func(vault.Step, error) (*kistv1.Operation, error) {
	return func(step vault.Step, err error) (*kistv1.Operation, error) {
		if err != nil {
			return nil, err
		}
		return d.apply(ctx, step, reason)
	}
}

// applyAll is apply for several steps, all or none.
func (d Deps) applyAll(ctx context.Context, steps []vault.Step, reason string) ([]*kistv1.Operation, error) {
	for i := range steps {
		if reason != "" {
			steps[i].Reason = reason
		}
	}
	w := wishOf(ctx)
	if err := w.guard(steps); err != nil {
		return nil, err
	}
	carryOut := d.Vault.Apply
	if w.propose {
		carryOut = d.Vault.Propose
	}
	ops, err := carryOut(ctx, vault.Batch{Origin: origin(ctx), Steps: steps})
	if err != nil {
		return nil, err
	}
	return operations(ops), nil
}
