package offline

import (
	"strings"

	"kist/agent/offline/queries"
	"kist/agent/offline/turn"
)

// tellSync says how sync stands, or which files it keeps two versions of, if that is asked.
func tellSync(t *turn.Turn) bool {
	asks, copies := queries.OfSync(t.Text)
	if !asks {
		return false
	}
	a := t.Act(nil)
	w := a.Want("show_sync", map[string]any{})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		r := w.Result.Result
		sentence := strings.TrimRight("Sync: "+turn.Str(r, "sentence"), ".") + "."
		files, next := turn.Strs(r, "files"), turn.Str(r, "next")
		switch {
		case copies && next == "":
			t.Say("No file lies here in two versions. %s", sentence)
			return
		case copies && len(files) > 0:
			t.Say("These files were changed in two places in ways that contradict each other; of each the other version lies beside it:\n- %s", strings.Join(files, "\n- "))
		default:
			t.Say("%s", sentence)
		}
		if next != "" {
			t.Say("`kist sync conflicts` shows both versions, and `kist sync resolve` settles it.")
		}
	}
	return true
}
