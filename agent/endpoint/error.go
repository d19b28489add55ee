package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// An Error says why an endpoint could not be used.
type Error struct {
	URL    string // the endpoint's
	Status int    // of the answer; 0: there was none that counts
	Err    error  // what the server or the system says, without the key
	// RetryAfter is how long the server wants to be left alone; 0: it didn't say.
	RetryAfter time.Duration
}

// Error is one line.
func (e *Error) Error() string {
	switch {
	case e.Status == http.StatusOK:
		return fmt.Sprintf("%s says: %v", e.URL, e.Err)
	case e.Status == overloaded:
		return fmt.Sprintf("%s answers %d Overloaded: %v", e.URL, e.Status, e.Err)
	case e.Status != 0:
		return strings.TrimSuffix(fmt.Sprintf("%s answers %d %s: %v", e.URL, e.Status, http.StatusText(e.Status), e.Err), ": ")
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return "nothing listens at " + e.URL
	case errors.Is(e.Err, io.ErrUnexpectedEOF), errors.Is(e.Err, io.EOF), errors.Is(e.Err, syscall.ECONNRESET):
		return e.URL + ": the connection broke off"
	}
	if dns, ok := errors.AsType[*net.DNSError](e.Err); ok {
		return fmt.Sprintf("%s: there is no host %s (%s)", e.URL, dns.Name, dns.Err)
	}
	if op, ok := errors.AsType[*net.OpError](e.Err); ok {
		return fmt.Sprintf("%s: %v", e.URL, op.Err)
	}
	return fmt.Sprintf("%s: %v", e.URL, e.Err)
}

// Wait is how long the server wants to be left alone; 0: it didn't say; less: it can be
// asked at once, since the fault lay in this one answer.
func (e *Error) Wait() time.Duration {
	if errors.Is(e.Err, ErrTooLong) {
		return -1
	}
	return e.RetryAfter
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

// TooLong reports whether the server says that the request is longer than the model's
// window. There is no one code for that.
func (e *Error) TooLong() bool {
	if e.Status == http.StatusRequestEntityTooLarge {
		return true
	}
	text := strings.ToLower(e.Err.Error())
	for _, words := range []string{"context length", "context_length", "context size", "context window", "maximum context", "prompt is too long", "exceed context limit", "too many tokens", "exceeds the limit of tokens", "input is too long"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
		return time.Duration(min(max(n, 0), int(24*time.Hour/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// Answered is the error of a server that says in its stream, after a status of 200, what
// went wrong.
func (e *Endpoint) Answered(status int, text string) *Error { return e.fault(status, errors.New(text)) }

// Hint says what the user can do.
func (e *Error) Hint() string {
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the key: in the environment (KIST_OPENAI_KEY, KIST_ANTHROPIC_KEY, KIST_OLLAMA_KEY) or in this machine's settings, models.openai.key and so on, or in the keyring of the system"
	case e.Status == http.StatusNotFound:
		return "check the model's name against the list of the server's models, and the address: most servers with OpenAI's interface have it below /v1. Ollama has to pull a model first"
	case e.Status == http.StatusTooManyRequests:
		return "the server wants fewer requests"
	case e.Status != 0:
		return "see the log of the server"
	case errors.Is(e.Err, io.ErrUnexpectedEOF), errors.Is(e.Err, io.EOF), errors.Is(e.Err, syscall.ECONNRESET):
		return "the server may have ended; see its log"
	case errors.Is(e.Err, ErrSilent):
		return "the server may be busy or hang; see its log"
	case errors.Is(e.Err, ErrTooLong):
		return "a model that goes in circles? See the log of the server"
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
