package lsp

import (
	"encoding/json"
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"github.com/creachadair/jrpc2"
	"google.golang.org/protobuf/encoding/protojson"

	v1 "kist/proto/kist/v1"
)

// requestFailed is the protocol's code for a request that is right and can't be carried out.
const requestFailed = jrpc2.Code(-32803)

// A staleError refuses what goes by the lines of a document that isn't on the disk as it is in
// the editor.
type staleError struct {
	buffer *document
	now    *v1.Document // nil: it can't be read
}

func (e *staleError) Error() string {
	return fmt.Sprintf("%s isn't on the disk as it is in the editor; save it, or load it again, first", e.buffer.path)
}

// maxConflict bounds each text of a conflict, as in those of the API.
const maxConflict = 64 << 10

// info says it as the API would.
func (e *staleError) info() *v1.ErrorInfo {
	c := &v1.Conflict{Path: e.buffer.path, Reason: "it isn't what the editor has", Hash: e.now.GetHash()}
	if e.now != nil {
		now := textOf(e.now)
		text := valid(now[:min(len(now), maxConflict)])
		c.Now = &text
	}
	return &v1.ErrorInfo{Reason: "CONFLICT", Hint: "save it, or load it again, first", Paths: []string{e.buffer.path}, Conflict: c}
}

// said makes an error one that an editor shows. Its data is the ErrorInfo of the API: the
// reason, and of a conflict what the document holds now, with its hash.
func said(err error) error {
	out := &jrpc2.Error{Code: requestFailed, Message: err.Error()}
	var info *v1.ErrorInfo
	if stale, ok := errors.AsType[*staleError](err); ok {
		info = stale.info()
	}
	if remote, ok := errors.AsType[*connect.Error](err); ok {
		if info, out.Message = infoOf(remote), remote.Message(); info.GetHint() != "" {
			out.Message += " (" + info.GetHint() + ")"
		}
	}
	if data, err := protojson.Marshal(info); err == nil && info != nil {
		out.Data = json.RawMessage(data)
	}
	return out
}

// infoOf is the detail of an error of the daemon; nil where there is none.
func infoOf(err *connect.Error) *v1.ErrorInfo {
	for _, d := range err.Details() {
		if m, err := d.Value(); err == nil {
			if info, ok := m.(*v1.ErrorInfo); ok {
				return info
			}
		}
	}
	return nil
}
