package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

// An Error says why an endpoint could not be used.
type Error struct {
	URL    string // the endpoint's
	Status int    // of the answer; 0: there was none that counts
	Err    error  // what the server or the system says, without the key
}

// Error is one line.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s answers %d %s: %v", e.URL, e.Status, http.StatusText(e.Status), e.Err)
	}
	return fmt.Sprintf("%s: %v", e.URL, e.Err)
}

// Unwrap returns the cause, so that errors.Is finds context.Canceled.
func (e *Error) Unwrap() error { return e.Err }

// Refused reports whether the fault may lie in what was asked: the server is there
// and may well answer another request. Ollama says 500 where a model makes NaN of a
// text, and llama.cpp where a text is too long.
func (e *Error) Refused() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	}
	return false
}

// Hint says what the user can do.
func (e *Error) Hint() string {
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the key in this machine's configuration"
	case e.Status == http.StatusNotFound:
		return "check the model's name and the address; Ollama has to pull a model first"
	case e.Status == http.StatusTooManyRequests:
		return "the server wants fewer requests"
	case e.Status != 0:
		return "see the log of the server"
	}
	return "check that the server runs and that the address is right"
}

// Cause returns the Error in err without what HTTP clients put around it, which says
// the same once more; err itself where there is none.
func Cause(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return err
}

// fault makes an Error of what went wrong.
func (e *Endpoint) fault(status int, err error) *Error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if text := e.clean(err.Error()); text != err.Error() {
		err = cleaned{text, err}
	}
	return &Error{URL: e.base.String(), Status: status, Err: err}
}

// cleaned is an error whose text was not fit to be shown.
type cleaned struct {
	text string
	err  error
}

func (c cleaned) Error() string        { return c.text }
func (c cleaned) Is(target error) bool { return errors.Is(c.err, target) }

// clean makes one short line without the key of a text that a server sent.
func (e *Endpoint) clean(s string) string {
	if e.key != "" {
		s = strings.ReplaceAll(s, e.key, "[key]")
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxMessage {
		s = string(r[:maxMessage]) + "..."
	}
	return s
}

// message is what an error's body says: {"error": "..."} of Ollama,
// {"error": {"message": "..."}} of OpenAI, or whatever it is.
func message(body []byte) string {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return strings.TrimSpace(string(body))
	}
	var text string
	if json.Unmarshal(outer.Error, &text) == nil && text != "" {
		return text
	}
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(outer.Error, &inner) == nil && inner.Message != "" {
		return inner.Message
	}
	if outer.Message != "" {
		return outer.Message
	}
	return strings.TrimSpace(string(body))
}
