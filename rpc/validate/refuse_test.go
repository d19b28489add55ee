package validate_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"kist/rpc/validate"
)

// known are the rules that are held to, in the fields of buf.validate.FieldRules.
var known = []string{
	"required", "string.min_len", "string.max_len", "string.max_bytes", "string.pattern", "string.in",
	"int32.gte", "int32.lte", "enum.defined_only", "repeated.min_items", "repeated.max_items", "repeated.items",
}

// TestKistsRules: the rules of all proto files can be read.
func TestKistsRules(t *testing.T) {
	rules := validate.New()
	for _, m := range messages(t) {
		if err := rules.Read(m.Descriptor()); err != nil {
			t.Error(err)
		}
	}
}

// TestOtherRulesAreRefused takes each rule that buf.validate has: one that isn't known is
// refused when it is read, and by each check of such a message.
func TestOtherRulesAreRefused(t *testing.T) {
	p, seen := newPair(t), 0
	for name, r := range everyRule() {
		d := withRule(t, name, r)
		err := validate.New().Read(d)
		if slices.Contains(known, name) {
			seen++
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			p.compare(t, dynamicpb.NewMessage(d))
			f := d.Fields().Get(0)
			for _, set := range edges(f) {
				m := dynamicpb.NewMessage(d)
				set(m)
				p.compare(t, m)
			}
			continue
		}
		if !errors.Is(err, validate.ErrRule) || !strings.Contains(err.Error(), "M.f") {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.ours.Check(dynamicpb.NewMessage(d)); !errors.Is(err, validate.ErrRule) {
			t.Errorf("a check of %s: %v", name, err)
		}
	}
	if seen != len(known) {
		t.Errorf("%d of %d known rules were tried", seen, len(known))
	}
}

// everyRule returns each field of FieldRules, or of the rules of a kind in there, set.
func everyRule() map[string]*bufvalidate.FieldRules {
	all := map[string]*bufvalidate.FieldRules{}
	set := func(name string, change func(m protoreflect.Message)) {
		r := &bufvalidate.FieldRules{}
		change(r.ProtoReflect())
		all[name] = r
	}
	fields := (*bufvalidate.FieldRules)(nil).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		kind := fields.Get(i)
		if kind.ContainingOneof() == nil || kind.ContainingOneof().IsSynthetic() {
			set(string(kind.Name()), func(m protoreflect.Message) { something(m, kind) })
			continue
		}
		rules := kind.Message().Fields()
		for j := range rules.Len() {
			set(string(kind.Name())+"."+string(rules.Get(j).Name()), func(m protoreflect.Message) {
				something(m.Mutable(kind).Message(), rules.Get(j))
			})
		}
	}
	return all
}

// something gives a field a value that isn't zero.
func something(m protoreflect.Message, f protoreflect.FieldDescriptor) {
	var v protoreflect.Value
	switch f.Kind() {
	case protoreflect.StringKind:
		v = protoreflect.ValueOfString("^a*$")
	case protoreflect.BytesKind:
		v = protoreflect.ValueOfBytes([]byte("a"))
	case protoreflect.BoolKind:
		v = protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		v = protoreflect.ValueOfEnum(1)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		v = protoreflect.ValueOfInt32(2)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		v = protoreflect.ValueOfInt64(2)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		v = protoreflect.ValueOfUint32(2)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		v = protoreflect.ValueOfUint64(2)
	case protoreflect.FloatKind:
		v = protoreflect.ValueOfFloat32(2)
	case protoreflect.DoubleKind:
		v = protoreflect.ValueOfFloat64(2)
	default:
		if f.IsList() {
			m.Mutable(f).List().AppendMutable()
		} else {
			m.Mutable(f)
		}
		return
	}
	if f.IsList() {
		m.Mutable(f).List().Append(v)
	} else {
		m.Set(f, v)
	}
}

// withRule returns a message M with a field f of the kind that a rule is for.
func withRule(t *testing.T, name string, r *bufvalidate.FieldRules) protoreflect.MessageDescriptor {
	t.Helper()
	kind, _, _ := strings.Cut(name, ".")
	f := &descriptorpb.FieldDescriptorProto{
		Name: proto.String("f"), Number: proto.Int32(1),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		Type:  descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(), Options: &descriptorpb.FieldOptions{},
	}
	for n, name := range descriptorpb.FieldDescriptorProto_Type_name {
		if strings.EqualFold(name, "TYPE_"+kind) {
			f.Type = descriptorpb.FieldDescriptorProto_Type(n).Enum()
		}
	}
	switch kind {
	case "enum":
		f.TypeName = proto.String(".E")
	case "repeated":
		f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	}
	proto.SetExtension(f.Options, bufvalidate.E_Field, r)
	return build(t, &descriptorpb.DescriptorProto{Name: proto.String("M"), Field: []*descriptorpb.FieldDescriptorProto{f}})
}

func build(t *testing.T, m *descriptorpb.DescriptorProto) protoreflect.MessageDescriptor {
	t.Helper()
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("m.proto"), Syntax: proto.String("proto3"), Dependency: []string{"buf/validate/validate.proto"},
		MessageType: []*descriptorpb.DescriptorProto{m},
		EnumType: []*descriptorpb.EnumDescriptorProto{{Name: proto.String("E"), Value: []*descriptorpb.EnumValueDescriptorProto{
			{Name: proto.String("ZERO"), Number: proto.Int32(0)}, {Name: proto.String("ONE"), Number: proto.Int32(1)}}}},
	}, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	return file.Messages().ByName("M")
}

// TestRulesElsewhereAreRefused: those of messages, of items, and ones that mean the
// opposite of what they seem to.
func TestRulesElsewhereAreRefused(t *testing.T) {
	message := &descriptorpb.DescriptorProto{Name: proto.String("M"), Options: &descriptorpb.MessageOptions{}}
	proto.SetExtension(message.Options, bufvalidate.E_Message, bufvalidate.MessageRules_builder{CelExpression: []string{"true"}}.Build())
	items := func(r *bufvalidate.FieldRules) *bufvalidate.FieldRules {
		return bufvalidate.FieldRules_builder{Repeated: bufvalidate.RepeatedRules_builder{Items: r}.Build()}.Build()
	}
	number := func(low, high int32) *bufvalidate.FieldRules {
		return bufvalidate.FieldRules_builder{Int32: bufvalidate.Int32Rules_builder{Gte: &low, Lte: &high}.Build()}.Build()
	}
	predefined := bufvalidate.FieldRules_builder{String: &bufvalidate.StringRules{}}.Build()
	predefined.GetString().ProtoReflect().SetUnknown([]byte{0xc2, 0x3e, 0x01, 'a'}) // an extension that nobody knows
	for name, d := range map[string]protoreflect.MessageDescriptor{
		"a message":             build(t, message),
		"required items":        withRule(t, "repeated.items", items(bufvalidate.FieldRules_builder{Required: proto.Bool(true)}.Build())),
		"long items":            withRule(t, "repeated.items", items(bufvalidate.FieldRules_builder{String: bufvalidate.StringRules_builder{LenBytes: proto.Uint64(3)}.Build()}.Build())),
		"ignored items":         withRule(t, "repeated.items", items(bufvalidate.FieldRules_builder{Ignore: bufvalidate.Ignore_IGNORE_ALWAYS.Enum()}.Build())),
		"numbers for a text":    withRule(t, "string", number(1, 2)),
		"a range without ends":  withRule(t, "int32", number(2, 1)),
		"a rule of an own kind": withRule(t, "string", predefined),
	} {
		if err := validate.New().Read(d); !errors.Is(err, validate.ErrRule) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := bufvalidate.FieldRules_builder{String: bufvalidate.StringRules_builder{Pattern: proto.String("(")}.Build()}.Build()
	if err := validate.New().Read(withRule(t, "string", bad)); err == nil {
		t.Error("a pattern that isn't one was taken")
	}
	p := newPair(t)
	d := withRule(t, "int32", number(-3, 5))
	for _, n := range []int32{math.MinInt32, -4, -3, 0, 5, 6, math.MaxInt32} {
		m := dynamicpb.NewMessage(d)
		m.Set(d.Fields().Get(0), protoreflect.ValueOfInt32(n))
		p.compare(t, m)
	}
}

// TestNothingIsKeptOfARefusal: a type is refused each time, and so is one that it stands in.
func TestNothingIsKeptOfARefusal(t *testing.T) {
	inner := &descriptorpb.DescriptorProto{Name: proto.String("In"), Field: []*descriptorpb.FieldDescriptorProto{{
		Name: proto.String("f"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum(), Options: &descriptorpb.FieldOptions{},
	}}}
	proto.SetExtension(inner.Field[0].Options, bufvalidate.E_Field, bufvalidate.FieldRules_builder{Bytes: bufvalidate.BytesRules_builder{Len: proto.Uint64(1)}.Build()}.Build())
	d := build(t, &descriptorpb.DescriptorProto{Name: proto.String("M"), NestedType: []*descriptorpb.DescriptorProto{inner}, Field: []*descriptorpb.FieldDescriptorProto{
		{Name: proto.String("again"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), TypeName: proto.String(".M")},
		{Name: proto.String("in"), Number: proto.Int32(2), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), TypeName: proto.String(".M.In")},
	}})
	rules := validate.New()
	for range 2 {
		if err := rules.Check(dynamicpb.NewMessage(d)); !errors.Is(err, validate.ErrRule) {
			t.Errorf("%v", err)
		}
		if err := rules.Check(dynamicpb.NewMessage(d.Messages().Get(0))); !errors.Is(err, validate.ErrRule) {
			t.Errorf("%v", err)
		}
	}
}
