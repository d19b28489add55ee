package validate

import (
	"fmt"
	"regexp"
	"slices"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A compiler reads annotations. What it adds counts only where all of it can be read.
type compiler struct {
	known, added map[protoreflect.MessageDescriptor]*message
	patterns     map[string]*regexp.Regexp
}

func (c *compiler) message(d protoreflect.MessageDescriptor) (*message, error) {
	if m := c.known[d]; m != nil {
		return m, nil
	}
	if m := c.added[d]; m != nil {
		return m, nil // perhaps one that is being read: it stands in itself
	}
	m := &message{}
	c.added[d] = m
	if err := only(d, proto.GetExtension(d.Options(), bufvalidate.E_Message)); err != nil {
		return nil, err
	}
	for i := range d.Oneofs().Len() {
		one := d.Oneofs().Get(i)
		r, _ := proto.GetExtension(one.Options(), bufvalidate.E_Oneof).(*bufvalidate.OneofRules)
		if err := only(one, r, "required"); err != nil {
			return nil, err
		}
		if r.GetRequired() {
			m.oneofs = append(m.oneofs, one)
		}
	}
	for i := range d.Fields().Len() {
		f, err := c.field(d.Fields().Get(i))
		if err != nil {
			return nil, err
		}
		if f.required || !f.value.free() {
			m.fields = append(m.fields, f)
		}
	}
	return m, nil
}

// free tells that nothing is checked.
func (v *value) free() bool { return len(v.checks) == 0 && v.items == nil && v.nested == nil }

func (c *compiler) field(d protoreflect.FieldDescriptor) (field, error) {
	f := field{desc: d}
	r, _ := proto.GetExtension(d.Options(), bufvalidate.E_Field).(*bufvalidate.FieldRules)
	allowed := []protoreflect.Name{"required", kindOf(d)}
	if d.IsList() {
		allowed[1] = "repeated"
	}
	if err := only(d, r, allowed...); err != nil {
		return f, err
	}
	f.required = r.GetRequired()
	if !d.IsList() {
		var err error
		f.value, err = c.value(d, r, nil)
		return f, err
	}
	list := r.GetRepeated()
	if err := only(d, list, "min_items", "max_items", "items"); err != nil {
		return f, err
	}
	f.value.checks = listChecks(list)
	if err := only(d, list.GetItems(), kindOf(d)); err != nil {
		return f, err
	}
	items, err := c.value(d, list.GetItems(), []protoreflect.FieldDescriptor{ruleField("repeated"), list.ProtoReflect().Descriptor().Fields().ByName("items")})
	if err == nil && !items.free() {
		f.value.items = &items
	}
	return f, err
}

// kindOf names the rules that a value may have, if any.
func kindOf(d protoreflect.FieldDescriptor) protoreflect.Name {
	switch {
	case d.IsMap():
		return ""
	case d.Kind() == protoreflect.StringKind:
		return "string"
	case d.Kind() == protoreflect.Int32Kind:
		return "int32"
	case d.Kind() == protoreflect.EnumKind:
		return "enum"
	default:
		return ""
	}
}

// value reads the rules of a value that is no list. They stand below a path.
func (c *compiler) value(d protoreflect.FieldDescriptor, r *bufvalidate.FieldRules, path []protoreflect.FieldDescriptor) (v value, err error) {
	if d.IsMap() {
		if d.MapValue().Message() != nil {
			return v, fmt.Errorf("%s: the values of a map are messages: %w", d.FullName(), ErrRule)
		}
		return v, nil
	}
	switch d.Kind() {
	case protoreflect.StringKind:
		v.checks, err = c.strings(d, r.GetString())
	case protoreflect.Int32Kind:
		v.checks, err = numbers(d, r.GetInt32())
	case protoreflect.EnumKind:
		v.checks, err = enums(d, r.GetEnum())
	case protoreflect.MessageKind, protoreflect.GroupKind:
		v.nested, err = c.message(d.Message())
	}
	for i := range v.checks {
		v.checks[i].rule = slices.Concat(path, v.checks[i].rule)
	}
	return v, err
}

// only fails where an annotation of d says more than the fields named.
func only(d protoreflect.Descriptor, annotation any, names ...protoreflect.Name) error {
	m := annotation.(proto.Message).ProtoReflect()
	var err error
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if f.IsExtension() || !slices.Contains(names, f.Name()) {
			err = fmt.Errorf("%s: %s of %s: %w", d.FullName(), f.Name(), m.Descriptor().FullName(), ErrRule)
		}
		return err == nil
	})
	if err == nil && len(m.GetUnknown()) > 0 {
		err = fmt.Errorf("%s: a field of %s that isn't known: %w", d.FullName(), m.Descriptor().FullName(), ErrRule)
	}
	return err
}
