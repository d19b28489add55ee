package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"kist/agent/effort"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// Run audits the project of that slug as of now. It returns ErrNotFound of package
// vault for one that isn't there; a task that can't be read becomes a finding.
func Run(ctx context.Context, v *vault.Vault, slug string, now time.Time) (Report, error) {
	m, err := read(ctx, v, slug, now)
	if err != nil {
		return Report{}, fmt.Errorf("audit %q: %w", slug, err)
	}
	return m.report(), nil
}

// A line is one line of text in a section, outside of code, comments and front
// matter.
type line struct {
	n       int
	text    string   // without markers of lists and blanks around
	item    bool     // starts a list item
	indent  int      // of a list item: how deep its marker is
	box     byte     // of a list item with a checkbox: its mark
	section []string // folded headings that it is below, without the document's title
	intro   bool     // before the first heading below the title
	low     string   // text in lower case, for a quick look before an expression is tried
	blank   bool     // says nothing: TBD and the like
}

// has says that a line has one of these words in it, given in lower case.
func (l line) has(words ...string) bool {
	for _, w := range words {
		if strings.Contains(l.low, w) {
			return true
		}
	}
	return false
}

// A file is one Markdown file, cut into what the checks look at.
type file struct {
	path  string
	doc   *markdown.Document
	front *markdown.FrontMatter
	fault error // of the front matter
	lines []line
	task  bool // a task file
	over  int  // from which line on it wasn't read; 0: all was
}

// say is evidence of a line that was read already.
func (f *file) say(l line) Evidence { return Evidence{f.path, l.n, plain(l.text)} }

// key is evidence of a front-matter key.
func (f *file) key(names ...string) (string, Evidence) {
	if f.front == nil {
		return "", Evidence{f.path, 1, ""}
	}
	for _, name := range names {
		text := strings.TrimSpace(f.front.String(name))
		if text == "" {
			continue
		}
		for _, p := range f.front.Keys() {
			if p.Key == name {
				return text, Evidence{f.path, p.Line, plain(name + ": " + text)}
			}
		}
	}
	return "", Evidence{f.path, 1, ""}
}

// A task is a task file or a checkbox with what its file says.
type task struct {
	entity.Task
	file       *file
	owner      string
	start, due day
	hours      float64
	cost       amount
	at         Evidence
}

// A material is all that an audit looks at.
type material struct {
	slug, name, status string
	today              day
	project            *file
	files              []*file // all, the project's own first
	tasks              []task
	unread             []Evidence // files that can't be read
	active             day        // when something last happened; 0: not known
	missing            []broken   // links that lead nowhere
	found              []Finding
	good               []Strength
}

func (m *material) add(f Finding) { m.found = append(m.found, f) }

func (m *material) praise(text string, at Evidence) {
	m.good = append(m.good, Strength{text, at})
}

// live says that the project is being worked on.
func (m *material) live() bool { return m.status != "completed" && m.status != "archived" }

const (
	maxLine  = 2000   // bytes of a line that are looked at
	maxLines = 20_000 // lines with text in a file
)

func read(ctx context.Context, v *vault.Vault, slug string, now time.Time) (*material, error) {
	tasks, err := entity.Tasks(ctx, v, slug)
	if err == nil && slug == "" {
		err = &vault.NotFoundError{Kind: "project", Ref: slug}
	}
	if err != nil {
		return nil, err
	}
	at := v.ProjectPath(slug)
	dir := path.Dir(at)
	doc, err := v.Document(at)
	if err != nil {
		return nil, err
	}
	m := &material{slug: slug, today: dayOf(now.UTC())}
	m.project = newFile(at, doc)
	name, _ := m.project.key("name")
	status, _ := m.project.key("status")
	m.name, m.status = cmp.Or(name, doc.Title(), slug), strings.ToLower(cmp.Or(status, "active"))
	if _, ok := v.PlacedAt(at); ok {
		p, err := entity.FindProject(ctx, v, slug)
		if err != nil {
			return nil, err
		}
		m.name, m.status = p.Name, p.Status
	}
	m.files = []*file{m.project}
	known := map[string]*file{m.project.path: m.project}
	for _, t := range tasks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := known[t.Path]
		if f == nil {
			doc, err := v.Document(t.Path)
			if err != nil {
				m.unread = append(m.unread, Evidence{t.Path, 1, plain(err.Error())})
				continue
			}
			f = newFile(t.Path, doc)
			known[t.Path] = f
			m.files = append(m.files, f)
		}
		m.tasks = append(m.tasks, newTask(t, f))
	}
	if err := m.lastActive(ctx, v, known); err != nil {
		return nil, err
	}
	if err := m.checkLinks(ctx, v, dir); err != nil {
		return nil, err
	}
	return m, nil
}

// lastActive finds when something last happened in the project: by the operation
// log and the conversations, or, where the log knows nothing, by the files' times.
func (m *material) lastActive(ctx context.Context, v *vault.Vault, known map[string]*file) error {
	ops, err := v.Operations(ctx, vault.Filter{Project: m.slug, Status: vault.StatusCompleted, Limit: 1})
	if err != nil {
		return err
	}
	for _, op := range ops {
		m.active = dayOf(op.At.UTC())
	}
	if len(ops) == 0 {
		for p := range known {
			info, err := v.Stat(p)
			if err == nil {
				m.active = max(m.active, dayOf(info.ModTime.UTC()))
			}
		}
	}
	turns, err := conversation.RecentTurns(ctx, v, m.slug, 1)
	if err != nil && !errors.Is(err, vault.ErrNotFound) {
		return err
	}
	for _, t := range turns {
		m.active = max(m.active, dayOf(t.At.UTC()))
	}
	return nil
}

func newFile(p string, doc *markdown.Document) *file {
	f := &file{path: p, doc: doc}
	f.front, f.fault = doc.FrontMatter()
	if f.fault != nil {
		f.front = nil
	}
	titled := false
	for _, s := range doc.Sections() {
		if len(f.lines) >= maxLines {
			f.over = s.Line
			break
		}
		titled = titled || s.Level == 1
		headings := s.Path
		if titled {
			headings = headings[1:]
		}
		headings = slices.Clone(headings)
		for i, h := range headings {
			headings[i] = fold(h)
		}
		n := s.Line
		if s.Level > 0 {
			n += bytes.Count(doc.Source()[s.Start:s.ContentStart], []byte("\n"))
		}
		lines := cutLines(doc.Source()[s.ContentStart:s.End], n, headings)
		if room := maxLines - len(f.lines); len(lines) > room {
			f.over = lines[room].n
			lines = lines[:room]
		}
		f.lines = append(f.lines, lines...)
	}
	return f
}

// cutLines reads the lines of a section from number n on.
func cutLines(text []byte, n int, section []string) []line {
	var out []line
	fence, comment := "", false
	for raw := range bytes.Lines(text) {
		l := line{n: n, section: section, intro: len(section) == 0}
		n++
		s := strings.ToValidUTF8(string(raw[:min(len(raw), maxLine)]), "")
		if s, fence, comment = visible(s, fence, comment); strings.TrimSpace(s) == "" {
			continue
		}
		l.indent = len(s) - len(strings.TrimLeft(s, " \t"))
		l.text = strings.TrimSpace(s)
		l.item, l.text = cutMarker(l.text)
		if l.item && len(l.text) >= 3 && l.text[0] == '[' && l.text[2] == ']' {
			l.box = l.text[1]
			l.text = strings.TrimSpace(l.text[3:])
		}
		if l.text != "" {
			l.low = strings.ToLower(l.text)
			l.blank = len(l.text) < 60 && placeholder().MatchString(l.text)
			out = append(out, l)
		}
	}
	return out
}

// visible cuts code blocks and comments out of a line.
func visible(s, fence string, comment bool) (string, string, bool) {
	trimmed := strings.TrimSpace(s)
	if fence != "" {
		if strings.HasPrefix(trimmed, fence) {
			fence = ""
		}
		return "", fence, false
	}
	for _, mark := range []string{"```", "~~~"} {
		if !comment && strings.HasPrefix(trimmed, mark) {
			return "", mark, false
		}
	}
	var b strings.Builder
	for s != "" {
		mark := "<!--"
		if comment {
			mark = "-->"
		}
		before, after, ok := strings.Cut(s, mark)
		if !comment {
			b.WriteString(before)
		}
		if !ok {
			break
		}
		comment, s = !comment, after
	}
	return b.String(), "", comment
}

// cutMarker cuts off the marker of a list item.
func cutMarker(s string) (bool, string) {
	if len(s) >= 2 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t') {
		return true, strings.TrimSpace(s[2:])
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < 10 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
		return true, strings.TrimSpace(s[digits+2:])
	}
	return false, s
}

func newTask(t entity.Task, f *file) task {
	out := task{Task: t, file: f, at: Evidence{t.Path, max(t.Line, 1), plain(t.Title)}}
	out.start, out.due = parseDay(t.Start), parseDay(t.Due)
	if isBoxed(out) {
		return out
	}
	if _, at := f.key("title"); at.Text != "" {
		out.at.Line = at.Line
	}
	f.task = true
	out.owner, _ = f.key("owner", "assignee", "assigned_to", "responsible")
	out.hours, _ = effort.Hours(t.Duration)
	cost, _ := f.key("cost", "price")
	out.cost = firstAmount(cost)
	return out
}

// open says that a task is still to be done; words that kist doesn't know as a
// status count as open.
func (t task) open() bool {
	switch strings.ToLower(t.Status) {
	case "done", "cancelled", "canceled", "completed", "complete", "finished", "closed", "abandoned", "dropped":
		return false
	}
	return true
}

func (t task) done() bool {
	return !t.open() && !strings.HasPrefix(strings.ToLower(t.Status), "cancel") && t.Status != "abandoned" && t.Status != "dropped"
}

// under says whether a line is in a section, or below one, of such a name.
func (l line) under(name func(string) bool) bool {
	for _, s := range l.section {
		if name(s) {
			return true
		}
	}
	return false
}

// fold makes headings and titles comparable: lower case, words alone, "and" for "&".
func fold(s string) string {
	var b strings.Builder
	word := false
	for _, r := range strings.ToLower(s) {
		switch {
		case r == '&':
			b.WriteString(" and ")
			word = false
		case r == '\'' || r == '’':
		case isWord(r):
			b.WriteRune(r)
			word = true
		case word:
			b.WriteByte(' ')
			word = false
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
