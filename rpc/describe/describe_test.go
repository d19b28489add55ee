package describe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "kist/proto/kist/v1"
)

// code is where the values are constants, each group of a type in the files of a folder.
var code = map[string][2]string{
	"operation_status": {"vault/oplog", "Status"}, "operation_actor": {"vault/oplog", "Actor"}, "operation_type": {"vault/oplog", "Type"},
	"tool_class": {"agent/tool", "Class"}, "policy_verdict": {"agent/policy", "Verdict"}, "policy_trust": {"agent/policy", "Trust"},
	"undo_keep": {"vault", "Keep"}, "completion_kind": {"vault/assist", "Kind"}, "sync_state": {"daemon/sync", "State"}, "sync_choice": {"daemon/sync/copies", "Choice"},
	"index_state": {"index", "State"}, "vectors_state": {"index", "VectorsState"}, "embedder_state": {"index/served", "State"},
	"finding_kind": {"agent/audit", "Kind"}, "forecast_basis": {"agent/forecast", "Basis"},
}

// besides are words that requests take beside the values, as their comments say.
var besides = []string{"", "all", "open", "none", "any"}

func TestValues(t *testing.T) {
	described := map[string]Enumeration{}
	for _, e := range All() {
		if len(e.Values) < 2 || len(e.Fields) == 0 {
			t.Errorf("%s: %d values, of %v", e.Name, len(e.Values), e.Fields)
		}
		for _, f := range e.Fields {
			described[f] = e
		}
		for _, v := range e.Values {
			if v.Value == "" || v.Meaning == "" {
				t.Errorf("%s: %+v", e.Name, v)
			}
		}
		if at, ok := code[e.Name]; ok {
			same(t, e.Name+" in "+at[0], constants(t, at[0], at[1]), e.words())
		}
	}
	seen := map[string]bool{}
	comments := comments(t)
	fields(func(name string, f protoreflect.FieldDescriptor) {
		seen[name] = true
		e, ok := described[name]
		in := rules(f)
		if len(in) == 0 && ok { // the comment lists them, or leaves it to this list
			for _, w := range e.words() {
				if said := comments[name]; strings.Contains(said, e.words()[0]) && !regexp.MustCompile(`\b`+w+`\b`).MatchString(said) {
					t.Errorf("the comment of %s lacks %q", name, w)
				}
			}
		}
		in = slices.DeleteFunc(in, func(w string) bool { return slices.Contains(besides, w) })
		switch {
		case len(in) > 1 && !ok:
			t.Errorf("%s has only some values, and no list has it: %v", name, in)
		case len(in) > 1:
			same(t, "the rules of "+name, in, e.words())
		}
	})
	for f, e := range described {
		if f != "SendResponse.event" && !seen[f] {
			t.Errorf("%s: there is no field %s", e.Name, f)
		}
	}
	d, _ := protoregistry.GlobalFiles.FindDescriptorByName("kist.v1.SendResponse")
	events := d.(protoreflect.MessageDescriptor).Oneofs().ByName("event").Fields()
	var names []string
	for i := range events.Len() {
		names = append(names, events.Get(i).JSONName())
	}
	same(t, "the events of a turn", names, described["SendResponse.event"].words())
}

func (e Enumeration) words() (all []string) {
	for _, v := range e.Values {
		all = append(all, v.Value)
	}
	return all
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, and values.txt has %v", what, got, want)
	}
}

// fields goes over all fields of type string.
func fields(yield func(name string, f protoreflect.FieldDescriptor)) {
	protoregistry.GlobalFiles.RangeFilesByPackage("kist.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Messages().Len() {
			m := file.Messages().Get(i)
			for j := range m.Fields().Len() {
				if f := m.Fields().Get(j); f.Kind() == protoreflect.StringKind {
					yield(string(m.Name())+"."+string(f.Name()), f)
				}
			}
		}
		return true
	})
}

// rules returns what a field may be by the rules.
func rules(f protoreflect.FieldDescriptor) []string {
	r, _ := proto.GetExtension(f.Options(), validate.E_Field).(*validate.FieldRules)
	if in := r.GetRepeated().GetItems().GetString().GetIn(); len(in) > 0 {
		return in
	}
	return slices.Clone(r.GetString().GetIn())
}

// comments returns what stands before each field.
func comments(t *testing.T) map[string]string {
	files, err := filepath.Glob("../../proto/kist/v1/*.proto")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		message, said := "", ""
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			switch {
			case len(words) > 1 && words[0] == "message":
				message, said = words[1], ""
			case len(words) > 0 && words[0] == "//":
				said += strings.Join(words[1:], " ") + " "
			default:
				if i := slices.Index(words, "="); i > 0 {
					all[message+"."+words[i-1]] = said
				}
				said = ""
			}
		}
	}
	return all
}

// constants returns the values of the exported constants of a type, but for the empty one.
func constants(t *testing.T, dir, typ string) (all []string) {
	files, err := filepath.Glob("../../" + dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(dir, files, err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != typ {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
				if s, err := strconv.Unquote(lit.Value); err == nil && s != "" {
					all = append(all, s)
				}
			}
			return true
		})
	}
	return all
}
