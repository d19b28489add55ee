package obsidian_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"kist/vault/obsidian"
)

func settings(files map[string]string) obsidian.Settings {
	return obsidian.Parse(func(name string) []byte {
		if text, ok := files[name]; ok {
			return []byte(text)
		}
		return nil
	})
}

func TestSettings(t *testing.T) {
	s := settings(map[string]string{
		"app.json":                             `{"userIgnoreFilters": ["Archive/", "/\\.excalidraw\\.md$/", "/(?<=bad/", ""], "other": 1}`,
		"templates.json":                       `{"folder": "/Meta/Templates/"}`,
		"plugins/templater-obsidian/data.json": `{"templates_folder": "Meta/Temps", "trigger_on_file_creation": true}`,
		"daily-notes.json":                     `{"folder": "Journal", "format": "YYYY/MM-MMMM/YYYY-MM-DD-dddd", "template": "Meta/Day"}`,
	})
	for p, want := range map[string]bool{
		"Archive/a.md": true, "Archives.md": false, "x/Archive/a.md": false, "b.excalidraw.md": true, "Meta/Templates/x.md": true, "Meta/Temps/x.md": true,
		"Meta/Day.md": true, "Meta/Days.md": false, "a.md": false,
	} {
		if got := s.LeavesOut(p); got != want {
			t.Errorf("%s left out: %v", p, got)
		}
	}
	if len(s.Unread) != 1 || s.Unread[0].File != "app.json" || !strings.Contains(s.Unread[0].What, `"/(?<=bad/"`) {
		t.Errorf("unread: %+v", s.Unread)
	}
	day := time.Date(2026, 11, 3, 9, 5, 0, 0, time.UTC)
	if got, want := s.Daily.Path(day), "Journal/2026/11-November/2026-11-03-Tuesday.md"; got != want {
		t.Errorf("got %s", got)
	}
}

// Where Periodic Notes makes the notes of days, its settings count, and not where it is switched off.
func TestPeriodicNotes(t *testing.T) {
	day := time.Date(2026, 11, 3, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct{ daily, plugins, want string }{
		{`"enabled": true`, `["periodic-notes"]`, "PN/2026-11-03.md"},
		{`"enabled": true`, ``, "PN/2026-11-03.md"},
		{`"enabled": true`, `["dataview"]`, "Journal/2026-11-03.md"},
		{`"enabled": false`, `["periodic-notes"]`, "Journal/2026-11-03.md"},
	} {
		s := settings(map[string]string{
			"daily-notes.json":                 `{"folder": "Journal"}`,
			"plugins/periodic-notes/data.json": `{"daily": {"folder": "PN", "format": "", "template": "T/Day", ` + c.daily + `}, "weekly": {"enabled": true}}`,
			"community-plugins.json":           c.plugins,
		})
		if got := s.Daily.Path(day); got != c.want || s.LeavesOut("T/Day.md") != strings.HasPrefix(got, "PN") {
			t.Errorf("%s, %s: %s", c.daily, c.plugins, got)
		}
	}
}

// Settings may be anything: what can't be read says nothing, and nothing leads out.
func TestHostileSettings(t *testing.T) {
	day := time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"", "{", "[]", `{"folder": 3}`, `{"folder": "../../etc", "template": "/../x", "format": "[../../x]"}`, `{"format": "[/etc/passwd\u0000]"}`, `{"format": "..//.."}`,
		strings.Repeat("[", 100_000),
	} {
		s := settings(map[string]string{"app.json": text, "templates.json": text, "daily-notes.json": text})
		if got := s.Daily.Path(day); got != "2026-11-03.md" {
			t.Errorf("%.80q: %s", text, got)
		}
		if broken := text == "{" || text == "[]" || text == ""; broken && len(s.Unread) != 3 {
			t.Errorf("%q: unread are %+v", text, s.Unread)
		}
		if s.LeavesOut("a.md") {
			t.Errorf("%.80q leaves out a.md", text)
		}
	}
}

func TestFormat(t *testing.T) {
	at := time.Date(2027, 1, 1, 15, 4, 5, 0, time.UTC) // a Friday, in the last ISO week of 2026
	for format, want := range map[string]string{
		"YYYY-MM-DD": "2027-01-01", "GGGG-[W]WW": "2026-W53", "gggg-[W]ww": "2027-W01", "dddd, Do MMMM YY": "Friday, 1st January 27",
		"ddd dd d E": "Fri Fr 5 5", "DDDD Q HH:mm h a": "001 1 15:04 3 pm", "[Day] D.M.": "Day 1.1.", "[open": "[open",
	} {
		if got := obsidian.Format(format, at); got != want && format != "[open" {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
	if got, want := obsidian.Fill("# {{Title}}\n{{date}} {{ TIME }} {{Date:DD.MM.}} {{X}} {{", "A", at), "# A\n2027-01-01 15:04 01.01. {{X}} {{"; got != want {
		t.Errorf("got %q", got)
	}
}

// All but one folder is a pattern that only JavaScript has.
func TestAllButOneFolder(t *testing.T) {
	for pattern, want := range map[string]string{
		`/^(?!Work).*$/`:           "Priv/t.md",
		`/^(?!(Work|Pri[)x])\/)./`: "Priv/t.md",
		`/^(?!Priv|Work)/`:         "",
		`/^(?!Work)a|Work/`:        "", // not read
		`/^(?!Work/`:               "",
		`/^(?=Work)/`:              "",
	} {
		app, err := json.Marshal(map[string][]string{"userIgnoreFilters": {pattern}})
		if err != nil {
			t.Fatal(err)
		}
		s := obsidian.Parse(func(name string) []byte {
			if name == "app.json" {
				return app
			}
			return nil
		})
		var got []string
		for _, p := range []string{"Priv/t.md", "Work/t.md"} {
			if s.LeavesOut(p) {
				got = append(got, p)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s leaves out %q, want %q", pattern, got, want)
		}
	}
}
