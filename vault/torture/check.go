package torture

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// This file looks for faults in a folder where nobody works.

// A fault is something that kist promised would not happen.
type fault struct {
	kind string
	text string
}

// The kinds of faults.
const (
	lostSave = "lost saves"
	lostOp   = "lost operations"
	tornFile = "torn files"
	unended  = "unended operations"
	tempLeft = "temporary files left"
	badUndo  = "undo not exact"
	unlogged = "texts that are not in the log"
	badCopy  = "conflict copies of no use"
	stuck    = "operations approved and never begun"
	half     = "documents left as half of an editor's save"
	stands   = "failed operations that stand"
	broken   = "broken chains"
	astray   = "followers that differ from the files"
)

// faultKinds are all of them, in the order of the report.
func faultKinds() []string {
	return []string{
		lostSave, lostOp, tornFile, half, badCopy, unlogged, broken, badUndo, unended, stuck, stands, tempLeft, astray,
	}
}

// A scene is everything that the judge knows about one folder when nobody works.
type scene struct {
	original map[string][]byte // documents at the beginning
	now      map[string][]byte // Markdown files, without the log and the conversations
	temps    []string
	late     int    // displaced files that editors still have open
	turns    string // the conversations
	log      *ledger

	differences []string // between the daemon's follower and the files

	acked    map[string]int64 // operations, and when they began
	turned   []string
	expect   map[string][]string // markers by file
	versions map[string]map[uint64]int64
}

func newScene() *scene {
	return &scene{
		original: map[string][]byte{}, log: newLedger(), acked: map[string]int64{},
		expect: map[string][]string{}, versions: map[string]map[uint64]int64{},
	}
}

// look reads the folder as it is.
func (s *scene) look(dir string) error {
	s.now, s.temps, s.turns = map[string][]byte{}, nil, ""
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch name := d.Name(); {
		case rel == ".kist" || rel == "operations":
			return fs.SkipDir
		case strings.HasPrefix(name, ".kist-"):
			s.temps = append(s.temps, rel)
			return nil
		case d.IsDir(), !strings.HasSuffix(name, ".md"):
			return nil
		}
		text, err := os.ReadFile(p)
		if strings.HasPrefix(rel, "conversations/") {
			s.turns += string(text)
		} else {
			s.now[rel] = text
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.log.refresh(filepath.Join(dir, "operations"))
}

// hashOf is a hash as the log writes it.
func hashOf(text []byte) string {
	if text == nil {
		return ""
	}
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// isCopy reports whether a file is a conflict copy, and of what.
func isCopy(file string) (of string, ok bool) {
	of, _, ok = strings.Cut(file, " (conflict ")
	return of + ".md", ok
}

// faults looks for everything. found gives the markers that are not in their
// document but elsewhere, where that is no fault.
func (s *scene) faults() (all []fault, found map[string][]string) {
	saves, found := s.lostSaves()
	all = append(all, saves...)
	all = append(all, s.lostOps()...)
	all = append(all, s.tornFiles()...)
	for _, e := range s.log.ops {
		switch e.event {
		case "begun":
			all = append(all, fault{unended, "operation " + e.id})
		case "approved":
			all = append(all, fault{stuck, "operation " + e.id})
		}
	}
	if len(s.temps) > s.late {
		for _, p := range s.temps {
			all = append(all, fault{tempLeft, p})
		}
	}
	for file, why := range s.brokenChains() {
		all = append(all, fault{broken, file + ": " + why})
	}
	all = append(all, s.astray()...)
	return append(all, s.undoByPatches()...), found
}

func (s *scene) astray() (all []fault) {
	for _, d := range s.differences {
		all = append(all, fault{astray, d})
	}
	return all
}

func (s *scene) lostSaves() (lost []fault, found map[string][]string) {
	found = map[string][]string{}
	var copies []byte
	for file, text := range s.now {
		if _, known := s.original[file]; !known {
			copies = append(append(copies, '\n'), text...)
		}
	}
	for file, markers := range s.expect {
		for _, m := range markers {
			if hasLine(s.now[file], m) {
				continue
			}
			found[file] = append(found[file], m)
			if !hasLine(copies, m) && !s.log.removed(m) {
				lost = append(lost, fault{lostSave, fmt.Sprintf("%s: %q is nowhere", file, m)})
			}
		}
	}
	return lost, found
}

func (s *scene) lostOps() (lost []fault) {
	for id := range s.acked {
		if e := s.log.ops[id]; e == nil {
			lost = append(lost, fault{lostOp, fmt.Sprintf("operation %s was acknowledged and is not in the log", id)})
		} else if e.event != "completed" {
			lost = append(lost, fault{lostOp, fmt.Sprintf("operation %s was acknowledged and is %s", id, e.event)})
		}
	}
	for _, id := range s.turned {
		if !strings.Contains(s.turns, "<!-- turn "+id+" ") {
			lost = append(lost, fault{lostOp, fmt.Sprintf("turn %s was acknowledged and is in no conversation", id)})
		}
	}
	return lost
}

// An ending is how the last completed operation on a file left it.
type ending struct {
	by    *entry // nil: there was none
	after string // hash
}

func (s *scene) endings() map[string]ending {
	last := map[string]ending{}
	for _, e := range s.log.completed() {
		for _, c := range e.changes {
			if c.From != "" {
				last[c.From] = ending{e, ""}
			}
			last[c.Path] = ending{e, c.After}
		}
	}
	return last
}

// tornFiles looks at the shape of each text and at who wrote it.
func (s *scene) tornFiles() (all []fault) {
	last := s.endings()
	add := func(file string, f fault) {
		if f.kind != tornFile && s.failedStands(file, last[file]) {
			f.kind = stands
		}
		all = append(all, f)
	}
	for file, text := range s.now {
		if of, copied := isCopy(file); copied {
			if why := torn(text, of); why != "" {
				all = append(all, fault{badCopy, file + ": " + why})
			}
			continue
		}
		f := s.unexplained(file, text, last[file])
		if why := torn(text, file); why != "" {
			// Half a text that the log has was half a text when an operation began;
			// the other half came later and is in a conflict copy.
			kind := half
			if f.kind != "" {
				kind = tornFile
			}
			f = fault{kind, file + ": " + why}
		}
		if f.kind != "" {
			add(file, f)
		}
	}
	for file, e := range last {
		if _, there := s.now[file]; there || e.after == "" || len(s.versions[file]) > 0 {
			continue
		}
		kind := unlogged
		if s.acked[e.by.id] > 0 {
			kind = lostOp
		}
		add(file, fault{kind, fmt.Sprintf("%s is gone, after operation %s", file, e.by.id)})
	}
	return all
}

// failedStands reports whether a file is as an operation left it that ended as
// failed or rolled back after the last completed one.
func (s *scene) failedStands(file string, last ending) bool {
	for _, e := range s.log.ops {
		if e.event != "failed" && e.event != "rolled_back" || last.by != nil && e.at < last.by.at {
			continue
		}
		for _, c := range e.changes {
			if c.Path == file && c.After == hashOf(s.now[file]) {
				return true
			}
		}
	}
	return false
}

// unexplained judges a text that the last operation on its file did not leave. An
// editor must have written it after that operation began. What editors appended
// without looking comes off first.
func (s *scene) unexplained(file string, text []byte, last ending) fault {
	id, after := "", hashOf(s.original[file])
	if last.by != nil {
		id, after = last.by.id, last.after
	}
	for t := text; ; {
		if hashOf(t) == after {
			return fault{}
		}
		if at, ok := s.versions[file][sum(t)]; ok {
			if at < s.acked[id] {
				return fault{lostOp, fmt.Sprintf("%s is as it was before operation %s", file, id)}
			}
			return fault{}
		}
		i := strings.LastIndexByte(strings.TrimSuffix(string(t), "\n"), '\n') + 1
		body, _ := unseal(strings.TrimSuffix(string(t[i:]), "\n"))
		if !strings.HasSuffix(key(body), " a") {
			return fault{unlogged, fmt.Sprintf("%s: a text that nobody wrote, after operation %q", file, id)}
		}
		t = t[:i]
	}
}
