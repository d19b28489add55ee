/*
Package brief writes what a language model is told beside the conversation: rules, which
stay the same from message to message, and what holds now, which goes with the user's
message. What comes from files is bounded, and quoted where it could pass for the text
around it. Nothing here reads or asks: a brief is a function of a situation and of the
room that there is for it.
*/
package brief

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/guide"
	"kist/agent/model"
	"kist/agent/prose"
)

// Room is what a brief takes at most, in tokens, where there is no less: a local model
// with a window of 8,192 keeps most of it for the conversation.
const Room = 3500

// What of a situation is told at most; half of it where there is little room.
const (
	Passage      = 600 // runes of one
	Memories     = 6
	SummaryRunes = 3000
	Idle         = 3
	// Described is how many projects are described: more don't fit the room.
	Described = 200

	drafts   = 5
	settled  = 5
	openKeys = 12
	passages = 1200 // tokens of all
	little   = 3000 // tokens: less room is little
)

// data is what a brief is made of.
type data struct {
	model.Situation
	Weekday, Date string
	Back          string // slug
	Projects      []model.Project
	More          int    // projects that the room left out
	Guide         string // what the session's mode adds
	Next          string // a question that a guided session may ask
	Shown         []model.Passage
}

// A Writer writes briefs. It is safe for concurrent use.
type Writer struct{ words }

// New fails on a mistake in the embedded words only.
func New() (*Writer, error) {
	w, err := readWords()
	if err != nil {
		return nil, fmt.Errorf("read prompts: %w", err)
	}
	return &Writer{w}, nil
}

// Write says what a model has to know. Passages of the vault are shown, and projects
// listed, until room tokens are used up; 0 is [Room], and more is not used.
func (w *Writer) Write(s model.Situation, room int) model.Brief {
	if room <= 0 || room > Room {
		room = Room
	}
	s = bounded(s, room)
	d := data{Situation: s, Weekday: s.Now.Weekday().String(), Date: s.Now.Format("2 January 2006"), Next: nextQuestion(s)}
	d.Projects = nil // listed below
	if n := len(s.Stack); n > 0 {
		d.Back = s.Stack[n-1].Slug
	}
	if strings.Contains(s.Mode, "_") { // the rules' own file has none in its name
		d.Guide = w.guide(d)
	}
	rules := model.Tokens(w.rules(d))
	left := min(passages, room-rules-model.Tokens(w.now(d)))
	for _, p := range s.Passages {
		p.Path, p.Heading, p.Text = prose.OneLine(p.Path, 300), prose.OneLine(p.Heading, 120), quoted(prose.Shorten(p.Text, Passage))
		if left -= model.Tokens(p.Path+p.Heading+p.Text) + 8; left < 0 {
			break
		}
		d.Shown = append(d.Shown, p)
	}
	now := strings.ReplaceAll(w.now(d), "</context", "< /context")
	left = room - rules - model.Tokens(now)
	for _, p := range s.Projects {
		p.Description = prose.OneLine(p.Description, 120)
		left -= model.Tokens(p.Slug+p.Name+p.Description) + 4
		if left < 0 {
			break
		}
		d.Projects = append(d.Projects, p)
	}
	d.More = len(s.Projects) - len(d.Projects)
	return model.Brief{Rules: w.rules(d), Now: now}
}

// bounded keeps what comes from files within the room, and in its place: a session,
// a draft or an operation may be anybody's, and of any size. Text of several lines is
// quoted, so that none of it looks like the instructions around it.
func bounded(s model.Situation, room int) model.Situation {
	share := 1
	if room < little {
		share = 2
	}
	s.Summary = quoted(prose.Shorten(s.Summary, SummaryRunes/share/share))
	s.Question.Text = prose.OneLine(s.Question.Text, 500/share)
	s.Memories = slices.Clone(s.Memories[:min(len(s.Memories), Memories/share)])
	for i := range s.Memories {
		s.Memories[i] = prose.OneLine(s.Memories[i], 300/share)
	}
	s.Settled = slices.Clone(s.Settled[:min(len(s.Settled), settled/share)])
	for i := range s.Settled {
		s.Settled[i].Reason, s.Settled[i].Error = prose.OneLine(s.Settled[i].Reason, 160/share), prose.OneLine(s.Settled[i].Error, 160/share)
	}
	s.Drafts = slices.Clone(s.Drafts[:min(len(s.Drafts), drafts/share)])
	for i := range s.Drafts {
		s.Drafts[i].Name = prose.OneLine(s.Drafts[i].Name, 100)
	}
	s.Idle = s.Idle[:min(len(s.Idle), Idle/share)]
	if s.Draft != nil {
		d := *s.Draft
		d.FollowUp = slices.Clone(d.FollowUp[:min(len(d.FollowUp), openKeys/share)])
		for i := range d.FollowUp {
			d.FollowUp[i] = prose.OneLine(d.FollowUp[i], 60)
		}
		s.Draft = &d
	}
	return s
}

// quoted marks each line of a text as such; one line that is no heading stays as it is.
func quoted(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\n\r\u2028") && !strings.HasPrefix(text, "#") {
		return text
	}
	return "> " + strings.NewReplacer("\r\n", "\n> ", "\n", "\n> ", "\r", "\n> ", "\u2028", "\n> ").Replace(text)
}

// nextQuestion is what the guide would ask now; empty: nothing.
func nextQuestion(s model.Situation) string {
	if s.Mode != "project_create" || s.Draft == nil {
		return ""
	}
	q, ok := guide.Next(guide.StateOf(s))
	if !ok {
		return ""
	}
	return q.Text
}
