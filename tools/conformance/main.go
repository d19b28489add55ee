// Command conformance is a server under the Connect conformance suite: its service, which only the
// suite asks for, is served with the options, the limits and the server of kist's own.
//
//	connectconformance --mode server --conf config.yaml -- conformance
//
// It is a module of its own, so that nothing of it is linked into kist. The code of its
// messages is generated from the suite's module by run, and not kept here.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"

	"google.golang.org/protobuf/proto"

	v1 "kist/tools/conformance/gen/connectrpc/conformance/v1"
	"kist/tools/conformance/gen/connectrpc/conformance/v1/conformancev1connect"

	"connectrpc.com/connect"
	"kist/rpc"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// serve reads what is asked for, serves, and says where, until it is killed.
func serve(in io.Reader, out io.Writer) error {
	var asked v1.ServerCompatRequest
	if err := read(in, &asked); err != nil {
		return err
	}
	opts := rpc.Options(rpc.Deps{Log: slog.New(slog.DiscardHandler)})
	// What the suite's cases want of a limit is less than kist's own.
	if asked.MessageReceiveLimit > 0 {
		opts = append(opts, connect.WithReadMaxBytes(int(asked.MessageReceiveLimit)))
	}
	// The outermost: it sees what goes to the client.
	opts = append([]connect.HandlerOption{connect.WithInterceptors(aside{})}, opts...)
	mux := http.NewServeMux()
	mux.Handle(conformancev1connect.NewConformanceServiceHandler(&service{}, opts...))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	at := l.Addr().(*net.TCPAddr)
	if err := write(out, &v1.ServerCompatResponse{Host: at.IP.String(), Port: uint32(at.Port)}); err != nil {
		return err
	}
	return rpc.NewServer(rpc.Bounded(mux)).Serve(l)
}

// read and write have four bytes of length before a message.
func read(in io.Reader, m proto.Message) error {
	var size uint32
	if err := binary.Read(in, binary.BigEndian, &size); err != nil {
		return err
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(in, b); err != nil {
		return err
	}
	return proto.Unmarshal(b, m)
}

func write(out io.Writer, m proto.Message) error {
	b, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	_, err = out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}
