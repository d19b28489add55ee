package validate

import (
	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// A message is what is checked of a message of one type.
type message struct {
	oneofs []protoreflect.OneofDescriptor // of which one field must be set
	fields []field
}

// A field is what is checked of one field; fields of which nothing is have none.
type field struct {
	desc     protoreflect.FieldDescriptor
	required bool
	value    value
}

// A value is what is checked of a field's value, or of each item of a list.
type value struct {
	checks []check
	items  *value   // of a list
	nested *message // of a message
}

// A check is one rule.
type check struct {
	rule  []protoreflect.FieldDescriptor // where the rule stands in buf.validate.FieldRules
	id    string
	says  string // what is wrong where it is broken
	holds func(protoreflect.Value) bool
}

// A walk goes through a message and notes what is broken.
type walk struct {
	path   []step
	broken []*bufvalidate.Violation
}

// A step is a field, or an item of a list.
type step struct {
	field protoreflect.FieldDescriptor
	index int // of an item; else noItem
}

const noItem = -1

func (w *walk) message(rules *message, m protoreflect.Message) {
	for _, d := range rules.oneofs {
		if m.WhichOneof(d) == nil {
			w.oneof(d)
		}
	}
	for i := range rules.fields {
		f := &rules.fields[i]
		w.path = append(w.path, step{f.desc, noItem})
		switch has := m.Has(f.desc); {
		case f.required && !has:
			w.note(check{rule: []protoreflect.FieldDescriptor{ruleField("required")}, id: "required", says: "value is required"})
		case has || !f.desc.HasPresence():
			w.value(&f.value, m.Get(f.desc))
		}
		w.path = w.path[:len(w.path)-1]
	}
}

func (w *walk) value(rules *value, v protoreflect.Value) {
	for _, c := range rules.checks {
		if !c.holds(v) {
			w.note(c)
		}
	}
	if rules.items != nil {
		list, here := v.List(), len(w.path)-1
		for i := range list.Len() {
			w.path[here].index = i
			w.value(rules.items, list.Get(i))
		}
	}
	if rules.nested != nil {
		w.message(rules.nested, v.Message())
	}
}

// note adds a broken rule of the value at the path.
func (w *walk) note(c check) {
	w.broken = append(w.broken, bufvalidate.Violation_builder{
		Field:   bufvalidate.FieldPath_builder{Elements: w.elements()}.Build(),
		Rule:    bufvalidate.FieldPath_builder{Elements: elements(c.rule)}.Build(),
		RuleId:  &c.id,
		Message: &c.says,
	}.Build())
}

// oneof adds that none of the fields is set.
func (w *walk) oneof(d protoreflect.OneofDescriptor) {
	name, id, says := string(d.Name()), "required", "exactly one field is required in oneof"
	last := bufvalidate.FieldPathElement_builder{FieldName: &name}.Build()
	w.broken = append(w.broken, bufvalidate.Violation_builder{
		Field:   bufvalidate.FieldPath_builder{Elements: append(w.elements(), last)}.Build(),
		RuleId:  &id,
		Message: &says,
	}.Build())
}

// elements returns the path as it is told.
func (w *walk) elements() (all []*bufvalidate.FieldPathElement) {
	for _, s := range w.path {
		e := element(s.field)
		if s.index != noItem {
			e.SetIndex(uint64(s.index))
		}
		all = append(all, e)
	}
	return all
}

func elements(path []protoreflect.FieldDescriptor) (all []*bufvalidate.FieldPathElement) {
	for _, d := range path {
		all = append(all, element(d))
	}
	return all
}

func element(d protoreflect.FieldDescriptor) *bufvalidate.FieldPathElement {
	number, name, kind := int32(d.Number()), string(d.Name()), descriptorpb.FieldDescriptorProto_Type(d.Kind())
	return bufvalidate.FieldPathElement_builder{FieldNumber: &number, FieldName: &name, FieldType: &kind}.Build()
}
