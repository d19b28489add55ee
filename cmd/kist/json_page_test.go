package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"kist/cmd/kist/usage"
)

// noAnswer are the commands that print no answer, or speak with a program.
var noAnswer = map[string]bool{
	"lsp": true, "merge": true, "model bench": true, "model key set": true, "model key show": true, "model key delete": true,
}

// TestJSONPage compares docs/json.md with the commands and the protos.
func TestJSONPage(t *testing.T) {
	page := readFile(t, "../../docs/json.md")
	rows := map[string][]string{}
	for line := range strings.Lines(page) {
		if cells := strings.Split(line, "|"); len(cells) == 5 && strings.HasPrefix(cells[1], " `kist ") {
			rows[strings.Trim(cells[1], " `")] = []string{strings.Trim(cells[2], " `*"), strings.ReplaceAll(strings.TrimSpace(cells[3]), "`", "")}
		}
	}
	walk(newRoot(&cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})}), func(cmd *cobra.Command) {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		if name == "" || cmd.HasSubCommands() || noAnswer[name] {
			return
		}
		row, ok := rows["kist "+name]
		delete(rows, "kist "+name)
		if !ok {
			t.Errorf("docs/json.md has no row for kist %s", name)
			return
		}
		if row[0] != "of its own" {
			if want := fieldsOf(t, row[0]); row[1] != want {
				t.Errorf("kist %s: %s has the fields\n%s\nand the page says\n%s", name, row[0], want, row[1])
			}
		}
	})
	for name := range rows {
		t.Errorf("docs/json.md: there is no %s", name)
	}
	for _, m := range regexp.MustCompile("`([A-Z][A-Za-z]+Response)`").FindAllStringSubmatch(page, -1) {
		fieldsOf(t, m[1])
	}
}

func fieldsOf(t *testing.T, message string) string {
	t.Helper()
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName("kist.v1." + message))
	if err != nil {
		t.Errorf("%s: %v", message, err)
		return ""
	}
	var names []string
	fields := d.(protoreflect.MessageDescriptor).Fields()
	for i := range fields.Len() {
		names = append(names, fields.Get(i).JSONName())
	}
	return strings.Join(names, ", ")
}

var namedCommand = regexp.MustCompile("`kist ([a-z][^`]*)`")

// TestNamedCommands: every command that README, CHANGELOG or a page of docs names is there, with
// its flags.
func TestNamedCommands(t *testing.T) {
	seen := 0
	for _, page := range []string{"README.md", "CHANGELOG.md", "docs/clients.md", "docs/editors.md", "docs/json.md", "docs/settings.md", "docs/sync.md"} {
		for _, m := range namedCommand.FindAllStringSubmatch(readFile(t, "../../"+page), -1) {
			for _, line := range alternatives(m[1]) {
				seen++
				root := newRoot(&cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})})
				usage.Mend(root, func(err error) error { return err })
				cmd, rest, err := root.Find(strings.Fields(line))
				if err != nil || cmd == root && !strings.HasPrefix(line, "-") || cmd.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != "..." {
					t.Errorf("%s: there is no `kist %s`", page, line)
					continue
				}
				for _, word := range rest {
					name, _, _ := strings.Cut(strings.TrimLeft(strings.Trim(word, "[]"), "-"), "=")
					if strings.HasPrefix(strings.Trim(word, "[]"), "--") && name != "" && cmd.Flag(name) == nil && name != "version" && name != "help" {
						t.Errorf("%s: `kist %s`: %s has no flag --%s", page, line, cmd.CommandPath(), name)
					}
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d commands are named", seen)
	}
}

// alternatives takes "op undo|redo ID" apart: the one word with bars that is no argument.
func alternatives(line string) []string {
	words := strings.Fields(line)
	for i, w := range words[:min(3, len(words))] {
		if strings.Contains(w, "|") && strings.ToLower(w) == w && !strings.HasPrefix(w, "[") {
			var all []string
			for _, one := range strings.Split(w, "|") {
				all = append(all, strings.Join(append(append([]string{}, words[:i]...), append([]string{one}, words[i+1:]...)...), " "))
			}
			return all
		}
	}
	return []string{line}
}
