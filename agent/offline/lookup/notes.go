package lookup

import (
	"cmp"
	"fmt"
	"strings"

	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/offline/where"
	"kist/agent/passage"
)

// mostNotes is how many documents are told by name, as many as one search gives.
const mostNotes = 20

// ListNotes tells which documents there are, or how many.
func (t *Finder) ListNotes(m interpret.Meaning) {
	l, _ := queries.Notes(m.Clause.Src, m.Clause.All)
	query := cmp.Or(placed(l.Place), "path:*")
	about := strings.Join(language.ContentWords(language.Tokenize(l.About)), " ")
	if about != "" {
		query = strings.TrimSpace(about + " " + placed(l.Place))
	}
	if l.Noun == queries.Conversations {
		t.searchSaid(about)
		return
	}
	query += " -type:conversation -type:session -type:draft" // which kist keeps for itself
	if l.Noun == "notes" && len(l.Place.Tags) == 0 {
		query += " -type:project -type:task -type:memory" // which have lists of their own
	}
	a := t.Act(nil)
	w := a.Want("search", map[string]any{"query": language.Limit(query, MaxQuery), "limit": mostNotes})
	a.Then = func() {
		if !t.Failed(w) {
			t.speakNotes(l, turn.Objects(w.Result.Result, "hits"), turn.Num(w.Result.Result, "total"))
			if notice := turn.Str(w.Result.Result, "notice"); notice != "" {
				t.Say("(%s.)", language.Capital(notice))
			}
		}
	}
}

// searchSaid tells what was said of something in earlier conversations, which other searches
// put behind all else.
func (t *Finder) searchSaid(about string) {
	if about == "" {
		t.Nothing("What shall I look for in our conversations?")
		return
	}
	a := t.Act(nil)
	w := a.Want("search", map[string]any{"query": language.Limit(about, MaxQuery), "type": "conversation", "limit": mostNotes})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		var lines []string
		for _, hit := range turn.Objects(w.Result.Result, "hits") {
			said := strings.TrimPrefix(turn.Str(hit, "excerpt"), "> ")
			first, _, _ := strings.Cut(said, "\n")
			if l, asks := queries.Notes(first, language.Tokenize(first)); asks && l.Noun == queries.Conversations {
				continue // somebody looked for it before
			}
			lines = append(lines, fmt.Sprintf("“%s” (%s:%d)", language.Limit(strings.Join(strings.Fields(said), " "), 200), turn.Str(hit, "path"), turn.Num(hit, "line")))
		}
		if len(lines) == 0 {
			t.Nothing("I found nothing about “%s” in our conversations.", about)
			return
		}
		t.Bullets(fmt.Sprintf("About “%s” in our conversations:", about), lines)
	}
}

// placed is a place in the words of a search.
func placed(p where.Place) string {
	var out []string
	for _, tag := range p.Tags {
		out = append(out, "tag:"+tag)
	}
	if at := p.Path; at != "" {
		if !strings.HasSuffix(at, ".md") {
			at += "/"
		}
		if strings.Contains(at, " ") {
			at = `"` + at + `"`
		}
		out = append(out, "path:"+at)
	}
	return strings.Join(out, " ")
}

func (t *Finder) speakNotes(l queries.Listing, hits []map[string]any, total int) {
	noun, about := l.Noun, ""
	if noun == "vault" {
		noun = "documents"
	}
	if l.About != "" {
		about = " about “" + l.About + "”"
	}
	if l.Place.Any() {
		about += " " + strings.Join(l.Place.Said(), ", ")
	}
	count := fmt.Sprintf("%d %s%s", total, noun, about)
	if total == 1 {
		count = "1 " + strings.TrimSuffix(noun, "s") + about
	}
	var projects []string
	for _, p := range t.Situation.Projects {
		projects = append(projects, "**"+refer.Apart(t.Situation.Projects, p)+"**")
	}
	if l.Noun == "vault" && len(projects) > 0 {
		t.Bullets("Your projects:", projects[:min(len(projects), turn.MaxSpoken)])
	}
	switch {
	case total == 0:
		t.Say("There are no %s%s.", noun, about)
	case l.Count:
		t.Say("There %s %s.", map[bool]string{true: "is", false: "are"}[total == 1], count)
	case about == "" && total > mostNotes:
		t.Say("There are %s. Ask me about what is in them, or which are about something: “which notes are about bread?”", count)
	default:
		var lines []string
		for _, hit := range hits {
			lines = append(lines, fmt.Sprintf("%s (%s)", turn.Str(hit, "title"), turn.Str(hit, "path")))
		}
		t.Say("%s:\n- %s", count, strings.Join(lines, "\n- "))
		if total > len(hits) {
			t.Say("And %d more.", total-len(hits))
		}
	}
}

// mostTold is how many passages of a document are told that was asked for as a whole.
const mostTold = 5

// contents tells what a document says that is named by its path, name or alias, where
// nothing else answers: also one that the user's settings leave out of answers.
func (t *Finder) contents(name string) bool {
	if name == "" {
		return false
	}
	res, ok := t.More("read_document", map[string]any{"path": language.Limit(name, MaxQuery), "from": 1, "lines": 200})
	if !ok || !res.OK {
		return !ok // and is answered when it was read
	}
	d := documentOf(res.Result)
	_, list := passage.Read(d.Lines, 1)
	if len(list) == 0 {
		t.Say("There is no text in %s.", d.Path)
		return true
	}
	var lines []string
	for _, p := range list[:min(len(list), mostTold)] {
		lines = append(lines, fmt.Sprintf("“%s” (%s:%d)", language.Limit(p.Text, passage.Longest), d.Path, p.Line))
	}
	t.Bullets("What "+d.Path+" says:", lines)
	if more := len(list) - len(lines); more > 0 {
		t.Say("And %d more of its passages.", more)
	}
	return true
}
