// Package kist_test holds the layout of the whole repository: who may import
// whom, where each library lives, and what every file must keep to.
package kist_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// imports says which of kist's own packages each package may import. A package
// without a row fails, so that a new one gets its place on purpose. The tests of a
// package, and packages whose name ends in "test", may import anything.
var imports = []struct {
	pkg string
	may []string
}{
	{"vault/control", nil},
	{"vault/canvas", nil},
	{"vault/ignore", nil},
	{"vault/markdown", []string{"vault/markdown/inline", "vault/pattern"}},
	{"vault/markdown/inline", nil},
	{"vault/merge", nil},
	{"vault/pattern", nil},
	{"vault/position", nil},
	{"vault/link", []string{"vault/canvas", "vault/markdown"}},
	{"vault/merge/shape", []string{"vault/merge"}},
	{"vault/merge/dates", nil},
	{"vault/merge/words", nil},
	{"vault/merge/kinds", nil},
	{"vault/merge/arrange", []string{"vault/merge"}},
	{"vault/merge/semantic", []string{"vault/markdown", "vault/merge", "vault/merge/arrange", "vault/merge/dates", "vault/merge/kinds", "vault/merge/shape", "vault/merge/words"}},
	{"vault/watch", nil},
	{"vault/boltcheck", []string{"vault/control"}},
	{"vault/state", []string{"vault/boltcheck", "vault/control"}},
	{"vault/dimension", nil},
	{"vault/fsys", nil},
	{"vault/disk", []string{"vault/pattern", "vault/displaced", "vault/fsys", "vault/merge"}},
	{"vault/oplog", []string{"vault/disk", "vault/fsys", "vault/merge", "vault/state"}},
	{"vault/displaced", []string{"vault/fsys"}},
	{"vault/documents", []string{"vault/canvas", "vault/disk", "vault/fsys", "vault/ignore", "vault/markdown", "vault/oplog"}},
	{"vault/history", []string{"vault/disk", "vault/documents", "vault/fsys", "vault/markdown", "vault/merge", "vault/oplog", "vault/state"}},
	{"vault/records", []string{"vault/disk", "vault/fsys"}},
	{"vault/usage", []string{"vault/disk", "vault/fsys"}},
	{"vault", []string{"vault/canvas", "vault/documents", "vault/history", "vault/records", "vault/usage", "vault/ignore", "vault/markdown", "vault/merge", "vault/merge/semantic", "vault/oplog", "vault/watch", "vault/state", "vault/disk", "vault/fsys"}},
	{"vault/taskline", []string{"vault/pattern"}},
	{"vault/obsidian", nil},
	{"vault/order", nil},
	{"vault/task", []string{"vault/order", "vault/taskline"}},
	{"vault/spelling", []string{"vault"}},
	{"vault/catalog", []string{"vault/pattern", "vault", "vault/documents", "vault/markdown", "vault/obsidian", "vault/task", "vault/taskline"}},
	{"vault/box", []string{"vault", "vault/markdown", "vault/pattern", "vault/task", "vault/taskline"}},
	{"vault/entity", []string{"vault/pattern", "vault", "vault/box", "vault/position", "vault/catalog", "vault/documents", "vault/conversation", "vault/markdown", "vault/dimension", "vault/obsidian", "vault/spelling", "vault/task", "vault/taskline"}},
	{"vault/together", []string{"vault"}},
	{"vault/joined", []string{"vault", "vault/catalog", "vault/entity", "vault/markdown"}},
	{"vault/adoption", []string{"vault", "vault/catalog", "vault/documents", "vault/entity", "vault/markdown", "vault/task"}},
	{"vault/conversation", []string{"vault", "vault/oplog", "vault/pattern"}},
	{"vault/names", []string{"vault", "vault/catalog", "vault/link", "vault/markdown", "vault/position"}},
	{"vault/assist", []string{"vault/pattern", "vault", "vault/catalog", "vault/names", "vault/documents", "vault/link", "vault/markdown", "vault/markdown/inline", "vault/position"}},
	{"vault/imports/export", nil},
	{"vault/imports", []string{"vault", "vault/imports/export", "vault/markdown"}},
	{"vault/torture", []string{"vault/..."}},
	{"index/embed", []string{"index/vector"}},
	{"index/quiet", nil},
	{"index/analyze", nil},
	{"index/sift", nil},
	{"index/courtesy", nil},
	{"index/alike", nil},
	{"index/aside", nil},
	{"index/day", nil},
	{"index/frugal", nil},
	{"index/meter", nil},
	{"index/section", []string{"index/analyze", "index/match", "index/sift"}},
	{"index/page", []string{"vault", "vault/canvas", "vault/markdown", "index/analyze", "index/day", "index/match", "index/section"}},
	{"index/store", []string{"index/analyze", "index/page", "index/section", "index/sift", "vault/boltcheck", "vault/control"}},
	{"index/bm25", nil},
	{"index/parallel", nil},
	{"index/intake", []string{"vault", "vault/canvas", "vault/documents", "index/analyze", "index/embed", "index/frugal", "index/manifest", "index/page", "index/store", "index/vector"}},
	{"index/pending", []string{"vault", "index/analyze", "index/bm25", "index/day", "index/frugal", "index/intake", "index/manifest", "index/match", "index/page", "index/parallel", "index/query", "index/sift", "index/store"}},
	{"index/rank", []string{"vault", "vault/canvas", "vault/documents", "vault/markdown", "index/alike", "index/analyze", "index/bm25", "index/day", "index/embed", "index/intake", "index/manifest", "index/match", "index/page", "index/parallel", "index/pending", "index/query", "index/section", "index/store", "index/vector", "vault/catalog"}},
	{"index/inversion", []string{"index/embed", "index/intake", "index/manifest", "index/page", "index/section", "index/store", "index/vector"}},
	{"index/relation", []string{"vault", "vault/canvas", "vault/link", "vault/markdown", "index/alike", "index/bm25", "index/match", "index/page", "index/parallel", "index/query", "index/rank", "index/vector"}},
	{"index/served", []string{"index/manifest", "index/intake", "index/page", "index/parallel", "index/quiet", "index/vector", "index/vectorcache"}},
	{"index/manifest", []string{"vault", "index/day", "index/page", "index/store"}},
	{"index/query", []string{"index/day", "index/match", "index/page"}},
	{"index/match", []string{"index/analyze", "index/sift"}},
	{"index/jsoniter", nil},
	{"index/oldzap", nil},
	{"index/oldzap/...", []string{"index/oldzap"}},
	{"index/vector", []string{"index/parallel", "vault/control"}},
	{"index/vectorcache", []string{"index/vector", "vault/control"}},
	{"index", []string{"vault/...", "index/..."}},
	{"index/torture", []string{"vault/...", "index"}},
	{"agent/model", []string{"vault/pattern"}},
	{"agent/consent", nil},
	{"agent/brief", []string{"agent/model", "agent/guide", "agent/prose"}},
	{"agent/policy", []string{"agent/tool"}},
	{"agent/endpoint", []string{"vault/pattern"}},
	{"agent/keyring", nil},
	{"agent/live", nil}, // a file without the tag live
	{"agent/wire", []string{"agent/model"}},
	{"agent/budget", []string{"agent/model", "vault/usage"}},
	{"agent/form", []string{"agent/model"}},
	{"agent/ending", []string{"vault"}},
	{"agent/effect", []string{"vault/pattern", "vault", "vault/taskline"}},
	{"agent/leaning", []string{"vault", "vault/entity", "agent/effect", "agent/prose"}},
	{"agent/clerk", []string{"agent/model"}},
	{"agent/advice", []string{"agent/model", "agent/claims", "agent/clerk", "agent/form", "agent/guide", "agent/language", "agent/private", "agent/prose"}},
	{"agent/digest", []string{"agent/model", "agent/claims", "agent/form", "agent/prose", "agent/wire", "vault", "vault/conversation"}},
	{"agent/gleaning", []string{"agent/model", "agent/clerk", "agent/form", "agent/prose", "agent/recall", "vault", "vault/conversation", "vault/entity"}},
	{"agent/narration", []string{"agent/model", "agent/claims", "agent/form", "agent/language", "agent/prose"}},
	{"agent/outside", []string{"vault"}},
	{"agent/window", []string{"agent/model"}},
	{"agent/steps", []string{"agent/model"}},
	{"agent/spoken", []string{"agent/model", "vault/pattern"}},
	{"agent/ladder", []string{"agent/spoken", "agent/model", "agent/endpoint"}},
	{"agent/ollama", []string{"vault/pattern", "agent/model", "agent/endpoint", "agent/wire"}},
	{"agent/openai", []string{"agent/model", "agent/endpoint", "agent/wire"}},
	{"agent/anthropic", []string{"agent/model", "agent/endpoint", "agent/wire"}},
	{"agent/language", nil},
	{"agent/guide", []string{"agent/model", "agent/language", "vault/dimension"}},
	{"agent/recall", []string{"agent/language"}},
	{"agent/passage", []string{"agent/language", "vault/pattern"}},
	{"agent/dated", []string{"agent/language", "agent/passage", "vault", "vault/entity", "vault/pattern"}},
	{"agent/extract", []string{"agent/language", "agent/guide"}},
	{"agent/filing", []string{"vault/pattern", "vault", "vault/entity", "index", "agent/language", "agent/intent", "agent/guide", "agent/extract", "agent/recall", "agent/policy", "agent/thread", "agent/tool"}},
	{"agent/thread", []string{"vault", "vault/conversation", "vault/entity", "index", "agent/extract", "agent/language", "agent/recall", "agent/tool"}},
	{"agent/effort", []string{"vault/pattern"}},
	{"agent/prose", nil},
	{"agent/latch", nil},
	{"agent/audit", []string{"vault/...", "agent/language", "agent/guide", "agent/effort", "agent/prose"}},
	{"agent/forecast", []string{"vault/...", "agent/effort", "agent/prose"}},
	{"agent/live/randommodel", nil},
	{"agent/intent/linear", nil},
	{"agent/intent", []string{"agent/language", "agent/intent/linear"}},
	{"agent/train/learn", []string{"agent/intent/linear"}},
	{"agent/train", []string{"agent/intent", "agent/intent/linear", "agent/language", "agent/train/learn"}},
	{"agent/offline/away", []string{"agent/language"}},
	{"agent/offline/matter", []string{"agent/language", "agent/recall", "agent/offline/apart"}},
	{"agent/offline/decided", []string{"agent/language", "agent/offline/manner"}},
	{"agent/offline/takeback", []string{"agent/language", "agent/offline/manner"}},
	{"agent/offline/dictate", []string{"agent/language", "agent/offline/manner"}},
	{"agent/offline/todo", []string{"vault/pattern", "agent/language", "agent/offline/title", "agent/offline/value"}},
	{"agent/offline/deadline", []string{"agent/language", "agent/offline/todo"}},
	{"agent/offline/naming", []string{"agent/language", "agent/passage", "agent/offline/manner", "vault/pattern"}},
	{"agent/offline/apart", []string{"agent/language", "agent/offline/manner"}},
	{"agent/offline/value", []string{"agent/language"}},
	{"agent/offline/field", []string{"agent/language", "agent/offline/todo", "agent/offline/value"}},
	{"agent/offline/note", []string{"agent/language"}},
	{"agent/offline/every", []string{"agent/language", "agent/offline/field", "agent/offline/todo", "agent/offline/value"}},
	{"agent/offline/manner", []string{"agent/language"}},
	{"agent/offline/title", []string{"agent/language", "agent/passage"}},
	{"agent/offline/where", []string{"agent/language", "vault/pattern"}},
	{"agent/offline/queries", []string{"agent/language", "agent/offline/manner", "agent/offline/where"}},
	{"agent/offline/filter", []string{"agent/language", "agent/offline/dictate", "agent/offline/manner", "agent/offline/queries", "agent/offline/where"}},
	{"agent/offline/refer", []string{"agent/model", "agent/language"}},
	{"agent/offline/interpret", []string{"agent/model", "agent/consent", "agent/extract", "agent/language", "agent/intent", "agent/passage", "agent/recall", "agent/offline/refer", "agent/offline/filter", "agent/offline/manner", "agent/offline/field", "agent/offline/value", "agent/offline/title", "agent/offline/away", "agent/offline/apart", "agent/offline/naming", "agent/offline/queries", "agent/offline/todo", "agent/offline/takeback", "agent/offline/decided", "agent/offline/where"}},
	{"agent/offline/turn", []string{"agent/model", "agent/language", "agent/extract", "agent/offline/interpret", "agent/offline/todo"}},
	{"agent/offline/onto", []string{"agent/consent", "agent/language", "agent/model", "agent/offline/manner", "agent/offline/refer", "agent/offline/todo", "agent/offline/turn"}},
	{"agent/offline/draft", []string{"agent/model", "agent/consent", "agent/language", "agent/guide", "agent/extract", "agent/passage", "agent/intent", "agent/offline/interpret", "agent/offline/naming", "agent/offline/turn", "vault/pattern"}},
	{"agent/offline/project", []string{"agent/model", "agent/consent", "agent/language", "agent/intent", "agent/extract", "agent/offline/apart", "agent/offline/naming", "agent/offline/interpret", "agent/offline/matter", "agent/offline/refer", "agent/offline/turn"}},
	{"agent/offline/lookup", []string{"vault/pattern", "agent/model", "agent/language", "agent/extract", "agent/passage", "agent/offline/interpret", "agent/offline/refer", "agent/offline/manner", "agent/offline/queries", "agent/offline/turn", "agent/offline/where", "agent/offline/decided"}},
	{"agent/offline/operation", []string{"agent/consent", "agent/language", "agent/model", "agent/offline/interpret", "agent/offline/queries", "agent/offline/refer", "agent/offline/turn"}},
	{"agent/offline/batch", []string{"agent/intent", "agent/language", "agent/model", "agent/offline/every", "agent/offline/filter", "agent/offline/interpret", "agent/offline/note", "agent/offline/record", "agent/offline/refer", "agent/offline/todo", "agent/offline/turn"}},
	{"agent/offline/record", []string{"agent/offline/note", "agent/offline/field", "agent/recall", "agent/offline/queries", "agent/model", "agent/consent", "agent/language", "agent/intent", "agent/extract", "agent/offline/interpret", "agent/offline/refer", "agent/offline/filter", "agent/offline/lookup", "agent/offline/title", "agent/offline/turn", "agent/offline/todo", "agent/offline/deadline", "agent/offline/dictate", "agent/passage"}},
	{"agent/offline", []string{"agent/offline/...", "agent/model", "agent/consent", "agent/language", "agent/intent", "agent/guide", "agent/recall", "agent/extract", "agent/passage", "agent/offline/todo"}},
	{"agent/tool/suggest", nil},
	{"agent/tool/dialect", []string{"vault/pattern", "agent/model"}},
	{"agent/tool/along", []string{"vault", "vault/entity", "vault/markdown"}},
	{"agent/tool", []string{"agent/dated", "agent/tool/along", "agent/tool/suggest", "vault/...", "index", "index/rank", "agent/model", "agent/guide", "agent/recall", "agent/narration", "agent/audit", "agent/forecast"}},
	{"agent/route", []string{"agent/model"}},
	{"agent/claims", []string{"agent/language", "agent/model", "vault/pattern"}},
	{"agent/models", []string{"agent/keyring", "agent/model", "agent/budget", "agent/endpoint", "agent/ollama", "agent/openai", "agent/anthropic", "agent/window", "agent/ladder", "agent/route", "agent/tool/dialect"}},
	{"agent/overlap", []string{"vault"}},
	{"agent/idle", []string{"vault", "vault/conversation", "vault/entity"}},
	{"agent/private", []string{"vault/...", "index", "index/rank", "agent/language"}},
	{"agent", []string{"vault/...", "index", "index/rank", "index/quiet", "agent/advice", "agent/brief", "agent/budget", "agent/clerk", "agent/digest", "agent/effect", "agent/ending", "agent/claims", "agent/gleaning", "agent/leaning", "agent/narration", "agent/outside", "agent/overlap", "agent/private", "agent/prose", "agent/steps", "agent/model", "agent/consent", "agent/policy", "agent/tool", "agent/guide", "agent/idle", "agent/latch", "agent/recall", "agent/thread", "agent/filing"}},
	{"daemon/sync/git", []string{"vault/pattern"}},
	{"daemon/sync/driven", []string{"daemon/sync/git"}},
	{"daemon/sync/moved", []string{"vault", "vault/control", "daemon/sync/git"}},
	{"daemon/sync/emptied", nil},
	{"daemon/sync/names", []string{"vault"}},
	{"daemon/sync/copies", []string{"vault", "vault/markdown", "vault/merge/semantic"}},
	{"daemon/sync/sides", []string{"daemon/sync/copies", "daemon/sync/git"}},
	{"daemon/sync/credit", []string{"daemon/sync/copies", "daemon/sync/git"}},
	{"daemon/sync", []string{"vault", "vault/control", "vault/ignore", "vault/merge/kinds", "vault/merge/semantic", "daemon/sync/copies", "daemon/sync/credit", "daemon/sync/driven", "daemon/sync/emptied", "daemon/sync/git", "daemon/sync/moved", "daemon/sync/names", "daemon/sync/sides"}},
	{"rpc/cors", nil},
	{"rpc/page", nil},
	{"rpc/features", []string{"rpc/describe"}},
	{"rpc/lines", nil},
	{"rpc/news", []string{"vault", "vault/catalog"}},
	{"rpc/validate", []string{"vault/pattern"}},
	{"rpc/describe", nil},
	{"rpc/study", []string{"agent/audit", "agent/forecast", "vault", "vault/catalog", "vault/entity", "proto/..."}},
	{"rpc/refused", []string{"rpc/fault", "vault/spelling"}},
	{"rpc/told", []string{"vault", "vault/entity", "proto/..."}},
	{"rpc/tokens", []string{"vault/control", "vault/pattern"}},
	{"rpc/fault", []string{"rpc/page", "rpc/tokens", "rpc/turns", "rpc/validate", "vault/...", "index", "agent/...", "daemon/sync", "daemon/sync/git", "proto/..."}},
	{"rpc/bounds", []string{"rpc/fault", "rpc/page", "vault"}},
	{"rpc/turns", []string{"agent", "agent/ending", "vault", "vault/conversation"}},
	{"rpc/orders", []string{"rpc/page", "vault/...", "proto/..."}},
	{"rpc/documents", []string{"rpc/fault", "rpc/orders", "rpc/page", "vault/...", "proto/..."}},
	{"rpc/dial", []string{"vault/control", "proto/..."}},
	{"rpc", []string{"rpc/bounds", "rpc/cors", "rpc/describe", "rpc/documents", "rpc/fault", "rpc/features", "rpc/lines", "rpc/news", "rpc/orders", "rpc/page", "rpc/refused", "rpc/study", "rpc/told", "rpc/tokens", "rpc/turns", "rpc/validate", "vault/...", "index", "index/rank", "index/relation", "index/served", "agent/...", "daemon/sync", "daemon/sync/git", "proto/..."}},
	{"daemon", []string{"vault/...", "index", "index/served", "agent/...", "daemon/sync", "rpc/..."}},
	{"bench/talk", []string{"vault/...", "index", "agent", "agent/model", "agent/tool", "agent/endpoint", "agent/ladder", "agent/offline", "agent/route"}},
	{"bench/chat", []string{"bench/talk", "daemon", "agent/models", "agent/ladder", "agent/endpoint", "agent/openai"}},
	{"bench/drawn", []string{"vault/markdown"}},
	{"bench/graded", nil},
	{"bench", []string{"bench/drawn", "bench/graded", "vault/...", "index", "index/rank", "index/vector", "rpc/dial", "proto/..."}},
	{"cmd/kist/terminal", []string{"vault/control"}},
	{"cmd/kist/find", []string{"cmd/kist/completion", "cmd/kist/output", "cmd/kist/usage", "cmd/kist/terminal", "rpc/dial", "proto/..."}},
	{"cmd/kist/output", []string{"cmd/kist/terminal"}},
	{"cmd/kist/lsp", []string{"rpc/dial", "proto/...", "vault/position"}},
	{"cmd/kist/machine", nil},
	{"cmd/kist/editor", nil},
	{"cmd/kist/measure", []string{"bench/chat", "bench/talk"}},
	{"cmd/kistbench/sqlite", []string{"bench", "bench/drawn"}},
	{"cmd/kistbench", []string{"bench", "cmd/kistbench/sqlite", "cmd/kist/console", "cmd/kist/terminal"}},
	{"cmd/kist/model", []string{"rpc/dial", "proto/...", "agent/keyring"}},
	{"cmd/kist/about", []string{"cmd/kist/machine", "rpc/dial", "proto/..."}},
	{"cmd/kist/sync", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/completion", []string{"rpc/dial", "proto/...", "cmd/kist/terminal"}},
	{"cmd/kist/usage", nil},
	{"cmd/kist/study", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/transcript", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/whole", []string{"cmd/kist/narrow", "rpc/dial", "proto/..."}},
	{"cmd/kist/token", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/importer", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/merge", []string{"daemon/sync/driven", "vault/merge/semantic"}},
	{"cmd/kist/memory", []string{"cmd/kist/narrow", "cmd/kist/output", "rpc/dial", "proto/..."}},
	{"cmd/kist/narrow", []string{"rpc/dial", "proto/..."}},
	{"cmd/kist/talk", []string{"proto/..."}},
	{"cmd/kist/console", []string{"cmd/kist/terminal", "vault/control"}},
	{"cmd/kist", []string{"cmd/kist/about", "cmd/kist/find", "cmd/kist/importer", "cmd/kist/lsp", "cmd/kist/measure", "cmd/kist/memory", "cmd/kist/merge", "cmd/kist/model", "cmd/kist/narrow", "cmd/kist/output", "cmd/kist/sync", "cmd/kist/talk", "cmd/kist/terminal", "cmd/kist/machine", "cmd/kist/console", "cmd/kist/editor", "rpc/dial", "proto/...", "cmd/kist/completion", "cmd/kist/study", "cmd/kist/token", "cmd/kist/transcript", "cmd/kist/usage", "cmd/kist/whole"}},
	{"mutants", nil},
	{"proto/...", []string{"proto/..."}},
}

// exceptions are single files that may import more than their package.
var exceptions = map[string][]string{
	"cmd/kist/up.go": {"daemon"}, // the one command that runs the daemon itself
}

// libraries says where each library is at home; one that has no row fails.
var libraries = []struct {
	library string
	homes   []string
}{
	{"github.com/creachadair/jrpc2", []string{"cmd/kist/lsp"}},
	{"github.com/fsnotify/fsnotify", []string{"vault/watch"}},
	{"github.com/yuin/goldmark", []string{"vault/markdown"}},
	{"github.com/oklog/ulid/v2", []string{"vault", "vault/oplog", "rpc/dial", "rpc/turns"}},
	{"github.com/aymanbagabas/go-udiff", []string{"vault/..."}},
	{"github.com/agnivade/levenshtein", []string{"vault/spelling", "agent/tool/suggest", "cmd/kist/usage"}},
	{"gopkg.in/yaml.v3", []string{"vault/...", "daemon"}},
	{"github.com/gofrs/flock", []string{"daemon", "rpc/dial"}},
	{"github.com/blevesearch", []string{"index", "index/analyze", "index/oldzap", "index/page", "index/pending", "index/section", "index/rank", "index/sift", "index/store", "bench"}}, // bench: bleve alone is the floor
	{"github.com/RoaringBitmap/roaring/v2", []string{"index/oldzap"}},
	{"go.etcd.io/bbolt/errors", []string{"index/store", "vault/state"}}, // index/store: what bleve's store returns
	{"go.etcd.io/bbolt", []string{"vault/state"}},
	{"modernc.org/sqlite", []string{"cmd/kistbench/sqlite"}},
	{"github.com/google/jsonschema-go", []string{"agent/tool"}},
	{"github.com/ollama/ollama", []string{"agent/ollama"}},
	{"github.com/sashabaranov/go-openai", []string{"agent/openai"}},
	{"github.com/zalando/go-keyring", []string{"agent/keyring"}},
	{"connectrpc.com", []string{"rpc/...", "cmd/kist", "cmd/kist/lsp", "proto/..."}},
	{"buf.build/gen", []string{"proto/...", "rpc/validate"}},
	{"google.golang.org/protobuf", []string{"rpc/...", "cmd/kist/...", "proto/..."}},
	{"google.golang.org/genproto", []string{"rpc"}},
	{"github.com/spf13", []string{"cmd/kist/...", "cmd/kistbench"}},
	{"golang.org/x/term", []string{"cmd/kist/..."}},
	{"github.com/lmittmann/tint", []string{"cmd/kist/console", "daemon"}},
	{"golang.org/x/sys", []string{"..."}},
	{"golang.org/x/sync", []string{"..."}},
	{"golang.org/x/text", []string{"..."}},
	{"buf.build/go/protovalidate", nil}, // from here on: for tests alone
	{"github.com/google/go-cmp", nil},
	{"github.com/rogpeppe/go-internal", nil},
	{"go.uber.org/goleak", nil},
	{"pgregory.net/rapid", nil},
	{"github.com/viterin/vek", nil},
}

const maxLines = 800

// machinePath is the folder that this project was first written in; its name is
// taken apart here so that this file doesn't contain it.
var machinePath = regexp.MustCompile(`(^|[^\w~.])/` + `work/`)

// A goFile is one parsed file of the repository.
type goFile struct {
	path      string // from the root, with forward slashes
	syntax    *ast.File
	lines     int
	test      bool // a test, or part of a package for tests
	generated bool
}

func (f goFile) dir() string { return path.Dir(f.path) }

func TestLayout(t *testing.T) {
	repo := os.DirFS(".")
	files := parse(t, repo)
	for _, fault := range faults(t, repo, files) {
		t.Error(fault)
	}
	// A row that matches nothing holds nothing.
	for _, row := range imports {
		if !slices.ContainsFunc(files, func(f goFile) bool { return matches(row.pkg, f.dir()) }) {
			t.Errorf("no package matches the row %q", row.pkg)
		}
	}
	for file := range exceptions {
		if !slices.ContainsFunc(files, func(f goFile) bool { return f.path == file }) {
			t.Errorf("the exception %s doesn't exist", file)
		}
	}
}

// TestLayoutFindsFaults shows that each rule can fail.
func TestLayoutFindsFaults(t *testing.T) {
	const good = "// Package x is a good one.\npackage x\n"
	tests := []struct {
		name, file, text, want string
	}{
		{"nothing wrong", "vault/a.go", good + `import _ "kist/vault/merge"`, ""},
		{"a test may import more", "vault/a_test.go", "package x\nimport _ \"kist/daemon\"\nfunc init() {}", ""},
		{"so may a package for tests", "vault/vaulttest/a.go", good + `import _ "kist/daemon"`, ""},
		{"which is for tests", "vault/a.go", good + `import _ "kist/vault/vaulttest"`, "is for tests"},
		{"a leaf", "vault/watch/a.go", good + `import _ "kist/vault"`, "may not import kist/vault"},
		{"the vault knows nobody", "vault/a.go", good + `import _ "kist/index"`, "may not import kist/index"},
		{"proto types stay at the edge", "agent/a.go", good + `import _ "kist/proto/kist/v1"`, "may not import kist/proto/kist/v1"},
		{"offline knows models alone", "agent/offline/a.go", good + `import _ "kist/vault"`, "may not import kist/vault"},
		{"commands speak RPC", "cmd/kist/task.go", good + `import _ "kist/daemon"`, "may not import kist/daemon"},
		{"but up runs the daemon", "cmd/kist/up.go", good + `import _ "kist/daemon"`, ""},
		{"a package without a row", "util/a.go", good, "no row for package util"},
		{"a library at home", "vault/watch/a.go", good + `import _ "github.com/fsnotify/fsnotify"`, ""},
		{"a library abroad", "vault/a.go", good + `import _ "github.com/fsnotify/fsnotify"`, "is at home in [vault/watch]"},
		{"a library for tests", "vault/a.go", good + `import _ "github.com/google/go-cmp/cmp"`, "is at home in []"},
		{"a library without a row", "vault/a.go", good + `import _ "github.com/x/y"`, "no row for library"},
		{"init", "vault/a.go", good + "func init() {}", "has an init function"},
		{"a method named init", "vault/a.go", good + "type T int\nfunc (T) init() {}", ""},
		{"no package comment", "vault/a.go", "package x\n", "no package comment"},
		{"too long", "vault/a.go", good + strings.Repeat("//\n", maxLines), "lines, more than"},
		{"a long generated file", "proto/kist/v1/a.pb.go", good + strings.Repeat("//\n", maxLines), ""},
		{"a path of a machine", "README.md", "see /" + "work/notes", "names a path"},
		{"a path of a user", "README.md", "see ~/" + "work/notes", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo := fstest.MapFS{
				tt.file:          {Data: []byte(tt.text)},
				"vault/merge.go": {Data: []byte(good)}, // some Go file there must be
			}
			if path.Dir(tt.file) == "vault" {
				delete(repo, "vault/merge.go")
			}
			got := faults(t, repo, parse(t, repo))
			if tt.want == "" && len(got) > 0 {
				t.Errorf("faults %q, want none", got)
			}
			if tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
				t.Errorf("faults %q, want one: %q", got, tt.want)
			}
		})
	}
}

// parse reads all Go files of the repository's main module.
func parse(t *testing.T, repo fs.FS) []goFile {
	t.Helper()
	var files []goFile
	walk(t, repo, func(name string, text []byte) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, goFile{
			path: name, syntax: syntax, lines: bytes.Count(text, []byte("\n")),
			test:      strings.HasSuffix(name, "_test.go") || forTests(path.Dir(name)),
			generated: strings.HasSuffix(name, ".pb.go") || strings.HasSuffix(name, ".connect.go"),
		})
	})
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}

func forTests(pkg string) bool { return strings.HasSuffix(pkg, "test") }

// walk reads every file that belongs to the repository, test data and other
// modules aside.
func walk(t *testing.T, repo fs.FS, fn func(name string, text []byte)) {
	t.Helper()
	err := fs.WalkDir(repo, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata" || name == "tools"):
			return fs.SkipDir
		case !d.Type().IsRegular() || d.Name() == ".git": // of a second worktree
			return nil
		}
		text, err := fs.ReadFile(repo, name)
		if err == nil && !bytes.ContainsRune(text, 0) { // not a binary
			fn(name, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// faults returns a sentence for everything that breaks a rule.
func faults(t *testing.T, repo fs.FS, files []goFile) (all []string) {
	t.Helper()
	documented := map[string]bool{}
	for _, f := range files {
		if !f.test || forTests(f.dir()) {
			documented[f.dir()] = documented[f.dir()] || f.generated || f.syntax.Doc != nil
		}
		if f.test {
			continue
		}
		all = append(all, importFaults(f)...)
		if f.generated {
			continue
		}
		if f.lines > maxLines {
			all = append(all, fmt.Sprintf("%s has %d lines, more than %d", f.path, f.lines, maxLines))
		}
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				all = append(all, f.path+" has an init function")
			}
		}
	}
	for dir, ok := range documented {
		if !ok {
			all = append(all, "package "+dir+" has no package comment")
		}
	}
	walk(t, repo, func(name string, text []byte) {
		if machinePath.Match(text) {
			all = append(all, name+" names a path of the machine that it was written on")
		}
	})
	slices.Sort(all)
	return all
}

func importFaults(f goFile) (all []string) {
	may, ok := allowed(f)
	if !ok {
		return []string{fmt.Sprintf("no row for package %s in the table of imports (%s)", f.dir(), f.path)}
	}
	for _, spec := range f.syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return []string{f.path + ": " + err.Error()}
		}
		own, isOwn := strings.CutPrefix(name, "kist/")
		first, _, _ := strings.Cut(name, "/")
		switch {
		case isOwn && forTests(own):
			all = append(all, fmt.Sprintf("%s imports %s, which is for tests", f.path, name))
		case isOwn && !matchesAny(may, own):
			all = append(all, fmt.Sprintf("%s may not import %s", f.path, name))
		case !isOwn && strings.Contains(first, "."): // the standard library has no dot
			all = append(all, libraryFaults(f, name)...)
		}
	}
	return all
}

func allowed(f goFile) (may []string, ok bool) {
	for _, row := range imports {
		if matches(row.pkg, f.dir()) {
			return append(exceptions[f.path], row.may...), true
		}
	}
	return nil, false
}

func libraryFaults(f goFile, name string) []string {
	for _, row := range libraries {
		if !matches(row.library+"/...", name) {
			continue
		}
		if !matchesAny(row.homes, f.dir()) {
			return []string{fmt.Sprintf("%s imports %s, which is at home in %v", f.path, name, row.homes)}
		}
		return nil
	}
	return []string{fmt.Sprintf("no row for library %s in the table of libraries (%s)", name, f.path)}
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// matches reports whether name is pattern or, where pattern ends in "/...", below it.
func matches(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	above, below := strings.CutSuffix(pattern, "/...")
	return name == above || (below && strings.HasPrefix(name, above+"/"))
}
