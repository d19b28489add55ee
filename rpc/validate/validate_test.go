package validate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "kist/proto/grpc/health/v1"
	_ "kist/proto/kist/v1"
	"kist/rpc/validate"
)

// messages returns the messages of kist's proto files in the order of their names, those of
// replies too: more kinds of fields that way.
func messages(t testing.TB) (all []protoreflect.MessageType) {
	t.Helper()
	protoregistry.GlobalTypes.RangeMessages(func(m protoreflect.MessageType) bool {
		if name := m.Descriptor().FullName(); !m.Descriptor().IsMapEntry() && (strings.HasPrefix(string(name), "kist.") || strings.HasPrefix(string(name), "grpc.health.")) {
			all = append(all, m)
		}
		return true
	})
	slices.SortFunc(all, func(a, b protoreflect.MessageType) int {
		return strings.Compare(string(a.Descriptor().FullName()), string(b.Descriptor().FullName()))
	})
	if len(all) < 200 {
		t.Fatalf("%d messages", len(all))
	}
	return all
}

// A pair is kist's rules and protovalidate, which say the same.
type pair struct {
	ours   *validate.Rules
	theirs protovalidate.Validator
}

func newPair(t testing.TB) pair {
	t.Helper()
	theirs, err := protovalidate.New()
	if err != nil {
		t.Fatal(err)
	}
	return pair{validate.New(), theirs}
}

// compare checks a message by both, and returns how many rules it breaks.
func (p pair) compare(t testing.TB, m proto.Message) int {
	t.Helper()
	got, want := p.ours.Check(m), p.theirs.Validate(m)
	if got == nil && want == nil {
		return 0
	}
	ours, _ := errors.AsType[*validate.Error](got)
	theirs, _ := errors.AsType[*protovalidate.ValidationError](want)
	if ours == nil || theirs == nil || got.Error() != want.Error() {
		t.Fatalf("%s\n%.2000v\ngot  %v\nwant %v", m.ProtoReflect().Descriptor().FullName(), m, got, want)
	}
	violations := bufvalidate.Violations_builder{Violations: ours.Violations}.Build()
	if !proto.Equal(violations, theirs.ToProto()) {
		t.Fatalf("%s\ngot  %v\nwant %v", m.ProtoReflect().Descriptor().FullName(), prototext.Format(violations), prototext.Format(theirs.ToProto()))
	}
	for _, v := range ours.Violations {
		if got, want := validate.Path(v.GetField()), protovalidate.FieldPathString(v.GetField()); got != want {
			t.Fatalf("a path is %s, want %s", got, want)
		}
	}
	return len(ours.Violations)
}

// TestEdges sets each field of each message to values at both sides of its rules' edges.
func TestEdges(t *testing.T) {
	p, broken := newPair(t), map[string]int{}
	for _, mt := range messages(t) {
		fields := mt.Descriptor().Fields()
		p.compare(t, mt.New().Interface())
		for i := range fields.Len() {
			f := fields.Get(i)
			for _, set := range edges(f) {
				m := mt.New()
				set(m)
				if p.compare(t, m.Interface()) > 0 {
					err, _ := errors.AsType[*validate.Error](p.ours.Check(m.Interface()))
					for _, v := range err.Violations {
						broken[v.GetRuleId()]++
					}
				}
			}
		}
	}
	for _, id := range []string{"required", "string.min_len", "string.max_len", "string.max_bytes", "string.pattern", "string.in",
		"int32.gte", "int32.gte_lte", "enum.defined_only", "repeated.min_items", "repeated.max_items"} {
		if broken[id] == 0 {
			t.Errorf("no value broke %s", id)
		}
	}
}

// edges returns what can be done to a field so that its rules have something to say.
func edges(f protoreflect.FieldDescriptor) (all []func(protoreflect.Message)) {
	r := rulesOf(f)
	if f.IsMap() {
		return []func(protoreflect.Message){func(m protoreflect.Message) {
			if f.MapKey().Kind() == protoreflect.StringKind && f.MapValue().Kind() == protoreflect.StringKind {
				m.Mutable(f).Map().Set(protoreflect.ValueOfString("").MapKey(), protoreflect.ValueOfString(""))
			}
		}}
	}
	if !f.IsList() {
		for _, v := range values(f, r) {
			all = append(all, func(m protoreflect.Message) { m.Set(f, v(m.NewField(f))) })
		}
		return all
	}
	lengths := []int{1, 2}
	for _, n := range []uint64{r.GetRepeated().GetMinItems(), r.GetRepeated().GetMaxItems()} {
		lengths = append(lengths, int(n), int(n)+1)
	}
	for _, n := range lengths {
		all = append(all, func(m protoreflect.Message) {
			for range n {
				m.Mutable(f).List().Append(m.Mutable(f).List().NewElement())
			}
		})
	}
	for _, v := range values(f, r.GetRepeated().GetItems()) {
		all = append(all, func(m protoreflect.Message) {
			list := m.Mutable(f).List()
			list.Append(list.NewElement())
			list.Append(v(list.NewElement()))
		})
	}
	return all
}

func rulesOf(f protoreflect.FieldDescriptor) *bufvalidate.FieldRules {
	r, _ := proto.GetExtension(f.Options(), bufvalidate.E_Field).(*bufvalidate.FieldRules)
	return r
}

// values returns values of a field's kind, each made from a new one.
func values(f protoreflect.FieldDescriptor, r *bufvalidate.FieldRules) (all []func(protoreflect.Value) protoreflect.Value) {
	add := func(v protoreflect.Value) {
		all = append(all, func(protoreflect.Value) protoreflect.Value { return v })
	}
	switch f.Kind() {
	case protoreflect.StringKind:
		for _, s := range texts(r.GetString()) {
			add(protoreflect.ValueOfString(s))
		}
	case protoreflect.Int32Kind:
		low, high := int64(r.GetInt32().GetGte()), int64(r.GetInt32().GetLte())
		for _, n := range []int64{math.MinInt32, low - 1, low, low + 1, 0, high - 1, high, high + 1, math.MaxInt32} {
			if n == int64(int32(n)) {
				add(protoreflect.ValueOfInt32(int32(n)))
			}
		}
	case protoreflect.EnumKind:
		for _, n := range []protoreflect.EnumNumber{math.MinInt32, -1, 0, 1, 2, 3, 99, math.MaxInt32} {
			add(protoreflect.ValueOfEnum(n))
		}
	default: // what is empty, but there
		all = append(all, func(v protoreflect.Value) protoreflect.Value { return v })
	}
	return all
}

// texts returns strings at the edges of rules, and strange ones.
func texts(r *bufvalidate.StringRules) []string {
	all := append([]string{"", "a", " ", "\n", "\x00", "boat", "2026-11-24", "2026-11-24\n", "\n2026-11-24", "２０２６-11-24", "abcdefgh", "ABC.def_0-9", "abcdefgh\n", "abc/defgh",
		".leading.dots", strings.Repeat("0f", 32), strings.Repeat("0F", 32), strings.Repeat("0f", 32) + "\n", "e\u0301é\U0001F6F6\u200D\u2060", "\ufffd", "\xff"}, r.GetIn()...)
	for _, s := range r.GetIn() {
		all = append(all, s+" ", strings.ToUpper(s), s+"\n")
	}
	for _, n := range []uint64{r.GetMinLen(), r.GetMaxLen(), r.GetMaxBytes()} {
		pieces := []string{"a", "é", "\U0001F6F6", "e\u0301", "\xff"}
		if n > 1<<12 {
			pieces = pieces[:2]
		}
		for _, piece := range pieces {
			for _, length := range []int{int(n) - 1, int(n), int(n) + 1, int(n)/len(piece) + 1} {
				all = append(all, strings.Repeat(piece, max(length, 0)))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestMixed sets many fields at once, also of messages that stand in others.
func TestMixed(t *testing.T) {
	p, mix, broken := newPair(t), newMixer(1), 0
	for _, mt := range messages(t) {
		for range 25 {
			broken += p.compare(t, mix.fill(mt.New(), 0).Interface())
		}
	}
	if broken < 1000 {
		t.Errorf("%d rules were broken: too few to show anything", broken)
	}
}

// A mixer fills messages with whatever comes.
type mixer struct {
	*rand.Rand
	values map[protoreflect.FullName][]func(protoreflect.Value) protoreflect.Value // of each field
}

func newMixer(seed uint64) mixer {
	return mixer{rand.New(rand.NewPCG(seed, seed)), map[protoreflect.FullName][]func(protoreflect.Value) protoreflect.Value{}}
}

// fill fills some of a message's fields.
func (x mixer) fill(m protoreflect.Message, depth int) protoreflect.Message {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.IsMap() || x.IntN(3) == 0 {
			continue
		}
		r, times := rulesOf(f), 1
		if f.IsList() {
			r, times = r.GetRepeated().GetItems(), x.IntN(4)
		}
		for range times {
			var v protoreflect.Value
			if f.Message() != nil {
				if depth > 4 {
					continue
				}
				v = protoreflect.ValueOfMessage(x.fill(newValue(m, f).Message(), depth+1))
			} else {
				if x.values[f.FullName()] == nil {
					x.values[f.FullName()] = values(f, r)
				}
				choice := x.values[f.FullName()]
				v = choice[x.IntN(len(choice))](newValue(m, f))
				if f.Kind() == protoreflect.StringKind && len(v.String()) > 1<<12 {
					v = protoreflect.ValueOfString("too long to be made often")
				}
			}
			if f.IsList() {
				m.Mutable(f).List().Append(v)
			} else {
				m.Set(f, v)
			}
		}
	}
	return m
}

func newValue(m protoreflect.Message, f protoreflect.FieldDescriptor) protoreflect.Value {
	if f.IsList() {
		return m.Mutable(f).List().NewElement()
	}
	return m.NewField(f)
}

// FuzzCheck reads bytes as one of the messages and checks it by both.
func FuzzCheck(f *testing.F) {
	all, mix := messages(f), newMixer(2)
	for i, mt := range all {
		wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(mix.fill(mt.New(), 2).Interface())
		if err == nil { // not with a string that is no UTF-8
			f.Add(uint16(i), wire)
		}
	}
	p := newPair(f)
	f.Fuzz(func(t *testing.T, which uint16, wire []byte) {
		m := all[int(which)%len(all)].New().Interface()
		if proto.Unmarshal(wire, m) == nil {
			p.compare(t, m)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	p, mix := newPair(b), newMixer(3)
	var sample []proto.Message
	for _, mt := range messages(b) {
		if strings.HasSuffix(string(mt.Descriptor().Name()), "Request") {
			sample = append(sample, mix.fill(mt.New(), 0).Interface())
		}
	}
	for name, check := range map[string]func(proto.Message) error{"kist": p.ours.Check, "protovalidate": func(m proto.Message) error { return p.theirs.Validate(m) }} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				_ = check(sample[i%len(sample)])
			}
		})
	}
}
