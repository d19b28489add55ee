package kist_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// This file holds how large things may become: small files alone don't prevent the
// object that knows all, it only comes back in pieces.

// limits is what each kind of room may be. Tests and generated files don't count.
var limits = map[string]int{
	"package":  4000, // lines of all its files
	"knot":     3000, // lines of the largest set of files of a package that all need each other
	"type":     60,   // methods
	"function": 20,   // cyclomatic complexity: 1, and 1 for each if, for, case, && and ||; below agent only
}

// tooLarge lists what was above its limit when this test came, with its figure of
// today. The list only shrinks: go test . -run TestRooms -update lowers figures and
// removes what is no longer too large; what grew, or is new, it leaves a failure.
const tooLarge = "testdata/rooms.txt"

var update = flag.Bool("update", false, "lower the figures in "+tooLarge)

// A room is one thing that is measured.
type room struct{ kind, name string }

func (r room) String() string { return r.kind + " " + r.name }

// rooms measures every room.
func rooms(files []goFile) map[room]int {
	packages := map[string][]goFile{}
	for _, f := range files {
		if !f.test && !f.generated {
			packages[f.dir()] = append(packages[f.dir()], f)
		}
	}
	sizes := map[room]int{}
	for dir, files := range packages {
		sizes[room{"knot", dir}] = largestKnot(files)
		for _, f := range files {
			sizes[room{"package", dir}] += f.lines
			for _, fn := range functions(f) {
				if typ := receiver(fn); typ != "" {
					sizes[room{"type", dir + "." + typ}]++
				}
				if matches("agent/...", dir) {
					sizes[room{"function", dir + "." + strings.TrimPrefix(receiver(fn)+"."+fn.Name.Name, ".")}] = branches(fn)
				}
			}
		}
	}
	return sizes
}

// roomFaults returns a sentence for each room that is above its limit and isn't known
// to be, and for each known one that has grown, or that shrank so that the list is to follow.
func roomFaults(sizes, known map[room]int) (all []string) {
	for r, is := range sizes {
		limit, was := limits[r.kind], known[r]
		switch {
		case was == 0 && is > limit:
			all = append(all, fmt.Sprintf("%s: %d, more than %d", r, is, limit))
		case was > 0 && is > was+slack(r, was):
			all = append(all, fmt.Sprintf("%s: %d; it was %d, which is too much already", r, is, was))
		case was > 0 && is > limit && is*100 < was*95:
			all = append(all, fmt.Sprintf("%s: only %d any more; -update lets %s say so", r, is, tooLarge))
		}
	}
	for r := range known {
		if is := sizes[r]; is <= limits[r.kind] {
			all = append(all, fmt.Sprintf("%s: only %d any more; -update takes it out of %s", r, is, tooLarge))
		}
	}
	slices.Sort(all)
	return all
}

// slack is how much more than its figure a known room may be: an import or a fixed bug
// adds lines, and the figure stays, so that they can't add up.
func slack(r room, was int) int {
	if r.kind == "package" || r.kind == "knot" {
		return was / 100
	}
	return 0
}

func TestRooms(t *testing.T) {
	sizes, known := rooms(parse(t, os.DirFS("."))), readKnown(t)
	if *update {
		for r, was := range known {
			known[r] = min(was, sizes[r])
		}
		if len(known) == 0 { // emptied by hand, to begin anew
			known = sizes
		}
		maps.DeleteFunc(known, func(r room, is int) bool { return is <= limits[r.kind] })
		writeKnown(t, known)
	}
	for _, fault := range roomFaults(sizes, known) {
		t.Error(fault)
	}
}

// readKnown reads lines such as "type vault.Vault 276".
func readKnown(t *testing.T) map[room]int {
	t.Helper()
	text, err := os.ReadFile(tooLarge)
	if err != nil {
		t.Fatal(err)
	}
	known := map[room]int{}
	for l := range strings.Lines(string(text)) {
		var r room
		var is int
		if n, err := fmt.Sscanf(l, "%s %s %d\n", &r.kind, &r.name, &is); n != 3 || limits[r.kind] == 0 || known[r] != 0 {
			t.Fatalf("%s: %q: %v", tooLarge, l, err)
		}
		known[r] = is
	}
	return known
}

func writeKnown(t *testing.T, known map[room]int) {
	t.Helper()
	var lines []string
	for r, is := range known {
		lines = append(lines, fmt.Sprintf("%s %d\n", r, is))
	}
	slices.Sort(lines)
	if err := os.WriteFile(tooLarge, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

func functions(f goFile) (all []*ast.FuncDecl) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all = append(all, fn)
		}
	}
	return all
}

// receiver is the type that a method belongs to; empty: it is a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	name := ""
	ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name // the first: those of type parameters follow
		}
		return name == ""
	})
	return name
}

// branches is a function's cyclomatic "function", with that of the functions inside it.
func branches(fn *ast.FuncDecl) int {
	count := 1
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			count++
		case *ast.CaseClause:
			if n.List != nil {
				count++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				count++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				count++
			}
		}
		return true
	})
	return count
}

// largestKnot returns the lines of the largest set of files that all need each other.
// It reads syntax alone: a file needs another if it names something that the other
// declares on the package's level, or a method whose name no third file declares too.
func largestKnot(files []goFile) int {
	needs := needsOf(files)
	reach := make([]map[int]bool, len(files)) // by any number of steps
	for i := range files {
		reach[i] = map[int]bool{}
		for todo := []int{i}; len(todo) > 0; {
			from := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for to := range needs[from] {
				if !reach[i][to] {
					reach[i][to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	most := 0
	for i := range files {
		lines, others := files[i].lines, false
		for j := range reach[i] {
			if i != j && reach[j][i] {
				lines += files[j].lines
				others = true
			}
		}
		if others {
			most = max(most, lines)
		}
	}
	return most
}

// needsOf says for each file which others it needs.
func needsOf(files []goFile) []map[int]bool {
	home := map[string]int{}             // of names on the package's level
	methods := map[string]map[int]bool{} // by name, the files that declare one
	for i, f := range files {
		for _, fn := range functions(f) {
			if receiver(fn) == "" {
				home[fn.Name.Name] = i
				continue
			}
			if methods[fn.Name.Name] == nil {
				methods[fn.Name.Name] = map[int]bool{}
			}
			methods[fn.Name.Name][i] = true
		}
		for _, name := range declared(f) {
			home[name] = i
		}
	}
	needs := make([]map[int]bool, len(files))
	for i, f := range files {
		needs[i] = map[int]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if in := methods[n.Sel.Name]; len(in) == 1 {
					maps.Copy(needs[i], in)
				}
			case *ast.Ident:
				if j, ok := home[n.Name]; ok {
					needs[i][j] = true
				}
			}
			return true
		})
	}
	return needs
}

// declared lists the types, constants and variables of a file's package level.
func declared(f goFile) (names []string) {
	for _, d := range f.syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// TestRoomsAreMeasured shows that each measure can be above its limit.
func TestRoomsAreMeasured(t *testing.T) {
	repo := fstest.MapFS{
		"agent/a.go": {Data: []byte(`package agent
type T[K any] struct{ n int }
func (t *T[K]) one() int { return two() }
func (T[K]) three() bool {
	for range 3 { if x && y || z { return true } }
	switch { case x: case y: default: }
	func() { select { case <-c: default: } }()
	return false
}
`)},
		"agent/b.go":      {Data: []byte("package agent\nfunc two() int { return four }\n")},
		"agent/c.go":      {Data: []byte("package agent\nconst four = 4\nvar five = new(T[int]).one()\n")},
		"agent/d.go":      {Data: []byte("package agent\nfunc six() { two() }\n")},
		"agent/e_test.go": {Data: []byte("package agent\nfunc seven() {}\n")},
	}
	got := rooms(parse(t, repo))
	for r, want := range map[room]int{
		{"package", "agent"}:          9 + 2 + 3 + 2,
		{"knot", "agent"}:             9 + 2 + 3,
		{"type", "agent.T"}:           2,
		{"function", "agent.T.three"}: 1 + 2 + 2 + 2 + 1,
		{"function", "agent.two"}:     1,
	} {
		if got[r] != want {
			t.Errorf("%s: %d, want %d", r, got[r], want)
		}
	}
}

// TestRoomFaults shows what is a fault.
func TestRoomFaults(t *testing.T) {
	v := room{"type", "vault.Vault"}
	tests := []struct {
		name    string
		is, was int // was 0: not in the table
		want    string
	}{
		{"small", 60, 0, ""},
		{"too large", 61, 0, "more than 60"},
		{"known", 100, 100, ""},
		{"known and a little smaller", 95, 100, ""},
		{"known and smaller", 94, 100, "say so"},
		{"grown", 101, 100, "it was 100"},
		{"grown by an import or two", 10100, 10000, ""},
		{"grown by more", 10101, 10000, "it was 10000"},
		{"small again", 60, 100, "takes it out"},
		{"gone", 0, 100, "takes it out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sizes, known := map[room]int{}, map[room]int{}
			if v.kind = "type"; tt.is > 1000 {
				v.kind = "package"
			}
			if tt.is > 0 {
				sizes[v] = tt.is
			}
			if tt.was > 0 {
				known[v] = tt.was
			}
			got := strings.Join(roomFaults(sizes, known), "; ")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
