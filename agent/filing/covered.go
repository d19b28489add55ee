package filing

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/recall"
	"kist/vault"
)

// A writing is what one operation puts into files, as it is and for comparison.
type writing struct {
	text, plain string
	changes     bool // it changes what was there, rather than adds to it
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
	all := ""
	for _, w := range written {
		all += w.text + "\n"
	}
	exact := t.Mode == "project_create" || extract.IsDump(t.Text)
	return func(s string) bool {
		said := plain(s)
		for _, w := range written {
			if strings.Contains(w.plain, said) {
				return true
			}
			// "The launch will be a month later" is what the changed date says.
			if _, found := common(s, w.text, t.Now); w.changes && !exact && found > 0 {
				return true
			}
		}
		if undone || (!exact || extract.Mends(s)) && covered(s, all, t.Now) {
			return true
		}
		return slices.ContainsFunc(t.Known, func(m string) bool { return recall.Near(m, s) >= recall.Same })
	}
}

// written is what the operations of this turn hold, with the draft and the inbox as they
// are now. undone: the turn took something back.
func (t *Turn) written(ctx context.Context) (out []writing, undone bool) {
	for _, id := range t.Operated {
		op, err := t.Vault.Operation(ctx, id)
		if err != nil || op.Status == vault.StatusRejected || op.Status == vault.StatusFailed {
			continue
		}
		undone = undone || op.Undoes != ""
		text := op.Reason + "\n" + op.Entity.Path
		for _, c := range op.Changes {
			text += "\n" + added(c.Patch)
		}
		out = append(out, writing{text, plain(text), op.Type != vault.OpCreate && op.Entity.Type == "task"})
	}
	paths := []string{vault.InboxPath(t.Vault, t.Project)}
	if t.Draft != nil {
		paths = append(paths, t.Draft.Path)
	}
	for _, p := range paths {
		if text, err := t.Vault.Read(p); err == nil {
			out = append(out, writing{plain: plain(string(text))})
		}
	}
	return out, undone
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

var inboxLine = regexp.MustCompile(`(?m)^- \d{4}-\d\d-\d\d: (.+)$`)

// filedIn are the sentences that a patch adds to an inbox note.
func filedIn(patch string) (sentences []string) {
	for _, m := range inboxLine.FindAllStringSubmatch(added(patch), -1) {
		sentences = append(sentences, m[1])
	}
	return sentences
}

// covered reports whether a text has two of three of the words that matter in a
// sentence. When something is to be done stands there in other words.
func covered(sentence, text string, now time.Time) bool {
	n, found := common(sentence, text, now)
	return strings.TrimSpace(text) != "" && 3*found >= 2*n
}

// common counts the words that matter in a sentence, and those of them that a text has.
func common(sentence, text string, now time.Time) (n, found int) {
	toks := language.Tokenize(sentence)
	if d, ok := language.FindDate(toks, now); ok {
		toks = language.Cut(toks, d.Start, d.End)
	}
	has := map[string]bool{}
	for _, tok := range language.Tokenize(text) {
		has[language.Stem(tok.Norm)] = true
	}
	for _, tok := range toks {
		if !tok.Word || light(tok.Norm) {
			continue
		}
		n++
		if has[language.Stem(tok.Norm)] {
			found++
		}
	}
	return n, found
}

// light words carry nothing of what was told.
func light(w string) bool {
	return slices.ContainsFunc([]string{"<stop>", "<aux>", "<det>", "<pronoun>", "<opener>", "<filler>"}, func(class string) bool { return language.Class(class, w) })
}
