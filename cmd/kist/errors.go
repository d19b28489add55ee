package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// The exit codes, which scripts rely on.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitUnreachable = 5
)

// A usageError is a command line that can't be carried out.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// A hintError is an error with a sentence about what to do.
type hintError struct {
	error
	hint string
}

func (e hintError) Unwrap() error { return e.error }

// A turnError is the event that ends a turn which could not be completed.
type turnError struct{ *v1.TurnError }

func (e turnError) Error() string { return e.Message }

// A reportedError has been shown already; only its exit code is still needed.
type reportedError struct{ code int }

func (e reportedError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// A fault is an error as it is shown.
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	// What could not be merged, as in the response's ErrorInfo.
	Conflict *conflict `json:"conflict,omitempty"`
}

// A conflict is encoded as the message that it came as.
type conflict struct{ *v1.Conflict }

// MarshalJSON implements json.Marshaler.
func (c conflict) MarshalJSON() ([]byte, error) { return protojson.Marshal(c.Conflict) }

// report shows an error on standard error and returns the exit code.
func (c *cli) report(err error) int {
	if r, ok := errors.AsType[reportedError](err); ok {
		return r.code
	}
	f, code := explain(err)
	if code == exitUsage {
		f.Hint = orElse(f.Hint, strings.TrimSuffix(cmp.Or(c.asked, "kist"), " help")+" --help tells how it is used")
	}
	if c.json {
		// Where standard error is gone there is nobody left to tell.
		_ = c.log.JSONValue(map[string]fault{"error": f}, false)
		return code
	}
	c.log.Printf("%s %s\n", c.log.Paint(output.Red, "kist:"), hanging(f.Message))
	if f.Conflict != nil {
		c.log.conflict(f.Conflict.Conflict)
	}
	if f.Hint != "" {
		c.log.Printf("%s %s\n", c.log.Paint(output.Yellow, "hint:"), f.Hint)
	}
	return code
}

// explain turns an error into what is shown and the exit code: the only map
// from errors to exit codes.
func explain(err error) (fault, int) {
	f := fault{Code: "failed", Message: err.Error()}
	if h, ok := errors.AsType[hintError](err); ok {
		f.Hint = h.hint
	}
	if u, ok := errors.AsType[usageError](err); ok {
		f.Code, f.Message = "usage", u.Error()
		return f, exitUsage
	}
	if t, ok := errors.AsType[turnError](err); ok {
		var code connect.Code
		if code.UnmarshalText([]byte(t.Code)) != nil {
			code = connect.CodeUnknown
		}
		f.Code, f.Hint = t.Code, t.Hint
		return f, exitOf(code, false)
	}
	if d, ok := errors.AsType[*dial.Error](err); ok {
		f.Message, f.Hint = d.What, orElse(f.Hint, d.Hint)
		if errors.Is(d, dial.ErrNoVault) {
			f.Code = connect.CodeNotFound.String()
			return f, exitNotFound
		}
		f.Code = connect.CodeUnavailable.String()
		f.Hint = orElse(f.Hint, "kist doctor checks what could be wrong")
		return f, exitUnreachable
	}
	if errors.Is(err, context.Canceled) || connect.CodeOf(err) == connect.CodeCanceled {
		return fault{Code: "canceled", Message: "interrupted"}, exitFailed
	}
	if e, ok := errors.AsType[*connect.Error](err); ok {
		if !connect.IsWireError(e) && errors.Is(e, io.ErrUnexpectedEOF) {
			return fault{Code: connect.CodeUnavailable.String(), Message: "the daemon ended in the middle of its answer", Hint: orElse(f.Hint, "the next command starts it again, and tells what became of a message")}, exitUnreachable
		}
		if strings.Contains(e.Message(), "invalid UTF-8") { // protobuf gives it no type
			return fault{Code: "usage", Message: "what was given isn't text in UTF-8", Hint: "see which encoding the terminal or the file has; iconv -t utf-8 converts it"}, exitUsage
		}
		return explainRPC(e, f.Hint)
	}
	return f, exitFailed
}

// explainRPC explains what a call returned. A hint of the command's own goes before
// the daemon's.
func explainRPC(e *connect.Error, own string) (fault, int) {
	f := fault{Code: e.Code().String(), Message: e.Message()}
	named := false
	for _, d := range e.Details() {
		v, err := d.Value()
		if err != nil {
			continue
		}
		if info, ok := v.(*v1.ErrorInfo); ok {
			if f.Hint = info.Hint; len(info.FieldViolations) > 0 {
				f.Hint = "" // the message names them, and the command's help has what they may be
			}
			named = len(info.Paths) > 0
			if info.Conflict != nil {
				f.Conflict = &conflict{info.Conflict}
			}
		}
	}
	f.Hint = orElse(own, f.Hint)
	if e.Code() == connect.CodeUnavailable {
		f.Hint = orElse(f.Hint, "the daemon went away; the next command starts it again")
	}
	return f, exitOf(e.Code(), named)
}

// exitOf maps a code to an exit code. A failed precondition counts as a
// conflict if it names the files in question.
func exitOf(code connect.Code, conflict bool) int {
	switch code {
	case connect.CodeInvalidArgument:
		return exitUsage
	case connect.CodeNotFound:
		return exitNotFound
	case connect.CodeAborted, connect.CodeAlreadyExists:
		return exitConflict
	case connect.CodeFailedPrecondition:
		if conflict {
			return exitConflict
		}
		return exitFailed
	case connect.CodeUnavailable:
		return exitUnreachable
	default:
		return exitFailed
	}
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
