package assist

import (
	"cmp"
	"slices"
	"strings"
)

// known is what kist itself reads in front matter.
type known struct {
	key    string
	types  []string // of documents that have it; none: all
	values []string
	about  string
}

// knownKeys are the keys with a meaning, in the order in which they are offered.
func knownKeys() []known {
	return []known{
		{key: "type", values: []string{"project", "task", "draft", "memory", "note", "person"}, about: "what the document is"},
		{key: "status", types: []string{"project"}, values: []string{"active", "completed", "archived"}, about: "where the project stands"},
		{key: "status", types: []string{"task"}, values: []string{"backlog", "todo", "in_progress", "done", "cancelled"}, about: "where the task stands"},
		{key: "status", types: []string{"draft"}, values: []string{"in_progress", "completed", "abandoned"}, about: "where the draft stands"},
		{key: "priority", types: []string{"project", "task"}, values: []string{"low", "medium", "high", "urgent"}, about: "how much it matters"},
		{key: "tags", about: "a list of tags"},
		{key: "aliases", about: "other names that links may use"},
		{key: "name", types: []string{"project", "draft"}, about: "what it is called"},
		{key: "title", about: "what it is called"},
		{key: "project", types: []string{"task", "note", "memory"}, about: "the project that it belongs to"},
		{key: "start", types: []string{"project", "task"}, about: "a date"},
		{key: "due", types: []string{"project", "task"}, about: "a date"},
		{key: "created", about: "a date"},
		{key: "links", types: []string{"project"}, about: "what the project has to do with"},
	}
}

func (k known) of(typ string) bool { return len(k.types) == 0 || slices.Contains(k.types, typ) }

// typeOf is the type of the document that is asked about.
func (o *open) typeOf() string {
	if e := o.Entry(o.path); e != nil {
		return e.Type
	}
	return ""
}

func (o *open) keys(prefix string) (list []Candidate) {
	typ, have := o.typeOf(), map[string]bool{}
	if o.doc != nil {
		if front, err := o.doc.FrontMatter(); err == nil && front != nil {
			for _, p := range front.Keys() {
				have[p.Key] = p.Key != prefix
			}
		}
	}
	add := func(key, detail string) {
		if !have[key] && strings.HasPrefix(strings.ToLower(key), strings.ToLower(prefix)) {
			have[key] = true
			list = append(list, Candidate{Text: key + ": ", Label: key, Detail: detail})
		}
	}
	for _, k := range knownKeys() {
		if k.of(typ) {
			add(k.key, k.about)
		}
	}
	used := o.Keys()
	var others []string
	for key := range used {
		others = append(others, key)
	}
	slices.SortFunc(others, func(a, b string) int { return cmp.Or(used[b]-used[a], strings.Compare(a, b)) })
	for _, key := range others {
		add(key, count(used[key], "document"))
	}
	return list
}

func (o *open) values(b Blank) (list []Candidate) {
	switch b.Of {
	case "tags", "tag":
		return o.tags(b.Prefix)
	case "project":
		return o.projects(b.Prefix)
	case "due", "start", "created", "date", "deadline", "scheduled", "target_date", "end_date":
		return dates(o.desk.Vault.Now(), b.Prefix)
	}
	add := func(v, detail string) {
		if strings.HasPrefix(v, strings.ToLower(b.Prefix)) {
			list = append(list, Candidate{Text: v, Label: v, Detail: detail})
		}
	}
	for _, k := range knownKeys() {
		if k.key == b.Of && k.of(o.typeOf()) {
			for _, v := range k.values {
				add(v, k.about)
			}
		}
	}
	if b.Of == "type" {
		seen := map[string]bool{}
		for e := range o.Each() {
			if e.Type != "" && !seen[e.Type] && !slices.ContainsFunc(list, func(c Candidate) bool { return c.Text == e.Type }) {
				seen[e.Type] = true
			}
		}
		var more []string
		for t := range seen {
			more = append(more, t)
		}
		slices.Sort(more)
		for _, t := range more {
			add(t, "used in this vault")
		}
	}
	return list
}
