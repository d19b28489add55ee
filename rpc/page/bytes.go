package page

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Bytes is how large a message is in the larger of its forms, and a little more: to write
// five hundred of them as JSON only to know took most of a page's time.
func Bytes(m proto.Message) int {
	return max(ofMessage(m.ProtoReflect()), proto.Size(m)) + 8
}

// The most that JSON takes for what has no length of its own.
const (
	ofTime   = 40 // a timestamp has a form of its own, which may be longer than its fields
	ofNumber = 26
	ofMarks  = 6 // around a field: quotes, a colon and a comma, each perhaps with a space
)

func ofMessage(m protoreflect.Message) int {
	n := ofTime
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		n += len(f.JSONName()) + ofMarks
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				n += ofString(k.String()) + ofValue(f.MapValue(), v) + ofMarks
				return true
			})
		case f.IsList():
			for i := range v.List().Len() {
				n += ofValue(f, v.List().Get(i)) + ofMarks
			}
		default:
			n += ofValue(f, v)
		}
		return true
	})
	return n
}

func ofValue(f protoreflect.FieldDescriptor, v protoreflect.Value) int {
	switch f.Kind() {
	case protoreflect.StringKind:
		return ofString(v.String())
	case protoreflect.BytesKind:
		return len(v.Bytes())*4/3 + 6
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return ofMessage(v.Message())
	case protoreflect.EnumKind:
		if e := f.Enum().Values().ByNumber(v.Enum()); e != nil {
			return len(e.Name()) + 2
		}
	}
	return ofNumber
}

// Size is how large a text is in the larger of a message's forms.
func Size(s string) int { return ofString(s) }

func ofString(s string) int {
	n := len(s) + 2
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c == 0x7f:
			n += 5 // \u00xx
		case c == '"', c == '\\':
			n++
		}
	}
	return n
}
