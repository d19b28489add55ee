package refused

import (
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"kist/vault/spelling"
)

// Codecs are those of JSON that refuse a request with a field that its message doesn't have:
// connect's own pass over it, and with it a guard whose name is mistyped.
func Codecs() connect.HandlerOption {
	return connect.WithHandlerOptions(connect.WithCodec(codec{"json"}), connect.WithCodec(codec{"json; charset=utf-8"}))
}

type codec struct{ name string }

// Name implements connect.Codec.
func (c codec) Name() string { return c.name }

// Marshal implements connect.Codec.
func (c codec) Marshal(message any) ([]byte, error) { return c.MarshalAppend(nil, message) }

// MarshalAppend adds the message to a buffer, which connect keeps for the next one.
func (c codec) MarshalAppend(to []byte, message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", message)
	}
	return protojson.MarshalOptions{}.MarshalAppend(to, m)
}

// Unmarshal implements connect.Codec.
func (c codec) Unmarshal(data []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", message)
	}
	if len(data) == 0 {
		return errors.New("zero-length payload is not a valid JSON object")
	}
	err := protojson.Unmarshal(data, m)
	if err == nil {
		return nil
	}
	if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
		err = fmt.Errorf("there is no field %s in it%s", name, meant(strings.Trim(name, `"`), m))
	}
	return fmt.Errorf("unmarshal into %T: %w", message, err)
}

// meant says which of a message's fields somebody may have meant, or nothing.
func meant(name string, m proto.Message) string {
	var names []string
	for fields, i := m.ProtoReflect().Descriptor().Fields(), 0; i < fields.Len(); i++ {
		names = append(names, string(fields.Get(i).Name()))
	}
	if near := spelling.Near(name, names); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return ""
}
