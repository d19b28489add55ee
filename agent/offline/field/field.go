// Package field reads an order about one field of a task that is there: which field, of which
// task, and what it is to be. Its words are in en.txt.
package field

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/todo"
	"kist/agent/offline/value"
)

//go:embed en.txt
var text string

// An Order says what a field is to be. The zero Order is none.
type Order struct {
	Name  string // due, scheduled, start, priority, repeat or tag
	Value string // a day as 2026-12-31, low to urgent, a rule, a tag with its #; of a tag that goes, too, where it is named
	Clear bool   // the field, or the tag, goes
}

// form is one way to give an order.
type form struct {
	clear bool
	language.Template
}

// words are the lines of the file: the forms of orders, and what each field is called.
var words = sync.OnceValues(func() (forms []form, names map[string][]string) {
	names = map[string][]string{}
	for head, line := range language.Lists(text) {
		if head == "clear" || head == "set" {
			forms = append(forms, form{head == "clear", language.NewTemplate(line)})
		} else {
			names[head] = strings.Split(line, ";")
		}
	}
	return forms, names
})

// longest is how many tokens an order has at most.
const longest = 30

// Read is what the tokens of a clause of src, and nothing else in them, order of a field, and
// the words for the task that is meant. now is what days are counted from.
func Read(src string, toks []language.Token, now time.Time) (o Order, task []language.Token, ok bool) {
	if len(toks) > longest {
		return Order{}, nil, false
	}
	forms, _ := words()
	for _, f := range forms {
		fits := func(place string, toks []language.Token) bool {
			switch place {
			case "owner":
				_, ok := owner(src, toks)
				return ok
			case "level":
				return value.Only("priority", toks)
			case "field":
				name, _ := named(src, toks)
				return name != ""
			case "task":
				return len(language.ContentWords(language.TrimMarks(toks))) > 0
			}
			return language.HasWord(toks)
		}
		filled, ok := f.Fill(toks, fits)
		if !ok {
			continue
		}
		task, v := filled.Places["task"], slices.Concat(filled.Places["value"], filled.Places["level"])
		if of, ok := owner(src, filled.Places["owner"]); ok {
			task = of
		}
		o.Name, o.Value = named(src, filled.Places["field"])
		switch o.Clear = f.clear; {
		case o.Clear && o.Name == "": // its verb says it
			if o.Name = "tag"; filled.Places["level"] != nil {
				o.Name = "priority"
			}
			return o, task, true
		case o.Clear:
			return o, task, true
		case o.Name == "" || o.Value != "":
			o.Name, o.Value = named(src, v)
			if o.Name == "tag" && o.Value != "" {
				return o, task, true
			}
		default:
			if o.Value = read(o.Name, src, v, now); o.Value != "" {
				return o, task, true
			}
		}
	}
	return Order{}, nil, false
}

// owner are words without the 's that they end on.
func owner(src string, toks []language.Token) ([]language.Token, bool) {
	if len(toks) == 0 {
		return nil, false
	}
	toks = slices.Clone(toks)
	last := &toks[len(toks)-1]
	word, ok := strings.CutSuffix(last.Norm, "'s")
	if last.Norm = word; ok {
		last.End = last.Start + strings.LastIndexAny(src[last.Start:last.End], "'’")
	}
	return toks, ok && word != ""
}

// named is the field that words name, and the tag where they name one: "the due date", "tag #dig".
func named(src string, toks []language.Token) (name, tag string) {
	for len(toks) > 1 && language.Class("<det>", toks[0].Norm) {
		toks = toks[1:]
	}
	if len(toks) == 0 {
		return "", ""
	}
	_, names := words()
	said := src[toks[0].Start:toks[len(toks)-1].End]
	for name, calls := range names {
		for _, call := range calls {
			n, ok := language.Match(toks, call)
			if ok && n == len(toks) || strings.TrimSuffix(said, "\uFE0F") == call {
				return name, ""
			}
		}
	}
	at := strings.IndexByte(said, '#')
	rest := strings.TrimSpace(said[:max(at, 0)])
	if at < 0 || rest != "" && !slices.Contains(names["tag"], strings.ToLower(rest)) {
		return "", ""
	}
	tag, behind, _ := strings.Cut(said[at:], " ")
	if len(tag) < 2 || behind != "" && !slices.Contains(names["tag"], strings.ToLower(behind)) {
		return "", ""
	}
	return "tag", tag
}

// read is the value that words name for a field; empty: none.
func read(name, src string, toks []language.Token, now time.Time) string {
	switch name {
	case "priority":
		return value.Of("priority", toks)
	case "tag":
		_, tag := named(src, toks)
		return tag
	case "repeat":
		return strings.ToLower(language.Span(src, toks))
	}
	if d, ok := todo.DateIn(toks, now); ok {
		return language.ISODay(d.Day)
	}
	return ""
}

// Untagged is a title without a tag; of all its tags where none is given.
func Untagged(title, tag string) string {
	kept := strings.Fields(title)
	kept = slices.DeleteFunc(kept, func(w string) bool {
		return len(w) > 1 && w[0] == '#' && (tag == "" || strings.EqualFold(w, tag))
	})
	return strings.Join(kept, " ")
}
