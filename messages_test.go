package kist_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// destructive matches a command that would destroy or decide something if whoever
// reads it runs it. Models read errors and hints, and run what they find in them.
var destructive = regexp.MustCompile(`\bkist\b[^.;,\n]*\s(delete|forget|undo|abandon|--yes|--force|-y)\b` +
	`|\bop (approve|undo|reject)\b[^.;\n]*\s(-y|--yes|--batch|--session)\b` +
	`|\b(rm|rmdir|shred|dd|mkfs|truncate) -` +
	`|\bgit (reset|clean|checkout -|restore|rebase|stash drop|push (-f|--force))` +
	`|\bkill -9\b|\bsudo\b|\|\s*(sh|bash)\b`)

// mentions are the texts that may look like one, with the reason.
var mentions = map[string]string{
	"kist op undo %s takes it back\n":         undoAfter,
	"kist op undo --batch %s takes it back\n": undoAfter,
}

const undoAfter = "said once, to whoever changed a whole project just now; nothing is lost by it, since an undo can be undone"

// TestNoTextHoldsADestructiveCommand looks at every text in the source, but for the
// help of commands, which is asked for and says what a command is for.
func TestNoTextHoldsADestructiveCommand(t *testing.T) {
	used := map[string]bool{}
	texts := 0
	for _, f := range parse(t, os.DirFS(".")) {
		if f.test || f.generated {
			continue
		}
		for _, text := range messages(f.syntax) {
			texts++
			if !destructive.MatchString(text) {
				continue
			}
			if mentions[text] == "" {
				t.Errorf("%s: %q holds %q", f.path, text, destructive.FindString(text))
			}
			used[text] = true
		}
	}
	for text := range mentions {
		if !used[text] {
			t.Errorf("no text %q any more", text)
		}
	}
	if texts < 1000 {
		t.Errorf("only %d texts were looked at", texts)
	}
}

// TestDestructiveCommandsAreFound shows that the test above can fail.
func TestDestructiveCommandsAreFound(t *testing.T) {
	const src = `package x
import ("errors"; "fmt"; "github.com/spf13/cobra")
var a = errors.New("no such task; kist task delete 12 removes it")
var b = fmt.Errorf("locked: %s; run kist " + "op undo " + "--session %s", "x", "y")
var c = hintError{a, "kist op approve 8F3KQ2ZC --yes"}
var d = map[string]string{"x": "rm -rf .kist mends it"}
func f() string { return "try git reset --hard" }
func g() { usagef("use kist init --force") }
var h = cobra.Command{Example: "  kist task delete 12", Long: "kist memory forget M forgets."}
var i = errors.New("it was deleted; kist status says more, and undo is possible")
`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, text := range messages(f) {
		if destructive.MatchString(text) {
			found = append(found, destructive.FindString(text))
		}
	}
	want := []string{"kist task delete", "kist op undo", "kist op approve 8F3KQ2ZC --yes", "rm -", "git reset", "kist init --force"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// messages returns every text of a file, with those that are added up as one, but for
// the help of commands.
func messages(f *ast.File) (texts []string) {
	help := []string{"Use", "Short", "Long", "Example"}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field: // a field's tag
			return false
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(help, key.Name) {
				return false
			}
		case *ast.AssignStmt:
			if to, ok := n.Lhs[0].(*ast.SelectorExpr); ok && slices.Contains(help, to.Sel.Name) {
				return false
			}
		case *ast.BinaryExpr:
			if text, ok := added(n); ok {
				texts = append(texts, text)
				return false
			}
		case *ast.BasicLit:
			if text, ok := added(n); ok {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}

// added returns the text that literals with + between them make; what is no literal
// counts as a word.
func added(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok1 := added(e.X)
		right, ok2 := added(e.Y)
		switch {
		case e.Op != token.ADD || !ok1 && !ok2:
			return "", false
		case !ok1:
			left = "X"
		case !ok2:
			right = "X"
		}
		return left + right, true
	}
	return "", false
}
