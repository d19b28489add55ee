/*
Package lines lets a stream be asked for like any other call: a POST of a JSON object, with the
type application/json, is answered with one JSON object a line, where Connect's own framing has
five bytes before each. The last line is {"end": ...}, with what Connect says at the end of a
stream: an error, or nothing.

	http.Handle("/", lines.Wrap(handler))

It knows nothing of messages: they go through as they are.
*/
package lines

import (
	"bytes"
	"encoding/binary"
	"io"
	"mime"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

const (
	plainType  = "application/json"
	framedType = "application/connect+json"
	linesType  = "application/jsonl"

	frameHead = 5    // bytes before a message: a flag, and its length
	frameEnd  = 0x02 // the flag of the last message
)

// Wrap returns a handler that serves streams in lines to who asks for them as JSON, and passes
// on everything else.
func Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != plainType || r.Method != http.MethodPost || !streams(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			_ = connect.NewErrorWriter().Write(w, r, connect.NewError(connect.CodeResourceExhausted, err)) // the client is gone
			return
		}
		framed := r.Clone(r.Context())
		head := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))) // bodies are bounded
		framed.Body = io.NopCloser(io.MultiReader(bytes.NewReader(head), bytes.NewReader(body)))
		framed.ContentLength = int64(frameHead + len(body))
		framed.Header.Set("Content-Type", framedType)
		next.ServeHTTP(&writer{ResponseWriter: w}, framed)
	})
}

// streams reports whether the path is that of a call that answers with a stream to one request.
func streams(path string) bool {
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")))
	m, ok := d.(protoreflect.MethodDescriptor)
	return err == nil && ok && m.IsStreamingServer() && !m.IsStreamingClient()
}

// A writer turns frames into lines.
type writer struct {
	http.ResponseWriter
	begun bool
	plain bool   // the handler answers with something else, which goes through
	head  []byte // of the frame that is being written
	left  int    // bytes of its message that are to come
}

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	w.begun = true
	if w.plain = w.Header().Get("Content-Type") != framedType; !w.plain {
		w.Header().Set("Content-Type", linesType)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *writer) Write(p []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	if w.plain {
		return w.ResponseWriter.Write(p)
	}
	var out []byte
	for rest := p; len(rest) > 0; {
		if n := frameHead - len(w.head); n > 0 {
			n = min(n, len(rest))
			w.head, rest = append(w.head, rest[:n]...), rest[n:]
			if len(w.head) < frameHead {
				break
			}
			w.left = int(binary.BigEndian.Uint32(w.head[1:]))
			out = append(out, w.around(`{"end":`, "")...)
		}
		n := min(w.left, len(rest))
		out, rest, w.left = append(out, rest[:n]...), rest[n:], w.left-n
		if w.left == 0 {
			out, w.head = append(out, w.around("}\n", "\n")...), nil
		}
	}
	if _, err := w.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// around is what stands beside a message: the last one is told apart.
func (w *writer) around(last, other string) string {
	if w.head[0]&frameEnd != 0 {
		return last
	}
	return other
}

// Flush implements http.Flusher.
func (w *writer) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() } // what can't be flushed comes later

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
