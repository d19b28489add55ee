package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the script commands that deal with files and output.

// cmdSave: save HOW FILE SOURCE saves a file the way an editor does it: inplace
// (truncate and write, as VS Code does), atomic (a temporary file renamed over it)
// or vim (the old file renamed to a backup, a new one written, the backup removed).
func cmdSave(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: save inplace|atomic|vim FILE SOURCE")
	}
	file, text := ts.MkAbs(args[1]), []byte(ts.ReadFile(args[2]))
	switch args[0] {
	case "inplace":
		ts.Check(os.WriteFile(file, text, 0o644))
	case "atomic":
		tmp := file + ".tmp-4913"
		ts.Check(os.WriteFile(tmp, text, 0o644))
		ts.Check(os.Rename(tmp, file))
	case "vim":
		backup := file + "~"
		ts.Check(os.Rename(file, backup))
		ts.Check(os.WriteFile(file, text, 0o644))
		ts.Check(os.Remove(backup))
	default:
		ts.Fatalf("unknown way to save: %s", args[0])
	}
}

// cmdTree: tree FOLDER FILE writes a line with the hash of every file below a folder
// that is not kist's own record or state.
func cmdTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tree FOLDER FILE")
	}
	root := ts.MkAbs(args[0])
	var b strings.Builder
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if vanished(err) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (rel == ".kist" || rel == "operations" || rel == "sessions" || d.Name() == "conversations"):
			return filepath.SkipDir
		case d.IsDir():
			return nil // an undo leaves empty folders
		case strings.HasPrefix(d.Name(), ".kist-"):
			return nil // displaced bytes, watched for an editor that still holds them
		case !d.Type().IsRegular():
			fmt.Fprintf(&b, "%q %v\n", rel, d.Type())
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%q %x\n", rel, sha256.Sum256(text))
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

// cmdBytes: bytes FILE QUOTED writes what a Go string literal stands for.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE QUOTED")
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
}

// lookup follows a path such as results.0.path into a JSON value.
func lookup(v any, path string) (any, bool) {
	for key := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if key == "len" {
				v = float64(len(at))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func parseOutput(ts *testscript.TestScript) any {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("the output is not one JSON value: %v", err)
	}
	return v
}

// cmdJSON: json PATH [REGEXP] wants a field in the JSON that the last command
// printed, and its value to match. PATH is keys and indexes with dots between
// them; len is a list's length.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 && len(args) != 2 {
		ts.Fatalf("usage: json PATH [REGEXP]")
	}
	v, ok := lookup(parseOutput(ts), args[0])
	if ok && len(args) == 2 {
		re, err := regexp.Compile("^(?:" + args[1] + ")$")
		ts.Check(err)
		ok = re.MatchString(fmt.Sprint(v))
	}
	if ok == neg {
		ts.Fatalf("%s is %v in:\n%s", args[0], v, ts.ReadFile("stdout"))
	}
}

// cmdJSONEnv: jsonenv VAR PATH puts a field of the last output into the environment.
func cmdJSONEnv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: jsonenv VAR PATH")
	}
	v, ok := lookup(parseOutput(ts), args[1])
	if !ok {
		ts.Fatalf("no %s in:\n%s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}

// cmdEvents: events NAME... wants every line of the last output to be a JSON object
// with exactly one key, its number aside, and each of the names to be the key of some line.
func cmdEvents(ts *testscript.TestScript, neg bool, args []string) {
	seen := map[string]bool{}
	for l := range strings.Lines(ts.ReadFile("stdout")) {
		var v map[string]json.RawMessage
		err := json.Unmarshal([]byte(l), &v)
		if delete(v, "number"); err != nil || len(v) != 1 {
			ts.Fatalf("not an event: %s (%v)", l, err)
		}
		for key := range v {
			seen[key] = true
		}
	}
	for _, name := range args {
		if seen[name] == neg {
			ts.Fatalf("%s among the events: %v; they are %v", name, !neg, seen)
		}
	}
}

// cmdBig: big FILE BYTES makes a file of that size that takes no room.
func cmdBig(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: big FILE BYTES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(errors.Join(f.Truncate(size), f.Close()))
}

// cmdLong: long FILE BYTES TEXT makes a file of a text again and again.
func cmdLong(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: long FILE BYTES TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.Repeat(args[2], n/len(args[2])+1)[:n]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// cmdManyTasks: manytasks FOLDER writes fifty documents of a hundred tasks each.
func cmdManyTasks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: manytasks FOLDER")
	}
	for i := range 50 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Day %d\n\n", i)
		for n := range 100 {
			fmt.Fprintf(&b, "- [ ] Thing %d of day %d 📅 2026-12-%02d ⏫ #tag%d ^b%d\n", n, i, 1+n%28, n%3, n)
		}
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), fmt.Sprintf("%02d.md", i)), []byte(b.String()), 0o644))
	}
}

// cmdPrivate: private PATH wants a file, or all below a folder, to be for its owner only.
func cmdPrivate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: private PATH")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if vanished(err) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = fmt.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	}))
}

// vanished reports an emptied folder, or a displaced file, that the daemon removed
// while its parent was read.
func vanished(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// cmdShortID: shortid VAR ID puts what people type of an operation's id into VAR.
func cmdShortID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shortid VAR ID")
	}
	ts.Setenv(args[0], args[1][len(args[1])-6:])
}

// cmdJournal: journal VAULT wants every operation in the log of a vault to have an
// end, and no temporary file of kist's anywhere.
func cmdJournal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: journal VAULT")
	}
	ended := map[string]bool{}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if vanished(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".kist-") {
			return fmt.Errorf("%s was left behind", path)
		}
		if d.IsDir() || !strings.Contains(path, "/operations/") {
			return nil
		}
		return readRecords(path, ended)
	}))
	for id, ok := range ended {
		if !ok {
			ts.Fatalf("operation %s has begun and not ended", id)
		}
	}
}

// readRecords notes which operations of a log file have ended.
func readRecords(path string, ended map[string]bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var id string
	for l := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(l, "id: "); ok {
			id = strings.TrimSpace(v)
		}
		if v, ok := strings.CutPrefix(l, "event: "); ok {
			switch strings.TrimSpace(v) {
			case "begun":
				ended[id] = false
			case "completed", "failed", "rolled_back":
				ended[id] = true
			}
		}
	}
	return nil
}

// cmdEvent: event PATH REGEXP wants a line of the last output to have a field that
// matches.
func cmdEvent(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: event PATH REGEXP")
	}
	re, err := regexp.Compile("^(?:" + args[1] + ")$")
	ts.Check(err)
	found := false
	for l := range strings.Lines(ts.ReadFile("stdout")) {
		var v any
		ts.Check(json.Unmarshal([]byte(l), &v))
		if at, ok := lookup(v, args[0]); ok && re.MatchString(fmt.Sprint(at)) {
			found = true
		}
	}
	if found == neg {
		ts.Fatalf("%s matches %s: %v, in:\n%s", args[0], args[1], found, ts.ReadFile("stdout"))
	}
}

// cmdGrepDir: grepdir REGEXP FOLDER wants a file below a folder to match.
func cmdGrepDir(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: grepdir REGEXP FOLDER")
	}
	re, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	found := false
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		found = found || re.Match(text)
		return err
	}))
	if found == neg {
		ts.Fatalf("%s in a file below %s: %v", args[0], args[1], found)
	}
}

// cmdExitCode: exitcode N ARGS... runs a command and wants that exit code; kist in the script's shell, exec kist as a process.
func cmdExitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N [exec] kist ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if args[1] == "kist" {
		if a := does(ts, args[2:]); a.Code != want {
			ts.Fatalf("exit code %d, want %d", a.Code, want)
		}
		return
	}
	if args[1] != "exec" || len(args) < 3 {
		ts.Fatalf("usage: exitcode N [exec] kist ARGS...")
	}
	cmd := exec.Command(args[2], args[3:]...)
	prepare(ts, cmd)
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
