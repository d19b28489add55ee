/*
Package validate holds requests to the rules that stand in the proto files, as buf.validate's
annotations.

	rules := validate.New()
	err := rules.Check(message) // an *Error where a rule is broken
	connect.WithInterceptors(validate.NewInterceptor(rules))

[Rules.Check] goes through a message and finds each rule that is broken, with the paths, ids
and words of protovalidate. It knows the few kinds of rules that the proto files use, all in
check.go, and none that are written as expressions. No rule counts for less than it says: a
message of a type that has one which isn't known is refused with [ErrRule], whatever is in it,
and a test reads those of all proto files.

The annotations of a type are read when its first message comes. All at once, at the daemon's
start, would take 1.5 MB that stay and several milliseconds.

It doesn't change messages, and knows nothing of vaults: what a value means is for the
services to find out.
*/
package validate

import (
	"errors"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ErrRule is the error for an annotation that can't be held to.
var ErrRule = errors.New("this kind of rule isn't known")

// Rules are those of message types. They can be used by several goroutines at once.
type Rules struct {
	mu       sync.Mutex
	known    map[protoreflect.MessageDescriptor]*message
	patterns map[string]*regexp.Regexp // many fields have the same one
}

// New returns rules, none of which is read yet.
func New() *Rules {
	return &Rules{known: map[protoreflect.MessageDescriptor]*message{}, patterns: map[string]*regexp.Regexp{}}
}

// Read reads the rules of a type, and of those that stand in it, if they aren't yet. It fails
// with an ErrRule.
func (r *Rules) Read(d protoreflect.MessageDescriptor) error {
	_, err := r.of(d)
	return err
}

// Check returns an *Error with all the rules that a message breaks, or an ErrRule where they
// can't be told.
func (r *Rules) Check(m proto.Message) error {
	refl := m.ProtoReflect()
	rules, err := r.of(refl.Descriptor())
	if err != nil {
		return err
	}
	var w walk
	w.message(rules, refl)
	if len(w.broken) == 0 {
		return nil
	}
	return &Error{w.broken}
}

// of returns the rules of a type.
func (r *Rules) of(d protoreflect.MessageDescriptor) (*message, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.known[d]; m != nil {
		return m, nil
	}
	c := compiler{known: r.known, added: map[protoreflect.MessageDescriptor]*message{}, patterns: r.patterns}
	m, err := c.message(d)
	if err == nil {
		maps.Copy(r.known, c.added)
	}
	return m, err
}

// An Error tells which rules a message breaks.
type Error struct {
	Violations []*bufvalidate.Violation // at least one
}

// Error says it in a line, or a line for each rule.
func (e *Error) Error() string {
	if len(e.Violations) == 1 {
		return "validation error: " + line(e.Violations[0])
	}
	var b strings.Builder
	b.WriteString("validation errors:")
	for _, v := range e.Violations {
		b.WriteString("\n - " + line(v))
	}
	return b.String()
}

func line(v *bufvalidate.Violation) string { return Path(v.GetField()) + ": " + v.GetMessage() }

// Path writes a path of fields as a[3].b.
func Path(p *bufvalidate.FieldPath) string {
	var b strings.Builder
	for i, e := range p.GetElements() {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(e.GetFieldName())
		if e.HasIndex() {
			b.WriteString("[" + strconv.FormatUint(e.GetIndex(), 10) + "]")
		}
	}
	return b.String()
}
