// Package thread tells what a message is about where a session goes back and forth between several
// matters: people seldom say so, but their words do.
package thread

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/recall"
	"kist/agent/tool"
	"kist/index"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// Outside stands for what a session told of outside of any project.
const Outside = "-"

const (
	toldTurns   = 40 // of each project, by which it is told whose a message is
	stacked     = 4  // projects that the session came from, the nearest
	settled     = 2  // turns in a project, from which on a message may lead out of it
	maxHead     = 6  // words within which a mark ends what heads a message
	foundWithin = 100 * time.Millisecond
	foundMost   = 12 // passages to tell by where something belongs
)

// A Session is a conversation as far as it matters for where a message belongs.
type Session struct {
	Vault  *vault.Vault
	Search tool.Searcher // nil: no search
	ID     string
	Here   string   // slug of the project at hand; empty: none
	Back   []string // where it was before, the nearest last
	Whole  string   // the one project that filing finds the message to be about; empty: none

	Projects []recall.ProjectRef
	Named    func(slug string) (entity.Project, bool)
}

// Of is the project of the session that a message is about by its words: its head or its subject is that one's name, or
// it has more words of what was said in it of late, and of what is found in its files, than of any
// other; [Outside] for what was told outside of any; else the one that the whole of it is about, if the
// session was there. Empty: that can't be told.
func (s Session) Of(ctx context.Context, text string) string {
	to := s.leads(ctx, text)
	if to == "" && slices.Contains(s.Back, s.Whole) {
		return s.Whole
	}
	return to
}

// leads is [Session.Of] by the session's own words.
func (s Session) leads(ctx context.Context, text string) string {
	if len(s.Back) == 0 && s.Here == "" || extract.Courteous(text) {
		return ""
	}
	back := s.Back[max(0, len(s.Back)-stacked):]
	for _, p := range s.Projects {
		if slices.Contains(back, p.Slug) && (headed(text, p.Name) || begins(text, p.Name)) {
			return p.Slug
		}
		if recall.Names(text, p.Name) {
			return "" // it says itself where it belongs
		}
	}
	told, turns := s.said(ctx, s.Here)
	if turns < settled && s.Here != "" {
		return "" // what follows when a project was opened tells of that
	}
	of := append(slices.Clone(back), "")
	for _, slug := range of {
		if p, ok := s.Named(slug); slug != s.Here && (slug == "" || ok && p.Status != "archived") {
			others, _ := s.said(ctx, slug)
			told = append(told, others...)
		}
	}
	for _, w := range Found(ctx, s.Search, text) {
		if w.Project == s.Here || slices.Contains(of, w.Project) {
			told = append(told, w.Writing)
		}
	}
	return recall.Leads(text, cmp.Or(s.Here, Outside), told)
}

// headed: a text begins with a name and a mark: "test: ...", "test - ...", "Now the test. ...".
func headed(text, name string) bool {
	head, _, parted := strings.Cut(strings.NewReplacer(" - ", ":", ". ", ":").Replace(text), ":")
	return parted && len(strings.Fields(head)) <= maxHead && recall.Names(head, name)
}

// begins: a text tells, from its first word on, what a thing is that has that name: "my driving test is on the 4th".
func begins(text, name string) bool {
	toks, own := language.Inner(language.SkipOpeners(language.Tokenize(text))), language.Tokenize(name)
	if len(own) == 0 || len(toks) <= len(own) || !toks[len(own)].Word && toks[len(own)].Norm != "-" || toks[len(own)].Word && !language.Fits(toks[len(own)], "<aux>|is|are|was|were|has|have") {
		return false
	}
	return slices.EqualFunc(toks[:len(own)], own, func(a, b language.Token) bool { return a.Norm == b.Norm })
}

// said is what the user told or ordered of late in a project, with its name; outside of any only
// what was said in this session. turns: how many messages that is of.
func (s Session) said(ctx context.Context, project string) (out []recall.Writing, turns int) {
	of := cmp.Or(project, Outside)
	if p, ok := s.Named(project); ok {
		out = append(out, recall.Writing{Project: of, Text: p.Name})
	}
	past, err := conversation.RecentTurns(ctx, s.Vault, project, toldTurns)
	if err != nil {
		return nil, 0 // then nothing speaks for it
	}
	for _, turn := range past {
		if project == "" && turn.Session != s.ID {
			continue
		}
		turns++
		for _, each := range extract.Sentences(turn.User) {
			if each.Kind == extract.Statement || each.Kind == extract.Command {
				out = append(out, recall.Writing{Project: of, Text: each.Text})
			}
		}
	}
	return out, turns
}

// A Passage is what a search found in a project's file.
type Passage struct {
	recall.Writing
	Path string
}

// Found are passages of projects' files that have words of a text.
func Found(ctx context.Context, search tool.Searcher, text string) (found []Passage) {
	var words []string
	for _, tok := range language.Tokenize(text) {
		if tok.Word && !language.Light(tok.Norm) {
			words = append(words, tok.Norm)
		}
	}
	if search == nil || len(words) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, foundWithin)
	defer cancel()
	res, err := search.Search(ctx, index.Query{Text: strings.Join(words, " "), Limit: foundMost})
	if err != nil {
		return nil // it stays where it was told
	}
	for _, h := range res.Hits {
		if h.Type != "conversation" && h.Project != "" {
			found = append(found, Passage{recall.Writing{Project: h.Project, Text: h.Title + "\n" + h.Excerpt}, h.Path})
		}
	}
	return found
}
