package validate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ruleField returns a field of buf.validate.FieldRules.
func ruleField(name protoreflect.Name) protoreflect.FieldDescriptor {
	return (*bufvalidate.FieldRules)(nil).ProtoReflect().Descriptor().Fields().ByName(name)
}

// A group makes the checks of one kind of rules, such as those of strings.
type group struct {
	kind   protoreflect.FieldDescriptor // in FieldRules
	checks []check
}

func (g *group) add(rule, id, says string, holds func(protoreflect.Value) bool) {
	leaf := g.kind.Message().Fields().ByName(protoreflect.Name(rule))
	g.checks = append(g.checks, check{[]protoreflect.FieldDescriptor{g.kind, leaf}, string(g.kind.Name()) + "." + id, says, holds})
}

func (c *compiler) strings(d protoreflect.FieldDescriptor, r *bufvalidate.StringRules) ([]check, error) {
	if err := only(d, r, "min_len", "max_len", "max_bytes", "pattern", "in"); err != nil {
		return nil, err
	}
	g := group{kind: ruleField("string")}
	if r.HasMinLen() {
		n := r.GetMinLen()
		g.add("min_len", "min_len", fmt.Sprintf("must be at least %d characters", n), func(v protoreflect.Value) bool {
			return uint64(utf8.RuneCountInString(v.String())) >= n
		})
	}
	if r.HasMaxLen() {
		n := r.GetMaxLen()
		g.add("max_len", "max_len", fmt.Sprintf("must be at most %d characters", n), func(v protoreflect.Value) bool {
			s := v.String()
			return uint64(len(s)) <= n || uint64(utf8.RuneCountInString(s)) <= n // none has less than a byte
		})
	}
	if r.HasMaxBytes() {
		n := r.GetMaxBytes()
		g.add("max_bytes", "max_bytes", fmt.Sprintf("must be at most %d bytes", n), func(v protoreflect.Value) bool {
			return uint64(len(v.String())) <= n
		})
	}
	if r.HasPattern() {
		pattern, err := c.pattern(r.GetPattern())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.FullName(), err)
		}
		g.add("pattern", "pattern", fmt.Sprintf("does not match regex pattern `%s`", pattern), func(v protoreflect.Value) bool {
			return pattern.MatchString(v.String())
		})
	}
	if in := r.GetIn(); len(in) > 0 {
		g.add("in", "in", "must be in list ["+strings.Join(in, ", ")+"]", func(v protoreflect.Value) bool {
			return slices.Contains(in, v.String())
		})
	}
	return g.checks, nil
}

// pattern compiles a pattern once, however many fields have it.
func (c *compiler) pattern(s string) (*regexp.Regexp, error) {
	if p := c.patterns[s]; p != nil {
		return p, nil
	}
	p, err := regexp.Compile(s)
	if err != nil {
		return nil, err
	}
	c.patterns[s] = p
	return p, nil
}

func numbers(d protoreflect.FieldDescriptor, r *bufvalidate.Int32Rules) ([]check, error) {
	if err := only(d, r, "gte", "lte"); err != nil {
		return nil, err
	}
	g, low, high := group{kind: ruleField("int32")}, int64(r.GetGte()), int64(r.GetLte())
	switch {
	case r.HasGte() && r.HasLte():
		if low > high { // which means: not between them
			return nil, fmt.Errorf("%s: a gte above the lte: %w", d.FullName(), ErrRule)
		}
		g.add("gte", "gte_lte", fmt.Sprintf("must be greater than or equal to %d and less than or equal to %d", low, high), func(v protoreflect.Value) bool {
			return low <= v.Int() && v.Int() <= high
		})
	case r.HasGte():
		g.add("gte", "gte", fmt.Sprintf("must be greater than or equal to %d", low), func(v protoreflect.Value) bool { return low <= v.Int() })
	case r.HasLte():
		g.add("lte", "lte", fmt.Sprintf("must be less than or equal to %d", high), func(v protoreflect.Value) bool { return v.Int() <= high })
	}
	return g.checks, nil
}

func enums(d protoreflect.FieldDescriptor, r *bufvalidate.EnumRules) ([]check, error) {
	if err := only(d, r, "defined_only"); err != nil {
		return nil, err
	}
	g := group{kind: ruleField("enum")}
	if r.GetDefinedOnly() {
		values := d.Enum().Values()
		g.add("defined_only", "defined_only", "value must be one of the defined enum values", func(v protoreflect.Value) bool {
			return values.ByNumber(v.Enum()) != nil
		})
	}
	return g.checks, nil
}

func listChecks(r *bufvalidate.RepeatedRules) []check {
	g := group{kind: ruleField("repeated")}
	if r.HasMinItems() {
		n := r.GetMinItems()
		g.add("min_items", "min_items", fmt.Sprintf("must contain at least %d item(s)", n), func(v protoreflect.Value) bool {
			return uint64(v.List().Len()) >= n
		})
	}
	if r.HasMaxItems() {
		n := r.GetMaxItems()
		g.add("max_items", "max_items", fmt.Sprintf("must contain no more than %d item(s)", n), func(v protoreflect.Value) bool {
			return uint64(v.List().Len()) <= n
		})
	}
	return g.checks
}
