package filing

import (
	"context"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/recall"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/pattern"
)

// dated: lines that set the date of a thing.
var dated = pattern.Lazy(`(?m)^(?:due|deadline): `)

// A writing is what one operation puts into files, as it is and for comparison.
type writing struct {
	text, plain string
	changes     bool // it changes what was there, rather than adds to it
	ticks       bool // it only says that something is done
}

// plain is a text without what differs where a sentence is written down: letters after a
// full stop, white space, marks at its ends.
func plain(s string) string {
	return strings.Trim(strings.ToLower(strings.Join(strings.Fields(s), " ")), " .!;,:")
}

// coverage tells of a sentence whether it is in a file already, or has become something
// in this turn: it stands word for word in what was written or proposed, or, in plain
// talk, the operations have what matters of its words.
func (t *Turn) coverage(ctx context.Context) func(string) bool {
	written, undone := t.written(ctx)
	exact := t.Mode == "project_create" || extract.IsDump(t.Text)
	alone, founded := len(extract.Sentences(t.Text)) == 1, t.founded(ctx)
	return func(s string) bool {
		written := written
		if !alone && !happened(s) && !language.Has(language.Tokenize(s), "<ticking>") {
			written = unticked(written)
		}
		all := textOf(written)
		if t.beyondTicks(s, written, exact) {
			return false // that it is done says nothing of how much, when or what else
		}
		changes := slices.ContainsFunc(written, func(w writing) bool { return w.changes })
		if changes && !exact && t.moved(s, all, alone) || slices.ContainsFunc(written, func(w writing) bool { return w.has(s, exact) }) {
			return true
		}
		if undone && alone && !t.Heard || t.Mode == general && t.switched(s) || !exact && t.became(s, all, alone, founded) || extract.Mends(s) && mostly(s, all, t.Now) {
			return true
		}
		return slices.ContainsFunc(t.Known, func(m string) bool { return recall.Near(m, s) >= recall.Same })
	}
}

// has: a sentence stands in it word for word; where exact isn't asked for, without a label
// such as "decision: ...".
func (w writing) has(s string, exact bool) bool {
	said := plain(s)
	label, inner, labelled := strings.Cut(said, ": ")
	labelled = labelled && !exact && !strings.Contains(label, " ") && len(strings.Fields(inner)) > 2
	return strings.Contains(w.plain, said) || labelled && strings.Contains(w.plain, inner) || w.hasBehind(said, ", ") || w.hasBehind(said, ": ")
}

// hasBehind: what a sentence says behind words to kist stands in it: "take a note: ...".
func (w writing) hasBehind(said, mark string) bool {
	order, told, ok := strings.Cut(said, mark)
	short := len(strings.Fields(order)) <= maxOrder && (extract.Remarks(order) || extract.Orders(order) || language.Has(language.Tokenize(order), "<noteword>"))
	return ok && short && len(strings.Fields(told)) > 1 && strings.Contains(w.plain, told)
}

// beyondTicks: where something was only ticked off, a sentence has a number besides, or tells more.
func (t *Turn) beyondTicks(s string, all []writing, exact bool) bool {
	text := textOf(all)
	n, found := common(s, text, t.Now)
	more := n-found > 2 || slices.ContainsFunc(language.Tokenize(s), func(t language.Token) bool { return language.Digital(t.Norm) && !strings.Contains(text, t.Norm) })
	return more && !slices.ContainsFunc(all, func(w writing) bool { return w.text != "" && !w.ticks || w.has(s, exact) })
}

// unticked is without what ticks something off: that comes from what has happened.
func unticked(all []writing) []writing {
	return slices.DeleteFunc(slices.Clone(all), func(w writing) bool { return w.ticks })
}

// happened: a sentence may tell what was done.
func happened(s string) bool {
	return slices.ContainsFunc(language.Tokenize(s), func(t language.Token) bool {
		return t.Word && (language.Past(t.Norm) && !language.Light(t.Norm) || language.Class("<doneword>", t.Norm))
	})
}

// founded: the turn has started a project.
func (t *Turn) founded(ctx context.Context) bool {
	return slices.ContainsFunc(t.Operated, func(id string) bool {
		op, err := t.Vault.Operation(ctx, id)
		return err == nil && op.Status == vault.StatusCompleted && op.Type == vault.OpCreate && op.Entity.Type == "project"
	})
}

// little: beside what operations have, a sentence says hardly anything.
func little(sentence, operated string, now time.Time) bool {
	n, found := common(sentence, operated, now)
	return n-found <= maxFounded
}

// became: operations have what matters of a sentence. alone: it is the whole message;
// founded: a project was made with it.
func (t *Turn) became(s, operated string, alone, founded bool) bool {
	asked := !t.Answered || strings.Contains(t.Text, s) || extract.Orders(s) // what was told with a question stands beside it
	return founded && asked && little(s, operated, t.Now) || covered(s, operated, t.Now) || t.Mode == general && framed(s, operated, t.Now) || alone && bare(s, operated, t.Now)
}

const (
	maxMoved = 2 // words that matter for which a changed date may stand
	maxOrder = 4 // words of an order with which what is told begins
	maxBare  = 2 // words that matter of an order that says little by itself
	// words that matter of a sentence that says little but that there is to be a project, or
	// what has nothing to do with it
	maxFounded = 2
)

// moved: a sentence is what changed something that was there: "The launch will be a
// month later" is what the new date says. Among others it must say little more than that.
func (t *Turn) moved(s, text string, alone bool) bool {
	n, found := common(s, text, t.Now)
	return !t.adds(s, text) && (n == 0 || alone && (found > 0 || n <= maxMoved) || found > 0 && n-found <= maxMoved)
}

// adds: a part of a sentence tells something else than what was changed: "the beams are
// ordered, 840 euros at the sawmill".
func (t *Turn) adds(s, text string) bool {
	return slices.ContainsFunc(language.Listed(language.Tokenize(s)), func(part []language.Token) bool {
		if d, ok := language.FindDay(part, t.Now); ok {
			part = language.Cut(part, d.Start, d.End)
		}
		n, found := commonOf(part, text, t.Now)
		number := slices.ContainsFunc(part, func(tok language.Token) bool { return language.Digital(tok.Norm) && !strings.Contains(text, tok.Norm) })
		return n > 0 && (number || found == 0 && n > 1)
	})
}

// operated is the text of all operations of this turn.
func (t *Turn) operated(ctx context.Context) string {
	written, _ := t.written(ctx)
	return textOf(written)
}

func textOf(written []writing) string {
	var b strings.Builder
	for _, w := range written {
		b.WriteString(w.text + "\n")
	}
	return b.String()
}

// tellsHere: the message tells something, and what it tells may be noted at once.
func (t *Turn) tellsHere() bool {
	p, ok := t.Named(t.Project)
	return (!ok || p.CreatedBy == string(vault.ActorAgent)) && extract.Plain(t.Text) && !corrects(t.Text)
}

// offersChange: to change a task is offered.
func offersChange(op vault.Operation) bool {
	return op.Status == vault.StatusProposed && op.Type == vault.OpUpdate && op.Entity.Type == "task"
}

// written is what the operations of this turn hold, with the draft and the inbox as they
// are now. undone: the turn took something back.
func (t *Turn) written(ctx context.Context) (out []writing, undone bool) {
	named, tells := extract.IsName(t.Text), t.tellsHere()
	for _, id := range t.Operated {
		op, err := t.Vault.Operation(ctx, id)
		if err != nil || op.Status == vault.StatusRejected || op.Status == vault.StatusFailed || tells && offersChange(op) {
			continue // what is told stands, whatever becomes of an offer
		}
		undone = undone || op.Undoes != ""
		body := ""
		for _, c := range op.Changes {
			body += "\n" + added(c.Patch)
		}
		text := op.Reason + "\n" + op.Entity.Path + body
		undone = undone || strings.TrimSpace(body) == "" && !muchMore(t.Text, text, t.Now) // to take that out is what was asked for
		if op.Entity.Type == "draft" && !named {
			body = nameless(body)
			text = body
		}
		out = append(out, writing{
			text: text, plain: plain(body),
			changes: op.Type != vault.OpCreate && (op.Entity.Type == "task" || dated().MatchString(body)),
			ticks:   strings.Contains("\n"+body, "\nstatus: done") || op.Entity.Type == "task" && strings.Contains("\n"+body, "\n- [x] "),
		})
	}
	if text, err := t.Vault.Read(entity.InboxPath(t.Vault, t.Project)); err == nil {
		out = append(out, writing{plain: plain(string(text))})
	}
	if t.Draft != nil {
		if text, err := t.Vault.Read(t.Draft.Path); err == nil {
			out = append(out, writing{plain: plain(nameless(string(text)))})
		}
	}
	return out, undone
}

// nameless is the text of a draft without its name: that changes, and must not be the
// only place where a sentence stands.
func nameless(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "name: ") && !strings.HasPrefix(line, "# ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// added are the lines that a patch puts in, without its marks.
func added(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++ ") {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}

var inboxLine = pattern.Lazy(`(?m)^- \d{4}-\d\d-\d\d: (.+)$`)

// filedIn are the sentences that a patch adds to an inbox note.
func filedIn(patch string) (sentences []string) {
	for _, m := range inboxLine().FindAllStringSubmatch(added(patch), -1) {
		sentences = append(sentences, m[1])
	}
	return sentences
}

// covered reports whether a text has all the words that matter in a sentence, and its
// date. When something is to be done stands there in other words.
func covered(sentence, text string, now time.Time) bool {
	n, found := common(sentence, text, now)
	return found > 0 && found == n && dateCovered(language.Tokenize(sentence), text, now)
}

// dateCovered reports whether a text has the date of a sentence, if it has one.
func dateCovered(toks []language.Token, text string, now time.Time) bool {
	d, ok := language.FindDay(toks, now)
	if !ok || strings.Contains(text, language.ISODay(d.Day)) {
		return true
	}
	has := wordsIn(text)
	return !slices.ContainsFunc(toks[d.Start:d.End], func(tok language.Token) bool {
		return !language.Class("<stop>", tok.Norm) && !has[language.Stem(tok.Norm)]
	})
}

// bare: an order of which something was done says little by itself: "fix the second one".
func bare(sentence, text string, now time.Time) bool {
	toks := language.Tokenize(sentence)
	n, _ := common(sentence, text, now)
	return n <= maxBare && strings.TrimSpace(text) != "" && len(toks) > 0 && language.Class("<verb>", toks[0].Norm)
}

// mostly is covered but for a third of the words.
func mostly(sentence, text string, now time.Time) bool {
	n, found := common(sentence, text, now)
	return found > 0 && 3*found >= 2*n
}

// muchMore: a sentence says several things that a text hasn't.
func muchMore(sentence, text string, now time.Time) bool {
	n, found := common(sentence, text, now)
	return n-found > 3 && !mostly(sentence, text, now)
}

// common counts the words that matter in a sentence, and those of them that a text has.
func common(sentence, text string, now time.Time) (n, found int) {
	return commonOf(language.Tokenize(sentence), text, now)
}

// commonOf is common for the words of a sentence.
func commonOf(toks []language.Token, text string, now time.Time) (n, found int) {
	if d, ok := language.FindDay(toks, now); ok {
		toks = language.Cut(toks, d.Start, d.End)
	}
	has := wordsIn(text)
	for _, tok := range toks {
		if !tok.Word || language.Light(tok.Norm) || language.Class("<pronoun>", tok.Norm) {
			continue
		}
		n++
		if has[language.Stem(tok.Norm)] {
			found++
		}
	}
	return n, found
}

// wordsIn are the stems of a text.
func wordsIn(text string) map[string]bool {
	has := map[string]bool{}
	for _, tok := range language.Tokenize(text) {
		has[language.Stem(tok.Norm)] = true
	}
	return has
}
