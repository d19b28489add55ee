/*
Package claims finds, in what a language model says, that it has changed something. A model
may say so without having done it, which is worse than an error: what it says is compared
with what was really done in the turn.
*/
package claims

import (
	"regexp"
	"slices"
	"strings"

	"kist/vault/pattern"
)

// What is done to things that are kept, as it is said of something that is over.
const (
	english = `(?:added|created|saved|noted|recorded|stored|deleted|removed|renamed|moved|updated|changed|completed|ticked|marked|scheduled|archived|merged|written|logged|set up|put)`
	// kept are those that, without a subject, are no order: "put it away" is one.
	kept   = `(?:added|created|saved|noted|recorded|stored|deleted|removed|renamed|moved|updated|changed|completed|ticked off|scheduled|archived|merged)`
	german = `(?:hinzugefügt|angelegt|erstellt|gespeichert|notiert|vermerkt|gelöscht|entfernt|umbenannt|verschoben|geändert|aktualisiert|abgehakt|eingetragen|archiviert|zusammengeführt|festgehalten)`
)

var (
	done = pattern.Lazy(`(?i)\b(?:I(?:['’]ve| have)?(?: now| just| also| already| successfully| gone ahead and)* ` + english +
		`|(?:has|have) been (?:successfully )?` + english + `|(?:is|are) now ` + english +
		`|ich habe\b[^.!?\n]{0,160}\b` + german + `|(?:wurden?|ist|sind)\b[^.!?\n]{0,80}\b` + german + `)\b`)
	first = pattern.Lazy(`(?i)^\W*(?:(?:all done|done|okay|ok|all right|sure|great|right|yes)\W+){0,2}(?:` +
		`(?:now |just |also |successfully ){0,2}` + kept + `(?:\W*$| (?:it|them|that|this|the (?:task|note|file|project|memory|draft|reminder|entry|due date)s?|your|both)\b[^,]*$)` +
		`|(?:it['’]s|it is|they['’]re|they are)(?: now| all| already){0,2} ` + kept + `\W*$)`)
	set    = pattern.Lazy(`(?i)^\s*(?:(?:done|okay|ok|sure)\W+)?set (?:the|its) (?:due date|deadline|status|priority|title|name) to\b`)
	listed = pattern.Lazy(`(?i)\b(?:is|are) now (?:in|on) your (?:[\p{L}-]+ ){0,2}(?:lists?|tasks?|inbox|notes?|vault|projects?|calendar)\b`)
	french = pattern.Lazy(`(?i)(?:\bj['’]ai (?:bien |maintenant |aussi |déjà )?|\b(?:a|ont) bien été |^\W*c['’]est )(?:ajouté|créé|enregistré|noté|supprimé|effacé|retiré|renommé|déplacé|modifié|changé|mis à jour|archivé|coché|terminé|sauvegardé)(?:e?s?)(?:[^\p{L}]|$)`)
	alone  = pattern.Lazy(`(?i)^\W*(?:done|added|created|saved|deleted|renamed|erledigt|gespeichert|gelöscht)\W*$`)
	not    = pattern.Lazy(`(?i)\b(?:not|n['’]t|no|nothing|never|none|if|once|when|after|shall|should|could|would|nicht|nichts|kein|keine|falls|wenn|sobald|soll)\b|n['’]t\b`)
)

// OfChange reports whether a text says that something was changed.
func OfChange(text string) bool { return len(Sentences(text)) > 0 }

// Sentences are those of a text that say that something was changed, as they stand there, each
// with the sign that ends it.
func Sentences(text string) (out []string) {
	for text != "" {
		end := strings.IndexFunc(text, endsSentence) + 1
		if end == 0 {
			end = len(text)
		}
		for end < len(text) && strings.IndexByte(".!\"”’)*", text[end]) >= 0 {
			end++
		}
		for end < len(text) && text[end-1] != '\n' && strings.IndexByte(" \n", text[end]) < 0 { // within a name, such as a file's
			next := strings.IndexFunc(text[end:], endsSentence) + 1
			if end += next; next == 0 {
				end = len(text)
			}
		}
		if said := strings.TrimSpace(text[:end]); claims(said) {
			out = append(out, said)
		}
		text = text[end:]
	}
	return out
}

func endsSentence(r rune) bool { return r == '.' || r == '!' || r == '\n' || r == ';' }

// claims reports whether a sentence says so, or a part of it between two points.
func claims(sentence string) bool {
	for _, part := range strings.FieldsFunc(sentence, endsSentence) {
		if strings.Contains(part, "?") || not().MatchString(part) {
			continue
		}
		if slices.ContainsFunc([]func() *regexp.Regexp{done, first, set, listed, french, alone}, func(said func() *regexp.Regexp) bool { return said().MatchString(part) }) {
			return true
		}
	}
	return false
}

// asksBack is how questions begin that are about what was done before.
var asksBack = pattern.Lazy(`(?i)^\W*(?:did|have|has|had|was|were|is|are|what|which|when|where|hast|hat|haben|ist|sind|wurden?|war|waren|was|welche\w*|wann|wo|qu['’]|as-tu|avez)\b[^\n]*\?`)

// AsksBack reports whether a message asks for what was done before, so that an answer that says
// that something was changed may well be true of then.
func AsksBack(message string) bool { return asksBack().MatchString(message) }
