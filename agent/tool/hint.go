package tool

import (
	"slices"
	"strings"
)

// Hint sets what a message speaks of, by which some tools are offered. It only
// ever offers more.
func (e *Env) Hint(text string) {
	text = strings.ToLower(text)
	any := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	e.Restructure = any("renam", "merge", "archiv", "delet", "remove", "combine", "put away", "get rid", "umbenenn", "lösch", "zusammen")
	e.Refile = any("renam", "mov", "delet", "remove", "call", "umbenenn", "verschieb", "lösch") && any("note", "page", "file", ".md", "[[", "notiz", "seite", "datei")
	e.Memories = any("forget", "memor", "remember", "move that", "move this", "scrap", "take it out", "take that out", "vergiss", "erinner", "streich")
	e.Several = any("all ", "every", "each ", "both", "alle", "jede", "everything")
	e.Syncing = any("sync", "conflict", "konflikt")
	e.External = any("mail", "issue", "jira", "confluence", "github", "ticket", "epic", "slack", "send", "publish", "post ")
}
