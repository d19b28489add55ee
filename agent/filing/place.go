package filing

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/recall"
	"kist/agent/thread"
	"kist/vault/entity"
)

// What is told in one project may be about another one, which it names: "and Emily has
// found a flat", while the roof is talked about; or of whose people and things it tells.

// Elsewhere are the sentences of the message that are about no project, or about another one than
// that at hand, each with its slug; [outside] for none.
func (t *Turn) Elsewhere(ctx context.Context) map[string]string {
	if t.Mode != general || len(t.Projects) == 0 || extract.IsDump(t.Text) {
		return nil
	}
	var told []string
	for _, s := range extract.Sentences(t.Text) {
		if s.Kind != extract.Question {
			told = append(told, s.Text)
		}
	}
	var out map[string]string
	for i, place := range t.placesOf(ctx, told, t.Project) {
		if place == t.Project {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[told[i]] = cmp.Or(place, outside)
	}
	return out
}

// Whole is the one other project that what a message tells is about, of which elsewhere knows: the most
// of its words, and of no third. Empty: there is none, or the message orders something.
func Whole(text string, elsewhere map[string]string) (slug string) {
	there, all := 0, 0
	for _, s := range extract.Sentences(text) {
		words := len(strings.Fields(s.Text))
		all += words
		switch place := elsewhere[s.Text]; {
		case place == "":
		case slug != "" && place != slug, s.Kind == extract.Command, orders(s.Text):
			return ""
		default:
			slug, there = place, there+words
		}
	}
	if there*2 <= all {
		return ""
	}
	return slug
}

// Placed are facts found in the message, each where its sentence belongs.
func (t *Turn) Placed(ctx context.Context, facts []recall.Candidate) []recall.Candidate {
	ofHere := func(c recall.Candidate) bool { return c.Scope == recall.Project && c.Project == t.Project }
	if !slices.ContainsFunc(facts, ofHere) {
		return facts
	}
	elsewhere := t.Elsewhere(ctx)
	for i := range facts {
		for s, slug := range elsewhere {
			c := &facts[i]
			switch {
			case !ofHere(*c) || !strings.Contains(s, t.Text[c.Span[0]:c.Span[1]]):
			case slug == outside:
				c.Scope, c.Project = recall.User, ""
			default:
				c.Project = slug
			}
		}
	}
	return facts
}

// byPlace sorts sentences by the project they are about, in their order; here is where
// those belong that name no other.
func (t *Turn) byPlace(ctx context.Context, sentences []string, here string) (places []string, of map[string][]string) {
	of = map[string][]string{}
	for i, place := range t.placesOf(ctx, sentences, here) {
		if len(of[place]) == 0 {
			places = append(places, place)
		}
		of[place] = append(of[place], sentences[i])
	}
	return places, of
}

// placesOf are the projects that sentences are about; here is where those belong that name no
// other. One that hangs on the one before goes with it. It is the one rule of where things belong:
// what is noted, and what becomes a record.
func (t *Turn) placesOf(ctx context.Context, sentences []string, here string) (places []string) {
	away := awayFrom(t, here)
	if away != "" {
		here = ""
	}
	last, inbox := here, t.inbox()
	looked, on := len(sentences) <= maxLookedUp, 0
	var own []recall.Writing
	if here != "" && looked {
		if own = ofHere(t, here, inbox); !t.Astray {
			on = goesOn(t, here, inbox, own)
		}
	}
	for i, s := range sentences {
		place, named := t.placeOf(s, here)
		hangs := recall.HangsOn(s)
		switch {
		case named || !looked:
		case here != "":
			place = evident(ctx, t, s, here, signs{first: i == 0, on: on, last: last, hangs: hangs}, inbox, own)
			hangs = false
		case !hangs:
			place, named = t.writtenOf(ctx, s)
		}
		if away != "" && place == away {
			place, named = here, false
		}
		if named && heads(s) {
			here = place // and for what follows
		}
		if !named && hangs {
			place = last
		}
		last = place
		places = append(places, place)
	}
	return places
}

// awayFrom is the project at hand, where the message says that it isn't of that one.
func awayFrom(t *Turn, here string) string {
	p, ok := t.Named(here)
	if !ok {
		return ""
	}
	if _, beside := recall.Beside(t.Text, p.Name); beside || t.strays() && (t.Away || recall.HangsOn(t.Text)) && !recall.Names(t.Text, p.Name) {
		return here
	}
	return ""
}

// strays: right before, something was told of a project that isn't there, and didn't become one.
func (t *Turn) strays() bool { return t.Astray && !t.Answered && t.Project == t.Told }

// maxLookedUp is up to how many sentences each is looked up in the files: what somebody
// pours out stays together.
const maxLookedUp = 4

// outside stands for no project among those whose writings are compared.
const outside = thread.Outside

// writtenOf is the one project whose files alone tell of what a sentence is about that was told in none.
func (t *Turn) writtenOf(ctx context.Context, sentence string) (slug string, found bool) {
	if len(t.Projects) < 2 {
		return "", false
	}
	weights := recall.Weigh(sentence, t.find(ctx, sentence, ""))
	slug = heaviest(t, weights)
	return slug, slug != "" && len(weights) == 1
}

// heaviest is the open project in whose files alone most of a text stands, if that is enough.
func heaviest(t *Turn, weights map[string]int) (slug string) {
	most := recall.Belonging - 1
	for _, p := range t.Projects {
		if known, ok := t.Named(p.Slug); ok && known.Status != "archived" && weights[p.Slug] > most {
			slug, most = p.Slug, weights[p.Slug]
		}
	}
	return slug
}

// inbox are the newest lines of what was told outside of any project, of which more may be told in one.
func (t *Turn) inbox() (lines []recall.Writing) {
	for _, line := range linesOf(t, "") {
		lines = append(lines, recall.Writing{Project: outside, Text: line})
	}
	return lines
}

// linesOf are the newest lines of an inbox.
func linesOf(t *Turn, project string) []string {
	text, err := t.Vault.Read(entity.InboxPath(t.Vault, project))
	if err != nil {
		return nil
	}
	all := strings.Split(string(text), "\n")
	return all[max(0, len(all)-inboxMost):]
}

// inboxMost is how many lines of the inbox are compared.
const inboxMost = 100

// find finds passages of projects' files that have words of a sentence, but for the inbox of one.
func (t *Turn) find(ctx context.Context, sentence, but string) (found []recall.Writing) {
	for _, p := range thread.Found(ctx, t.Search, sentence) {
		if but == "" || p.Path != entity.InboxPath(t.Vault, but) {
			found = append(found, p.Writing)
		}
	}
	return found
}

// maxHead is within how many words a mark ends what heads a sentence.
const maxHead = 6

// heads: a sentence says first what it is about: "Cottage news: the roof is on".
func heads(s string) bool { return head(s) != "" }

// head is what a sentence says first of what it is about, empty if it doesn't.
func head(s string) string {
	toks := language.Tokenize(s)
	for _, t := range toks[:min(len(toks), maxHead)] {
		if t.Norm == ":" && !t.Quoted {
			return s[:t.Start]
		}
	}
	return ""
}

// headed are the projects of whose names a sentence's head is a part: "In the practice: ...".
func (t *Turn) headed(sentence string) (slugs []string) {
	var said []string
	for _, tok := range language.Tokenize(head(sentence)) {
		if tok.Word && !language.Light(tok.Norm) && !language.In("turning|moving|coming|going|returning|regarding|concerning|finally|next|news", tok.Norm) {
			said = append(said, tok.Norm)
		}
	}
	for _, p := range t.Projects {
		name := wordsIn(p.Name)
		if len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool { return !name[language.Stem(w)] }) {
			slugs = append(slugs, p.Slug)
		}
	}
	return slugs
}

// placeOf is the project that a sentence names, where that is one alone and not the one
// at hand. named: it names one.
func (t *Turn) placeOf(sentence, here string) (slug string, named bool) {
	var hit []string
	for _, p := range t.Projects {
		if recall.Names(sentence, p.Name) {
			hit = append(hit, p.Slug)
		}
	}
	if len(hit) == 0 {
		hit = t.headed(sentence)
	}
	if slices.Contains(hit, here) {
		return here, true
	}
	if len(hit) != 1 {
		return here, false
	}
	if p, ok := t.Named(hit[0]); !ok || p.Status == "archived" {
		return here, false
	}
	return hit[0], true
}
