package catalog

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
	"kist/vault/pattern"
	"kist/vault/task"
	"kist/vault/taskline"
)

// An Entry is what a document tells.
type Entry struct {
	Path string
	// Tasks are the document itself, if it is a task's file, and its checkboxes by line.
	// None has its project.
	Tasks []task.Task

	more    bool // its tasks aren't kept
	project bool // it is one where it lies
}

// entryOf reads a document; nil: it has nothing to tell, or can't be read.
func entryOf(v *vault.Vault, rules *Rules, p string) *Entry {
	if !HasTasks(v, p) {
		return nil
	}
	text, err := v.Read(p)
	if err != nil || !mayTell(text) && !isTaskPath(v, p) && !rules.mayTake(p, text) {
		return nil
	}
	doc := markdown.Parse(text)
	e := &Entry{Path: p, Tasks: Tasks(v, p, doc), project: isProject(v, rules, p, doc)}
	if len(e.Tasks) == 0 && !e.project {
		return nil
	}
	return e
}

// mayTell looks at the bytes alone: most documents have neither a box nor a type, whose key
// may begin with a capital.
func mayTell(text []byte) bool {
	if bytes.Contains(text[:min(len(text), 6)], []byte("---")) && (bytes.Contains(text, []byte("ype:")) || bytes.Contains(text, []byte("YPE:"))) {
		return true
	}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '[')
		if i < 0 || at+i+2 >= len(text) {
			return false
		}
		if at += i; at > 0 && (text[at-1] == ' ' || text[at-1] == '\t') && text[at+2] == ']' {
			return true
		}
		at++
	}
}

// conflictCopy is the name of the other version of a file, whose tasks would be there twice.
var conflictCopy = pattern.Lazy(`( \(conflict \d{4}-\d{2}-\d{2} \d{6}( \d+)?\)|\.conflict-.+-\d{4}-\d{2}-\d{2}(-\d+)?)\.md$`)

// HasTasks reports whether a document's checkboxes are tasks, by its path: not what was
// said, drafted or prepared for other systems, and not what a conflict left.
func HasTasks(v *vault.Vault, p string) bool {
	top, rest, _ := strings.Cut(p, "/")
	switch kind := v.TypeOf(p); {
	// A folder of another name was somebody's before: kist's drafts in it say that they are.
	case kind == "conversation", kind == "draft" && top == vault.DefaultLayout().Drafts:
		return false
	}
	if top == v.Layout().Projects {
		_, rest, _ = strings.Cut(rest, "/")
		top, _, _ = strings.Cut(rest, "/")
	}
	l := v.Layout()
	return top != documents.ActionsDir && top != l.Operations && top != l.Sessions && !conflictCopy().MatchString(path.Base(p))
}

// isTaskPath: it lies where projects have their tasks.
func isTaskPath(v *vault.Vault, p string) bool {
	return v.TypeOf(p) == "task" && strings.HasPrefix(p, v.Layout().Projects+"/")
}

// Tasks reads the tasks of a document: itself, if it is a task's file, and its checkboxes.
func Tasks(v *vault.Vault, p string, doc *markdown.Document) []task.Task {
	fm, err := doc.FrontMatter()
	if err != nil {
		fm = nil
	}
	kind := ""
	if fm != nil {
		kind = fm.String("type")
	}
	var out []task.Task
	switch {
	case HasNone(kind):
		return nil
	case isTaskPath(v, p), kind == "task":
		out = append(out, File(p, doc))
	}
	for _, item := range markdown.Shown(doc) {
		out = append(out, task.OfLine(p, item.Line, item.Mark, taskline.Parse(item.Text)))
	}
	return out
}

// HasNone: the checkboxes of documents of that type are no tasks.
func HasNone(kind string) bool { return kind == "conversation" || kind == "draft" || kind == "action" }

// TaskAt is the one of [Tasks] that is a checkbox on a 1-based line; false: there is none.
func TaskAt(doc *markdown.Document, p string, line int) (task.Task, bool) {
	if fm, err := doc.FrontMatter(); err == nil && fm != nil && HasNone(fm.String("type")) {
		return task.Task{}, false
	}
	for _, item := range markdown.Shown(doc) {
		if item.Line == line {
			return task.OfLine(p, line, item.Mark, taskline.Parse(item.Text)), true
		}
	}
	return task.Task{}, false
}

// FormerIDs is the key of front matter with the ids of what other machines had made under the same name.
const FormerIDs = "former_ids"

// File is the task whose file a document is.
func File(p string, doc *markdown.Document) task.Task {
	t := task.Task{Path: p, Status: "todo", Title: cmp.Or(doc.Title(), strings.TrimSuffix(path.Base(p), ".md"))}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return t
	}
	t.ID, t.FormerIDs = fm.String("id"), fm.Strings(FormerIDs)
	t.Title, t.Status = cmp.Or(fm.String("title"), t.Title), cmp.Or(fm.String("status"), t.Status)
	t.Priority, t.Start, t.Due = fm.String("priority"), fm.String("start"), fm.String("due")
	t.Scheduled, t.Done, t.Created, t.Duration = fm.String("scheduled"), fm.String("completed"), task.Day(fm.String("created")), fm.String("duration")
	t.Tags = fm.Strings("tags")
	return t
}
