package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
)

func TestColourOnlyAroundSafeText(t *testing.T) {
	var buf bytes.Buffer
	p := &printer{&output.Printer{Out: &buf, Color: true}}
	p.Printf("%s|%s\n", p.Paint(output.Red, "a\x1b[0mb"), "c\x1b[1md")
	if got, want := buf.String(), "\x1b[31ma␛[0mb\x1b[0m|c␛[1md\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoColourWithoutATerminal(t *testing.T) {
	var buf bytes.Buffer
	p := newPrinter(&buf)
	p.Printf("%s", p.Paint(output.Red, "plain"))
	if got := buf.String(); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func TestTableAlignsColouredCells(t *testing.T) {
	var buf bytes.Buffer
	p := &printer{&output.Printer{Out: &buf, Color: true}}
	var tab output.Table
	tab.Add(p.Paint(output.Bold, "é"), "x", "")
	tab.Add("long", "y", "z")
	p.Table(tab)
	want := "\x1b[1mé\x1b[0m     x\nlong  y  z\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSONHoldsEveryFieldAndNothingRaw(t *testing.T) {
	var buf bytes.Buffer
	p := newPrinter(&buf)
	in := "a\u202eb\u009b\x7f\U000e0041<&>"
	if err := p.JSONLine(&v1.SearchResponse{Results: []*v1.Hit{{Title: in}}, Freshness: &v1.Freshness{}}); err != nil {
		t.Fatal(err)
	}
	out := buf.String()
	if r, bad := harmful(out, true); bad {
		t.Errorf("%U in %s", r, out)
	}
	if strings.Count(out, "\n") != 1 {
		t.Errorf("more than one line: %q", out)
	}
	var got struct {
		Results   []struct{ Title string }
		Freshness map[string]any
	}
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Results[0].Title != in {
		t.Errorf("title %q, want %q", got.Results[0].Title, in)
	}
	want := map[string]any{"indexedSeq": 0.0, "vaultSeq": 0.0, "pending": 0.0, "failed": 0.0, "degraded": "", "vectors": "", "direct": 0.0}
	if diff := cmp.Diff(want, got.Freshness); diff != "" {
		t.Error(diff)
	}
}

// TestOnlyThePrinterWrites parses the package: no other file may write to a
// stream, or text could pass by the printer.
func TestOnlyThePrinterWrites(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			switch pkg.Name + "." + sel.Sel.Name {
			case "fmt.Print", "fmt.Printf", "fmt.Println", "log.Print", "log.Printf", "log.Println",
				"cmd.Print", "cmd.Printf", "cmd.Println", "cmd.PrintErr", "cmd.PrintErrf", "cmd.PrintErrln":
				t.Errorf("%s uses %s.%s", name, pkg.Name, sel.Sel.Name)
			case "os.Stdout", "os.Stderr":
				if name != "main.go" {
					t.Errorf("%s uses %s.%s", name, pkg.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// Without built-in vectors search still goes by meaning where a server's are used.
func TestVectorsText(t *testing.T) {
	for want, v := range map[string]*v1.VectorStatus{
		"none: search goes by words alone":          {State: "none", Embedder: &v1.EmbedderStatus{Model: "ollama/e"}},
		"none built in: search uses the embedder's": {State: "none", Embedder: &v1.EmbedderStatus{Model: "ollama/e", InUse: true}},
		"3 by lsa 128, 2 to come":                   {State: "ready", Model: "lsa 128", Documents: 3, Pending: 2},
	} {
		if got := vectorsText(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
