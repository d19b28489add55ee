package taskline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kist/vault/taskline"
)

func TestParse(t *testing.T) {
	for _, row := range strings.Split(strings.TrimSpace(`
Pay rent 📅 2026-12-01 | Pay rent | due 2026-12-01
Pay rent 🔁 every month on the 1st 🛫 2026-11-25 ⏳ 2026-11-28 📅 2026-12-01 ⏫ #home/flat ^rent | Pay rent #home/flat | repeat every month on the 1st, start 2026-11-25, scheduled 2026-11-28, due 2026-12-01, priority high, tags home/flat
Call Bo ⏫️ 📆️2026-12-01 | Call Bo | priority high, due 2026-12-01
#task Done one ➕ 2026-01-02 ✅ 2026-02-03 | #task Done one | created 2026-01-02, completion 2026-02-03, tags task
Dropped ❌ 2026-02-03 🔺 | Dropped | cancelled 2026-02-03, priority urgent
Lowest ⏬ | Lowest | priority low
Order crates [due:: 2026-12-05] (ask Bo) | Order crates (ask Bo) | due 2026-12-05
Order crates (due:: 2026-12-05) [priority:: highest] [completion:: 2026-12-06] | Order crates | due 2026-12-05, priority urgent, completion 2026-12-06
Water plants [repeat:: every 3 days when done] | Water plants | repeat every 3 days when done
No date 📅 2026-13-40 [due:: soon] | No date 📅 2026-13-40 [due:: soon] |
Say what `+"`📅 2026-12-01`"+` means | Say what `+"`📅 2026-12-01`"+` means |
Say what [repeat:: `+"`every day`"+`] means | Say what [repeat:: `+"`every day`"+`] means |
Two 📅 2026-12-01 📅 2026-12-02 | Two 📅 2026-12-02 | due 2026-12-01
Chain 🆔 ab1 ⛔ cd2,ef3 🏁 delete | Chain | id ab1, dependsOn cd2,ef3, onCompletion delete
Water 🆔 ab1 the plants 📅 2026-12-01 | Water 🆔 ab1 the plants | due 2026-12-01
⛔ Do not touch | ⛔ Do not touch |
Chain ⛔ cd2, ef3 #home 🆔 ab1 ^x | Chain #home | id ab1, dependsOn cd2, ef3, tags home
Press the 🔁 | Press the 🔁 |
🔁 Ⓑ the sign 📅 2026-12-01 | 🔁 Ⓑ the sign | due 2026-12-01
Is it #1 or #2a? | Is it #1 or #2a? | tags 2a
📅 2026-12-01 first | first | due 2026-12-01
`), "\n") {
		parts := strings.Split(row, "|")
		l := taskline.Parse(strings.TrimSpace(parts[0]))
		if got, want := l.Title, strings.TrimSpace(parts[1]); got != want {
			t.Errorf("%s: title %q, want %q", parts[0], got, want)
		}
		var got []string
		want := strings.TrimSpace(parts[2])
		for _, key := range []taskline.Key{"repeat", "created", "start", "scheduled", "due", "cancelled", "priority", "completion", "id", "dependsOn", "onCompletion", "duration"} {
			if v := l.Value(key); v != "" {
				got = append(got, fmt.Sprintf("%s %s", key, v))
			}
		}
		if len(l.Tags) > 0 {
			got = append(got, "tags "+strings.Join(l.Tags, " "))
		}
		for _, each := range got {
			if !strings.Contains(", "+want+",", ", "+each+",") {
				t.Errorf("%s: has %q, want %q", parts[0], each, want)
			}
		}
		if joined := strings.Join(got, ", "); len(joined) != len(want) {
			t.Errorf("%s: got %q, want %q", parts[0], joined, want)
		}
	}
}

func TestSet(t *testing.T) {
	for _, row := range []struct {
		text  string
		key   taskline.Key
		value string
		style taskline.Style
		want  string
	}{
		{"Pay  rent 📅 2026-12-01 #x ^b", taskline.Due, "2027-01-01", taskline.None, "Pay  rent 📅 2027-01-01 #x ^b"},
		{"Pay  rent 📅 2026-12-01 #x ^b", taskline.Due, "", taskline.None, "Pay  rent #x ^b"},
		{"Pay rent ^b", taskline.Done, "2027-01-01", taskline.Emoji, "Pay rent ✅ 2027-01-01 ^b"},
		{"Pay rent", taskline.Due, "2027-01-01", taskline.Inline, "Pay rent [due:: 2027-01-01]"},
		{"Pay rent 📅 2026-12-01", taskline.Duration, "2h", taskline.Emoji, "Pay rent 📅 2026-12-01 [duration:: 2h]"},
		{"Pay ⏫️ rent", taskline.Priority, "low", taskline.Inline, "Pay 🔽 rent"},
		{"Pay ⏬ rent", taskline.Priority, "low", taskline.Inline, "Pay ⏬ rent"},
		{"Pay (priority:: high)", taskline.Priority, "low", taskline.Emoji, "Pay (priority:: low)"},
		{"📅 2026-12-01 rent", taskline.Due, "", taskline.None, "rent"},
	} {
		got, err := taskline.Parse(row.text).Set(row.key, row.value, row.style)
		if got != row.want || err != nil {
			t.Errorf("%s: set %s %q: %q, %v, want %q", row.text, row.key, row.value, got, err, row.want)
		}
	}
	if _, err := taskline.Parse("Pay").Set(taskline.Due, "soon", taskline.Emoji); !errors.Is(err, taskline.ErrValue) {
		t.Error(err)
	}
	if got, err := taskline.Parse("Pay rent 📅 2026-12-01").Retitle("Pay the rent"); got != "Pay the rent 📅 2026-12-01" || err != nil {
		t.Error(got, err)
	}
	for _, c := range [][3]string{ // tags behind the dates, as many write them
		{"dig ⏳ 2026-12-05 #dig", "dig deep #dig", "dig deep ⏳ 2026-12-05 #dig"},
		{"dig ⏳ 2026-12-05 #dig 📅 2026-12-06 ^a", "dig", "dig ⏳ 2026-12-05 📅 2026-12-06 ^a"},
		{"dig ⏳ 2026-12-05 #dig #now", "dig #now", "dig ⏳ 2026-12-05 #now"},
		{"dig ⏳ 2026-12-05 #dig", "dig #dig #now", "dig ⏳ 2026-12-05 #dig #now"},
		{"dig ⏳ 2026-12-05 #dig 📅 2026-12-06", "sow", "sow ⏳ 2026-12-05 📅 2026-12-06"},
		{"#task ⏫ dig it  twice", "#task dig it", "#task ⏫ dig it"},
		{"[due:: 2026-12-05] dig", "sow", "[due:: 2026-12-05] sow"},
	} {
		if got, err := taskline.Parse(c[0]).Retitle(c[1]); got != c[2] || err != nil {
			t.Errorf("%s, as %s: %q, %v", c[0], c[1], got, err)
		}
	}
	if _, err := taskline.Parse("📅 2026-12-01").Retitle("Pay"); !errors.Is(err, taskline.ErrValue) {
		t.Error(err)
	}
	if _, err := taskline.Parse("Pay rent").Retitle("Pay rent ⏫"); !errors.Is(err, taskline.ErrValue) {
		t.Error(err)
	}
}

func TestNext(t *testing.T) {
	today := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC) // a Tuesday
	for _, row := range strings.Split(strings.TrimSpace(`
every day | 2026-11-20 | 2026-11-21
every day when done | 2026-11-20 | 2026-11-25
every 3 days | 2026-11-20 | 2026-11-23
every week | 2026-11-20 | 2026-11-27
every 2 weeks | 2026-11-20 | 2026-12-04
every other week | 2026-11-20 | 2026-12-04
every weekday | 2026-11-20 | 2026-11-23
every Monday | 2026-11-20 | 2026-11-23
every week on Monday, Thursday | 2026-11-23 | 2026-11-26
every 2 weeks on Tuesday and Thursday | 2026-11-26 | 2026-12-08
every month | 2026-01-31 | 2026-02-28
every month on the 1st | 2026-11-20 | 2026-12-01
every month on the last | 2026-11-30 | 2026-12-31
every month on the last Friday | 2026-11-20 | 2026-11-27
every month on the 2nd Tuesday | 2026-11-20 | 2026-12-08
every 3 months on the 15th | 2026-11-15 | 2027-02-15
every month on the 1st and 15th | 2026-11-02 | 2026-11-15
every year | 2024-02-29 | 2025-02-28
every January on the 15th | 2026-11-20 | 2027-01-15
every 6 months when done | 2026-01-01 | 2027-05-24
every Saturday, Sunday | 2026-11-20 | 2026-11-21
now and then | 2026-11-20 | 
every | 2026-11-20 | 
every 0 days | 2026-11-20 | 
every 99999999999 days | 2026-11-20 | 
every February on the 30th | 2026-11-20 | 
every week on the 1st | 2026-11-20 | 
every day on Monday | 2026-11-20 | 
every day until Friday | 2026-11-20 | 
`), "\n") {
		p := strings.Split(row, "|")
		rule, due, want := strings.TrimSpace(p[0]), strings.TrimSpace(p[1]), strings.TrimSpace(p[2])
		got, err := taskline.Parse("Water 🔁 " + rule + " 📅 " + due).Next(today)
		if want == "" {
			if !errors.Is(err, taskline.ErrRule) {
				t.Errorf("%s: %q, %v", rule, got, err)
			}
			continue
		}
		if got != "Water 🔁 "+rule+" 📅 "+want || err != nil {
			t.Errorf("%s: %q, %v, want %s", rule, got, err, want)
		}
	}
	got, err := taskline.Parse("Water #a ➕ 2026-01-01 🔁 every week 🛫 2026-11-18 ⏳ 2026-11-19 📅 2026-11-20 🆔 x1 ✅ 2026-11-20 ^w").Next(today)
	if want := "Water #a ➕ 2026-11-24 🔁 every week 🛫 2026-11-25 ⏳ 2026-11-26 📅 2026-11-27"; got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := taskline.Parse("Water 🔁 every week").Next(today); got != "Water 🔁 every week" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// An edit changes nothing but its field, whatever the text is.
func FuzzSet(f *testing.F) {
	f.Add("Pay ` 📅 2026-12-01` (due:: 2026-12-01) ⏫️ 🔁 every week ^b", "2027-01-01")
	f.Add("📅 2026-12-01 [due:: ]", "2027-01-01")
	f.Fuzz(func(t *testing.T, text, value string) {
		l := taskline.Parse(text)
		for _, key := range []taskline.Key{taskline.Due, taskline.Done, taskline.Priority} {
			out, err := l.Set(key, value, taskline.Emoji)
			if err != nil || value == "" {
				continue
			}
			if back, err := taskline.Parse(out).Set(key, l.Value(key), taskline.Emoji); l.Value(key) != "" && err == nil && key != taskline.Priority && back != text {
				t.Errorf("%q: set %s %q: %q, and back %q", text, key, value, out, back)
			}
		}
		_, _ = l.Next(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC))
	})
}
