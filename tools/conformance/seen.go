package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	v1 "kist/tools/conformance/gen/connectrpc/conformance/v1"
)

// seen is what the server saw of a request beside its messages.
func seen(ctx context.Context, h http.Header, peer connect.Peer) *v1.ConformancePayload_RequestInfo {
	info := &v1.ConformancePayload_RequestInfo{RequestHeaders: listed(h)}
	if end, ok := ctx.Deadline(); ok {
		info.TimeoutMs = proto.Int64(time.Until(end).Milliseconds())
	}
	if len(peer.Query) > 0 {
		info.ConnectGetInfo = &v1.ConformancePayload_ConnectGetInfo{QueryParams: listed(peer.Query)}
	}
	return info
}

func listed(values map[string][]string) (all []*v1.Header) {
	for name, value := range values {
		all = append(all, &v1.Header{Name: name, Value: value})
	}
	return all
}

func put(h http.Header, all []*v1.Header) {
	for _, one := range all {
		for _, value := range one.Value {
			h.Add(one.Name, value)
		}
	}
}

func boxed(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err) // it came over the wire
	}
	return a
}

// failure makes the error that is asked for; with info where nothing was answered before.
func failure(asked *v1.Error, info *v1.ConformancePayload_RequestInfo) error {
	if asked == nil {
		return nil
	}
	err := connect.NewError(connect.Code(asked.Code), errors.New(asked.GetMessage()))
	for _, a := range asked.Details {
		if d, e := connect.NewErrorDetail(a); e == nil {
			err.AddDetail(d)
		}
	}
	if info != nil {
		if d, e := connect.NewErrorDetail(info); e == nil {
			err.AddDetail(d)
		}
	}
	return err
}
