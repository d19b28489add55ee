package main

import (
	"context"
	"errors"
	"io"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	v1 "kist/tools/conformance/gen/connectrpc/conformance/v1"
	"kist/tools/conformance/gen/connectrpc/conformance/v1/conformancev1connect"
)

// A service does what each request asks for, as the suite's service.proto says.
type service struct {
	conformancev1connect.UnimplementedConformanceServiceHandler
}

func (s *service) Unary(ctx context.Context, req *connect.Request[v1.UnaryRequest]) (*connect.Response[v1.UnaryResponse], error) {
	p, err := one(seenBy(ctx, req, req.Msg), req.Msg.ResponseDefinition)
	if err != nil {
		return nil, err
	}
	return answered(&v1.UnaryResponse{Payload: p}, req.Msg.ResponseDefinition), nil
}

func (s *service) IdempotentUnary(ctx context.Context, req *connect.Request[v1.IdempotentUnaryRequest]) (*connect.Response[v1.IdempotentUnaryResponse], error) {
	p, err := one(seenBy(ctx, req, req.Msg), req.Msg.ResponseDefinition)
	if err != nil {
		return nil, err
	}
	return answered(&v1.IdempotentUnaryResponse{Payload: p}, req.Msg.ResponseDefinition), nil
}

func (s *service) ClientStream(ctx context.Context, stream *connect.ClientStream[v1.ClientStreamRequest]) (*connect.Response[v1.ClientStreamResponse], error) {
	info := seen(ctx, stream.RequestHeader(), stream.Peer())
	var def *v1.UnaryResponseDefinition
	for first := true; stream.Receive(); first = false {
		if first {
			def = stream.Msg().ResponseDefinition
		}
		info.Requests = append(info.Requests, boxed(stream.Msg()))
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	p, err := one(info, def)
	if err != nil {
		return nil, err
	}
	return answered(&v1.ClientStreamResponse{Payload: p}, def), nil
}

func (s *service) ServerStream(ctx context.Context, req *connect.Request[v1.ServerStreamRequest], stream *connect.ServerStream[v1.ServerStreamResponse]) error {
	def := req.Msg.ResponseDefinition
	put(stream.ResponseHeader(), def.GetResponseHeaders())
	put(stream.ResponseTrailer(), def.GetResponseTrailers())
	info := seenBy(ctx, req, req.Msg)
	if len(def.GetResponseData()) > 0 {
		if err := stream.Send(nil); err != nil { // the headers, before any wait
			return err
		}
	}
	for _, data := range def.GetResponseData() {
		pause(def.GetResponseDelayMs())
		if err := stream.Send(&v1.ServerStreamResponse{Payload: &v1.ConformancePayload{Data: data, RequestInfo: info}}); err != nil {
			return err
		}
		info = nil // only the first tells it
	}
	return failure(def.GetError(), info)
}

func (s *service) BidiStream(ctx context.Context, stream *connect.BidiStream[v1.BidiStreamRequest, v1.BidiStreamResponse]) error {
	info := seen(ctx, stream.RequestHeader(), stream.Peer())
	var def *v1.StreamResponseDefinition
	var duplex bool
	var sent int
	send := func() error {
		pause(def.GetResponseDelayMs())
		err := stream.Send(&v1.BidiStreamResponse{Payload: &v1.ConformancePayload{Data: def.ResponseData[sent], RequestInfo: info}})
		sent++
		info = nil
		return err
	}
	for first := true; ; first = false {
		req, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if info == nil {
			info = &v1.ConformancePayload_RequestInfo{}
		}
		info.Requests = append(info.Requests, boxed(req))
		if first {
			def, duplex = req.ResponseDefinition, req.FullDuplex
			put(stream.ResponseHeader(), def.GetResponseHeaders())
			put(stream.ResponseTrailer(), def.GetResponseTrailers())
			if duplex && len(def.GetResponseData()) > 0 {
				if err := stream.Send(nil); err != nil {
					return err
				}
			}
		}
		if !duplex {
			continue
		}
		if sent >= len(def.GetResponseData()) {
			break
		}
		if err := send(); err != nil {
			return err
		}
	}
	for sent < len(def.GetResponseData()) {
		if err := send(); err != nil {
			return err
		}
	}
	if sent > 0 {
		info = nil
	}
	return failure(def.GetError(), info)
}

func answered[M any](m *M, def *v1.UnaryResponseDefinition) *connect.Response[M] {
	res := connect.NewResponse(m)
	put(res.Header(), def.GetResponseHeaders())
	put(res.Trailer(), def.GetResponseTrailers())
	return res
}

// one is what a call with one answer gives.
func one(info *v1.ConformancePayload_RequestInfo, def *v1.UnaryResponseDefinition) (*v1.ConformancePayload, error) {
	pause(def.GetResponseDelayMs())
	if def.GetError() == nil {
		return &v1.ConformancePayload{Data: def.GetResponseData(), RequestInfo: info}, nil
	}
	err := failure(def.GetError(), info)
	var known *connect.Error
	if errors.As(err, &known) {
		put(known.Meta(), def.GetResponseHeaders())
		put(known.Meta(), def.GetResponseTrailers())
	}
	return nil, err
}

// pause waits as long as is asked, also where the deadline ends before: some cases are about
// an answer that comes too late.
func pause(ms uint32) { time.Sleep(time.Duration(ms) * time.Millisecond) }

func seenBy[M any](ctx context.Context, req *connect.Request[M], m proto.Message) *v1.ConformancePayload_RequestInfo {
	info := seen(ctx, req.Header(), req.Peer())
	info.Requests = append(info.Requests, boxed(m))
	return info
}
