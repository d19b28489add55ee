package todo

import (
	"testing"
	"time"

	"kist/agent/language"
)

// What stands in a task beside words is neither lost nor torn.
func TestMarked(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		said string
		read []Todo // by words alone
		want Todo
	}{
		{"add a task: buy stamps #errand tomorrow", []Todo{{Title: "Buy stamps", Due: "2026-11-28"}}, Todo{Title: "Buy stamps #errand", Due: "2026-11-28"}},
		{"add a task: read **Dune** [[Books]] #book by Friday", []Todo{{Title: "Read **Dune"}, {Title: "Books #book", Due: "2026-12-04"}}, Todo{Title: "Read **Dune** [[Books]] #book", Due: "2026-12-04"}},
		{"I need to read [[Dune]] by Friday", []Todo{{Title: "readDune", Due: "2026-12-04"}}, Todo{Title: "Read [[Dune]]", Due: "2026-12-04"}},
		{"remind me to read **Dune** by Friday", []Todo{{Title: "Read **Dune", Due: "2026-12-04"}}, Todo{Title: "Read **Dune**", Due: "2026-12-04"}},
		{"add a task: fix `foo()` high priority", []Todo{{Title: "Fix", Priority: "high"}}, Todo{Title: "Fix `foo()`", Priority: "high"}},
		{"todo: 📞 call mum", []Todo{{Title: "Call mum"}}, Todo{Title: "📞 Call mum"}},
		{"task: write card 📅 2026-12-02 🔁 every year ⏫", []Todo{{Title: "Write card", Due: "2026-12-02"}, {Title: "Every year"}}, Todo{Title: "Write card 🔁 every year", Due: "2026-12-02", Priority: "high"}},
		{"add a task: water it every week starting Monday", []Todo{{Title: "Water it", Due: "2026-11-30"}}, Todo{Title: "Water it every week", Due: "2026-11-30"}},
		{"task: renew due 2027-01-15 scheduled 2026-12-15 start 2026-12-01", []Todo{{Title: "Renew", Due: "2026-12-15"}, {Title: "Start", Due: "2026-12-01"}}, Todo{Title: "Renew ⏳ 2026-12-15 🛫 2026-12-01", Due: "2027-01-15"}},
		{"buy milk, due 2027-01-15", []Todo{{Title: "Milk", Due: "2027-01-15"}}, Todo{Title: "Milk", Due: "2027-01-15"}},
	} {
		got := Marked(row.said, language.Tokenize(row.said), row.read, now)
		if len(got) != 1 || got[0] != row.want {
			t.Errorf("%s: %+v, want %+v", row.said, got, row.want)
		}
	}
}
