package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/offline/turn"
)

// asksForSync reports whether a message asks how the sync of the vault stands, and nothing else: all
// its words are about that, so that a project or a meeting of such a name isn't meant.
func asksForSync(text string) bool {
	toks := language.SkipOpeners(language.Tokenize(text))
	asks := strings.HasSuffix(strings.TrimSpace(text), "?") || language.Begins(toks, "is|are|does|did|has|have|how|when|was|what|what's|show")
	syncs := false
	for _, w := range language.ContentWords(toks) {
		switch {
		case slices.Contains([]string{"sync", "synced", "syncing", "syncs", "synchronised", "synchronized", "synchronisiert", "synchronisation", "synchronization"}, w):
			syncs = true
		case !slices.Contains(aboutSync(), w):
			return false
		}
	}
	return asks && syncs
}

// aboutSync are the words that a question about sync may have beside that.
func aboutSync() []string {
	return strings.Fields(`is are was does did do has have how when what what's whats show me us stand stands state status going go work works working run running up date
		everything all anything vault kist notes files documents git remote machine machines computer computers laptop phone device devices other between with across
		conflict conflicts fine ok okay good still properly already last time there any now yet it right failing failed broken on off my our the of and or to
		ist sind alles wie steht um der die das den mit schon`)
}

// tellSync says how sync stands, if that is asked.
func tellSync(t *turn.Turn) bool {
	if !asksForSync(t.Text) {
		return false
	}
	a := t.Act(nil)
	w := a.Want("show_sync", map[string]any{})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("%s.", strings.TrimRight("Sync: "+turn.Str(w.Result.Result, "sentence"), "."))
		if next := turn.Str(w.Result.Result, "next"); next != "" {
			t.Say("`kist sync conflicts` shows both versions, and `kist sync resolve` settles it.")
		}
	}
	return true
}
