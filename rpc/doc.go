/*
Package rpc serves a vault, its index and its agent over Connect, gRPC and
gRPC-Web, all at the same addresses.

[NewHandler] builds the handler from [Deps]; [Guard] stands before it and lets
through only requests with a known Host, an allowed Origin and the token, so
that nothing behind it runs for anybody else:

	h := rpc.NewHandler(rpc.Deps{Vault: v, Index: x, Agent: a, ...})
	server.Handler = rpc.Guard{Hosts: hosts, Origins: rpc.DefaultOrigins(), Token: token}.Wrap(h)

There is one file a service, convert*.go for the messages, and errors.go, the
only place where an error of the domain becomes a code and a hint. Messages of
package kistv1 exist in this package, in package documents and in clients only.

A changing call plans its step with package vault and applies it as the user's
own, at once: whoever calls has decided already. What the agent does by itself
goes through Send, where its policy applies.

Calls run side by side, as net/http does it. Streams end when their client goes,
when Deps.Stopping is closed, or with an error that says to start over; none
makes a writer wait. A turn goes on without its client (package turns). Requests are at most 4 MiB, and compressed ones are refused.

The package opens no listener and no file, and knows no configuration.
*/
package rpc
