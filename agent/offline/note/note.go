// Package note reads an order about one note as a whole, that lies somewhere in the vault under
// a name: to rename, move or delete it, or to add a task or a line to it. It sees words alone:
// whether there is such a note is for others to find.
package note

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed en.txt
var text string

// What is ordered.
const (
	Rename = "rename"
	Move   = "move"
	Delete = "delete"
	Task   = "task"
	Line   = "line"
	List   = "list"
)

// An Order is what is to become of a note.
type Order struct {
	What string
	Note string // its name or path, as it was said
	To   string // the new name; of Move a folder, with / behind it; of Task and Line the text, of List the words for tasks
	// Sure: it was said to be a note, by that word, as a link or by its path.
	Sure bool
	// Folder: what it is to be moved to was said to be one.
	Folder bool
}

var forms = sync.OnceValue(func() []language.Form { return language.Forms(text) })

// longest is how many tokens name a note, or what it is to be called, at most.
const longest = 12

// Read reads the order that a message is, and nothing else; of several ways to read it, first
// the one that says of what it names that it is a note.
func Read(said string) (Order, bool) {
	toks := language.SkipAsking(language.Tokenize(said))
	for len(toks) > 0 && !toks[len(toks)-1].Quoted && language.In(".|,|!|?|please|bitte", toks[len(toks)-1].Norm) {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 {
		return Order{}, false
	}
	for _, f := range forms() {
		filled, ok := f.Fill(toks, func(place string, toks []language.Token) bool { return fits(said, place, toks) })
		if !ok {
			continue
		}
		o := Order{What: f.What}
		for place, toks := range filled.Places {
			switch place {
			case "note", "path", "bare":
				o.Note, o.Sure = name(said, toks), place != "bare"
			case "folder":
				o.To, o.Folder = folder(said, toks)
			case "name":
				o.To = name(said, toks)
			case "tasks":
				o.To = said[toks[0].Start:toks[len(toks)-1].End]
			default:
				o.To = language.Unwrap(strings.TrimSpace(said[toks[0].Start:])) // with the mark at its end
			}
		}
		if o.What == List && !o.Sure && language.In("progress|the|my|our|total|order|which|what|time|general", strings.ToLower(strings.Fields(o.Note)[0])) {
			continue
		}
		if o.What == Move && !o.Sure && !o.Folder {
			continue // "move the pond to Friday"
		}
		return o, true
	}
	return Order{}, false
}

// fits: what stands in a place can be what it is for.
func fits(said, place string, toks []language.Token) bool {
	if place == "text" {
		return language.HasWord(toks)
	}
	spelt := said[toks[0].Start:toks[len(toks)-1].End]
	switch {
	case len(toks) > longest || !language.HasWord(toks) || strings.Contains(spelt, "\n"):
		return false
	case place == "path":
		return strings.HasPrefix(spelt, "[[") && strings.HasSuffix(spelt, "]]") || strings.HasSuffix(strings.ToLower(spelt), ".md")
	case place == "note", place == "bare":
		return !about(toks)
	case place == "tasks":
		return !language.Has(toks, ":|;|,|.|except|but|excluding|besides") && !language.Begins(toks, "add|put|make|create|write|move|new") && language.Has(toks, "<taskword>") || language.Begins(toks, "what|which is|are") && language.Has(toks, "open|due|overdue|left|undone|unfinished")
	}
	return true
}

// about: words say what a note is about, or point to one, and aren't its name.
func about(toks []language.Token) bool {
	if toks[0].Quoted {
		return false
	}
	if language.Has(toks, "<projectword>|<taskword>") || language.In("to|as|into|in|on", toks[0].Norm) {
		return true
	}
	return language.Begins(toks, "about|on|of|that|which|from|saying|with|i|you|we|it|this|these|those|last|latest|first|all|every|each|both|some|any|a|an|today's|yesterday's|tomorrow's|daily|called|named|titled") && len(toks) > 1 ||
		slices.ContainsFunc(toks, func(t language.Token) bool { return !t.Quoted && language.In(":|;|?|!", t.Norm) }) ||
		len(toks) == 1 && language.In("it|this|that|one|ones|daily|today|last", toks[0].Norm)
}

// name is what tokens name, without what quotes it or makes a link of it.
func name(said string, toks []language.Token) string {
	spelt := strings.Trim(said[toks[0].Start:toks[len(toks)-1].End], "\"'“”„‘’` ")
	if inner, ok := strings.CutPrefix(spelt, "[["); ok {
		spelt, _, _ = strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
	}
	if end := toks[len(toks)-1].End; strings.HasPrefix(said[end:], ".md") {
		spelt += ".md"
	}
	return strings.TrimSpace(spelt)
}

// folder is the folder that tokens name, with / behind it; sure: it was said to be one.
func folder(said string, toks []language.Token) (dir string, sure bool) {
	if last := len(toks) - 1; last > 0 && language.In("folder|directory", toks[last].Norm) {
		sure, toks = true, toks[:last]
	}
	if at := toks[0].Start; at > 0 {
		before := strings.Fields(strings.ToLower(said[:at]))
		sure = sure || len(before) > 0 && language.In("folder|directory", before[len(before)-1])
	}
	spelt := name(said, toks)
	sure = sure || strings.Contains(spelt, "/") || strings.HasPrefix(said[toks[len(toks)-1].End:], "/")
	return strings.Trim(spelt, "/") + "/", sure
}
