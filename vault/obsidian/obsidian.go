/*
Package obsidian reads what Obsidian's settings say of a vault: which documents its user
leaves out, which are templates, and where a day's note lies. [Parse] is given the files'
texts, which may be anything: what can't be read says nothing, and is named ([Settings.Unread]).
Nothing is ever written.
*/
package obsidian

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Folder is where Obsidian keeps a vault's settings.
const Folder = ".obsidian"

// Files are those of the settings' folder that are read.
func Files() []string {
	return []string{"app.json", "templates.json", "daily-notes.json", templater, periodic, enabled}
}

// Where the plugins of these names have their settings, and which plugins are in use.
const (
	templater = "plugins/templater-obsidian/data.json"
	periodic  = "plugins/periodic-notes/data.json"
	enabled   = "community-plugins.json"
)

// Settings are those that kist goes by; the zero value is that of a vault without any.
type Settings struct {
	Templates []string // folders
	Daily     Daily
	Unread    []Unread
	leftOut   []filter
}

// An Unread is what stands in the settings and can't be read, so that it says nothing.
type Unread struct {
	File string // below [Folder]
	What string
}

// A filter is one of the user's excluded files: the beginning of a path, or a pattern, but for
// paths that have another one.
type filter struct {
	prefix  string
	pattern *regexp.Regexp
	but     *regexp.Regexp // may be nil
}

func (f filter) match(p string) bool {
	if f.pattern == nil {
		return strings.HasPrefix(p, f.prefix)
	}
	return f.pattern.MatchString(p) && (f.but == nil || !f.but.MatchString(p))
}

const (
	maxFilters = 200
	maxPattern = 500 // bytes
)

// Parse reads the settings. read returns a file of the settings' folder, nil where there
// is none.
func Parse(read func(name string) []byte) Settings {
	var app struct {
		UserIgnoreFilters []string `json:"userIgnoreFilters"`
	}
	var s Settings
	parse := func(name string, into any) bool {
		text := read(name)
		if text == nil {
			return false
		}
		err := json.Unmarshal(text, into)
		if err != nil {
			s.Unread = append(s.Unread, Unread{name, "it is no JSON, or not what it is for (" + err.Error() + ")"})
		}
		return err == nil
	}
	if parse("app.json", &app) {
		if n := len(app.UserIgnoreFilters); n > maxFilters {
			s.Unread = append(s.Unread, Unread{"app.json", fmt.Sprintf("of %d excluded files the first %d count", n, maxFilters)})
		}
		for _, f := range app.UserIgnoreFilters[:min(len(app.UserIgnoreFilters), maxFilters)] {
			s.leaveOut(f)
		}
	}
	for _, name := range []string{"templates.json", templater} {
		var templates struct {
			Folder    string `json:"folder"`
			Templater string `json:"templates_folder"`
		}
		if !parse(name, &templates) {
			continue
		}
		if folder := within(cmp.Or(templates.Folder, templates.Templater)); folder != "" {
			s.Templates = append(s.Templates, folder)
		}
	}
	var daily Daily
	if parse("daily-notes.json", &daily) {
		s.Daily = daily.within()
	}
	var notes struct {
		Daily struct {
			Daily
			Enabled bool `json:"enabled"`
		} `json:"daily"`
	}
	if parse(periodic, &notes) && notes.Daily.Enabled && inUse(read, "periodic-notes") {
		s.Daily = notes.Daily.within() // the plugin's go before Obsidian's own
	}
	return s
}

// inUse reports whether a plugin isn't switched off.
func inUse(read func(name string) []byte, plugin string) bool {
	var list []string
	return json.Unmarshal(read(enabled), &list) != nil || slices.Contains(list, plugin)
}

// within is a path in the vault; empty for what leads elsewhere.
func within(p string) string {
	p = strings.Trim(strings.TrimSpace(p), "/")
	if c := path.Clean(p); p == "" || c == "." || c == ".." || strings.HasPrefix(c, "../") || strings.ContainsAny(p, "\\\x00\n\r") {
		return ""
	}
	return path.Clean(p)
}

// leaveOut takes in one filter. Between slashes stands a regular expression; Go's take no
// time that grows out of hand, and what only JavaScript knows says nothing.
func (s *Settings) leaveOut(f string) {
	if len(f) > maxPattern {
		s.Unread = append(s.Unread, Unread{"app.json", fmt.Sprintf("the excluded file %.40q... is over %d bytes", f, maxPattern)})
	}
	if len(f) > maxPattern || f == "" || f == "/" {
		return
	}
	if len(f) > 2 && f[0] == '/' && f[len(f)-1] == '/' {
		if p, ok := newPattern(f[1 : len(f)-1]); ok {
			s.leftOut = append(s.leftOut, p)
		} else {
			s.Unread = append(s.Unread, Unread{"app.json", fmt.Sprintf("the excluded file %q is a pattern that only JavaScript knows", f)})
		}
		return
	}
	s.leftOut = append(s.leftOut, filter{prefix: strings.TrimPrefix(f, "/")})
}

// newPattern reads a regular expression, also one that begins with "^(?!...)", as people write
// it to leave all but one folder; false: only JavaScript knows what it means.
func newPattern(text string) (f filter, ok bool) {
	var err error
	if inner, ahead := strings.CutPrefix(text, "^(?!"); ahead {
		not, rest, whole := closed(inner)
		if f.but, err = regexp.Compile("^(?:" + not + ")"); err != nil || !whole {
			return f, false
		}
		text = "^" + rest
	}
	f.pattern, err = regexp.Compile(text)
	return f, err == nil
}

// closed cuts a pattern at the parenthesis that closes a group opened before it; false: there is
// none, or the rest has alternatives, of which the group would be in the first only.
func closed(text string) (inner, rest string, ok bool) {
	depth, end, class := 0, -1, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\':
			i++
		case class || b == '[':
			class = b != ']'
		case b == '(':
			depth++
		case b == ')' && depth == 0 && end < 0:
			end = i
		case b == ')':
			depth--
		case b == '|' && depth == 0 && end >= 0:
			return "", "", false
		}
	}
	if end < 0 {
		return "", "", false
	}
	return text[:end], text[end+1:], true
}

// LeavesAnythingOut reports whether there can be such a document as LeavesOut tells of.
func (s Settings) LeavesAnythingOut() bool {
	return len(s.Templates) > 0 || s.Daily.Template != "" || len(s.leftOut) > 0
}

// LeavesOut reports whether a document is one that the user excluded, or a template.
func (s Settings) LeavesOut(p string) bool {
	if slices.ContainsFunc(s.Templates, func(folder string) bool { return strings.HasPrefix(p, folder+"/") }) || s.Daily.Template != "" && strings.TrimSuffix(p, ".md") == strings.TrimSuffix(s.Daily.Template, ".md") {
		return true
	}
	return slices.ContainsFunc(s.leftOut, func(f filter) bool { return f.match(p) })
}
