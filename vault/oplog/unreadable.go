package oplog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kist/vault/disk"
	"kist/vault/state"
)

// statusUnreadable is what the index calls a record that is none. It has no id, so that
// its place in the log stands for one; no operation's id begins with a tilde.
const statusUnreadable Status = "unreadable"

// maxUnreadable is how many records are named: more are one fault of one file.
const maxUnreadable = 100

// unreadableEntry keeps the place of a record that can't be read.
func unreadableEntry(p string, at int64, n int, why error) (state.Entry, error) {
	id := fmt.Sprintf("~%s:%d", p, at)
	value, err := json.Marshal(&Folded{Operation: Operation{ID: id, Status: statusUnreadable, Error: strings.Join(strings.Fields(why.Error()), " ")}, Place: Place{File: p, Offset: at, Length: n}})
	return state.Entry{ID: id, Keys: []string{string(ByStatus(statusUnreadable))}, Value: value}, err
}

// UnreadableRecords returns the records of the operation log that are passed over, with
// the line that each begins on or, where that is known, the faulty one: at most 100.
func (log *Log) UnreadableRecords() ([]disk.Problem, error) {
	log.refreshHeard()
	for range 2 {
		problems, mended, err := log.unreadable()
		if err != nil || !mended {
			return problems, err
		}
		paths, err := log.list()
		if err != nil {
			return nil, err
		}
		if err := log.rebuild(paths, "a record can be read that could not"); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// refreshHeard folds in what the watcher named since the log was read as a whole.
func (log *Log) refreshHeard() {
	log.heard.Lock()
	whole := log.whole
	log.heard.Unlock()
	if !whole {
		return // it is being read
	}
	if err := log.Refresh(); err != nil {
		log.opts.Log.Error("read operation log", "err", err)
	}
}

// unreadable also reports whether one of the records can be read by now.
func (log *Log) unreadable() (all []disk.Problem, mended bool, err error) {
	for op, err := range log.With(ByStatus(statusUnreadable)) {
		if err != nil {
			return nil, false, err
		}
		text, err := log.readAt(op.File, 0, op.Offset+int64(op.Length))
		if err != nil || int64(len(text)) < op.Offset {
			continue // the file is being replaced, and will be read anew
		}
		if _, err := Decode(text[op.Offset:]); err == nil {
			return nil, true, nil
		}
		if len(all) < maxUnreadable {
			all = append(all, faultAt(op, bytes.Count(text[:op.Offset], []byte("\n"))))
		}
	}
	return all, false, nil
}

var lineOfFault = regexp.MustCompile(`^(?:yaml|not a log record): line (\d+): `)

// faultAt words what is wrong with a record that begins behind so many lines of its file.
func faultAt(op *Folded, lines int) disk.Problem {
	p := disk.Problem{Path: op.File, Line: lines + 1, Message: op.Error, Hint: "nothing of it counts; mend it in an editor, or take it out"}
	if m := lineOfFault.FindStringSubmatch(op.Error); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits, by the expression
		p.Line, p.Message = lines+n, op.Error[len(m[0]):]
	}
	return p
}

// indexVersion is that of what is kept of an operation in the index. It stands among the
// positions of the log's files, under a name that none of them has.
const (
	indexVersion     = 2
	indexVersionFile = ".kist/operations"
)

// Renew forgets an index of another version, which lacks what this one looks for.
func (log *Log) Renew() error {
	is, err := log.db.Position(indexVersionFile)
	if err != nil || is == indexVersion {
		return err
	}
	return log.drop()
}

// drop forgets the index.
func (log *Log) drop() error {
	if err := log.db.DropOperations(); err != nil {
		return err
	}
	return log.db.PutOperations(nil, map[string]int64{indexVersionFile: indexVersion})
}

func (log *Log) trouble(err error) {
	if err != nil {
		log.opts.Log.Error("what is known of the vault could not be read", "err", err)
	}
}
