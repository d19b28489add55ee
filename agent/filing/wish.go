package filing

import (
	"context"
	"math"
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/recall"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/pattern"
)

// Some sentences are words to kist: orders, corrections, complaints about what it did,
// answers to its questions. They are no news, whatever numbers and names they hold: they
// are done, or the reply says that they aren't.

// wished is how probable a wish is for a sentence to be taken for one: twice as probable
// as that it tells something.
const wished = 2.0 / 3

// tellings are readings in which a sentence holds something to be kept, beside what is to
// be done. That a task is another one now may be told or ordered.
func tellings(s string) []intent.Name {
	out := []intent.Name{intent.News, intent.Elsewhere, intent.None, intent.AddDecision, intent.AddNote, intent.Remember, intent.CompleteTask, intent.AddTask, intent.ProjectUpdate}
	if !corrects(s) {
		out = append(out, intent.UpdateTask)
	}
	return out
}

// corrects: a sentence mends what was said or done, orders something, or talks of kist's
// things as such: "the title of the ticket task is cut off".
func corrects(s string) bool {
	toks := language.Tokenize(s)
	return extract.Mends(s) || extract.Orders(s) || len(toks) > 0 && language.Class("<mend>", toks[0].Norm) || language.Has(toks, "<taskword>|<noteword>|<listword>|<projectword>")
}

// wish is what a sentence wants of kist, if it is clearly a wish.
func (t *Turn) wish(s string) (intent.Name, bool) {
	read, ok := t.reading()
	if !ok {
		return "", false
	}
	return wishOf(read(s), s)
}

// wishOf is wish by what was read.
func wishOf(readings []intent.Reading, s string) (most intent.Name, ok bool) {
	p, told := 0.0, tellings(s)
	for _, r := range readings { // the most probable first
		if slices.Contains(told, r.Intent) {
			continue
		}
		if most == "" {
			most = r.Intent
		}
		p += r.P
	}
	return most, p >= wished
}

// The kinds of entities that wishes are about.
var (
	ofTasks    = []intent.Name{intent.UpdateTask, intent.DeleteTask}
	ofProjects = []intent.Name{intent.CreateProject, intent.ProjectCreate, intent.RenameProject, intent.ArchiveProject, intent.DeleteProject, intent.ReopenProject, intent.MergeProjects, intent.AbandonDraft}
	ofMemories = []intent.Name{intent.ForgetMemory, intent.MoveMemory}
)

// fulfilled: the turn did what a wish asked for, or refused it by word.
func (t *Turn) fulfilled(ctx context.Context, wish intent.Name, s string) bool {
	made := func(kinds ...string) bool {
		return slices.ContainsFunc(t.Operated, func(id string) bool {
			op, err := t.Vault.Operation(ctx, id)
			return err == nil && op.Status != vault.StatusFailed && slices.Contains(kinds, op.Entity.Type)
		})
	}
	switch {
	case slices.Contains(ofTasks, wish):
		return t.Served || made("task") // it was so already
	case slices.Contains(ofProjects, wish):
		return made("project", "draft")
	case slices.Contains(ofMemories, wish):
		return made("memory", "note", "project")
	case wish == intent.Switch, wish == intent.Back:
		return t.Project != t.Told || t.Asks // whether there is to be such a project
	case wish == intent.Undo, wish == intent.Redo:
		_, undone := t.written(ctx)
		return undone || made("note") // "undo and put it there"
	case wish == intent.Consent, wish == intent.Decline:
		return t.Answered || t.Refused || language.Begins(language.Tokenize(s), "do not") // nothing is what was asked for
	case wish == intent.Unsupported:
		return true // the reply says that it can't be done
	}
	return t.Served || t.Looked || t.Listed
}

// wishes takes those sentences out of told that are words to kist. unmet are those of
// which nothing was done, or of which much more was said than that, and that the reply
// doesn't name yet.
func (t *Turn) wishes(ctx context.Context, told []string) (rest, unmet []string) {
	said := quotations(t.Reply)
	done := t.operated(ctx)
	for _, s := range told {
		wish, ok := t.wish(s)
		switch {
		case !ok, t.righted(s), len(t.Operated) == 0 && extract.Resets(s), extract.Plain(s) && !courteous(wish) && !extract.Remarks(s) && !corrects(s):
			rest = append(rest, s)
		case courteous(wish), quotedIn(said, s), t.Asks && len(told) == 1: // it asks about just that
		case len(t.Operated) == 0 && ownWords(wish, s):
			rest = append(rest, s)
		case !t.fulfilled(ctx, wish, s) && !t.spokenTo(s):
			unmet = append(unmet, s)
		case muchMore(s, done, t.Now) && Minuted(t.likely(s)):
			rest = append(rest, s)
		}
	}
	return rest, unmet
}

// onlyOff: a sentence says no more than to tick off what it points to. The reply says which that was.
func onlyOff(s string) bool {
	told, _, ok := extract.PointsOff(s)
	return ok && (told == "" || extract.Remarks(told))
}

// ownWords: what was read as a correction or a refusal has words of its own, and orders nothing:
// nothing is known that it would change, so that it is kept as it was said.
func ownWords(wish intent.Name, s string) bool {
	may := []intent.Name{intent.Decline, intent.UpdateTask, intent.Undo}
	return slices.Contains(may, wish) && !extract.Orders(s) && !extract.Remarks(s) && extract.Plain(s) && len(strings.Fields(s)) > 5
}

// minSpoken is how many words a reply has that says more than "I see".
const minSpoken = 4

// spokenTo: the message is that one sentence, which tells nothing, and the reply is about
// it. What may have told something is named all the same.
func (t *Turn) spokenTo(s string) bool {
	return len(extract.Sentences(t.Text)) == 1 && len(strings.Fields(t.Reply)) >= minSpoken && t.likely(s) < idle
}

// switched: a sentence says little but that the conversation goes on in another project,
// where it is now.
func (t *Turn) switched(s string) bool {
	p, ok := t.Named(t.Project)
	if !ok || t.Project == t.Told {
		return false
	}
	wish, ok := t.wish(s)
	return ok && (wish == intent.Switch || wish == intent.Back) && wordsBeside(t, s, p) <= maxMoved
}

// wordsBeside is how many words that matter and figures a sentence has that names a project, beside that name;
// many where it doesn't.
func wordsBeside(t *Turn, s string, p entity.Project) int {
	n, found := common(s, p.Name+" "+p.Slug, t.Now)
	if found == 0 {
		return math.MaxInt
	}
	for _, tok := range language.Tokenize(s) {
		if language.Digital(tok.Norm) && !strings.Contains(p.Name, tok.Norm) {
			n++
		}
	}
	return n - found
}

var quotation = pattern.Lazy(`“([^”]+)”`)

// goesOn: a sentence names the project that the conversation went to, and tells something of it: "boat - sold
// the mast, 300".
func (t *Turn) goesOn(s string) bool {
	p, ok := t.Named(t.Project)
	if !ok || t.Mode != general || t.Project == t.Told {
		return false
	}
	n := wordsBeside(t, s, p)
	return n > maxMoved && n < math.MaxInt && Minuted(t.likely(s))
}

// quotations are what a reply quotes, for comparison.
func quotations(reply string) (out []string) {
	for _, m := range quotation().FindAllStringSubmatch(reply, -1) {
		out = append(out, strings.TrimRight(strings.TrimPrefix(plain(m[1]), extract.Reminds), "…"))
	}
	return out
}

// quotedIn: half of a sentence or more is among them.
func quotedIn(quotes []string, s string) bool {
	said, n := plain(s), 0
	for _, q := range quotes {
		if strings.Contains(q, said) {
			return true
		}
		if strings.Contains(said, q) {
			n += len(q)
		}
	}
	return 2*n >= len(said)
}

// regretted takes out of told what the reply says nothing was done about, unless it is
// news all the same.
func (t *Turn) regretted(told []string) []string {
	var regrets []string
	for line := range strings.Lines(t.Reply) {
		if strings.HasPrefix(line, extract.Regret) {
			regrets = append(regrets, quotations(line)...)
		}
	}
	return slices.DeleteFunc(told, func(s string) bool { return quotedIn(regrets, s) && !Minuted(t.likely(s)) })
}

// withdrawn leaves out of told, where something is only to be taken out, the sentence that asks
// for that, and what hangs on it.
func (t *Turn) withdrawn(ctx context.Context, told []string) (rest []string) {
	out := ""
	written, _ := t.written(ctx)
	for _, w := range written {
		if w.plain == "" {
			out += w.text + "\n"
		}
	}
	asked := false
	for _, s := range told {
		_, found := common(s, out, t.Now)
		_, _, points := language.Find(language.Tokenize(s), "<deleteverb>|forget that|it|this|them|those")
		asks := found > 0 && unkeeps(s) && (points || !slices.ContainsFunc(clauses(s), func(c string) bool { return !unkeeps(c) && Minuted(t.likely(c)) }))
		if asked = asks || asked && recall.HangsOn(s); !asked {
			rest = append(rest, s)
		}
	}
	return rest
}

// unkeeps: words say what is to become of what was told.
func unkeeps(s string) bool {
	return language.Has(language.Tokenize(s), "forget|<keepverb>|<deleteverb>|<noteword>")
}
