package interpret

import (
	"strings"
	"testing"

	"kist/agent/intent"
	"kist/agent/offline/offlinetest"
)

// Nothing is changed by what is refused, supposed, told, quoted or asked.
func TestVetoes(t *testing.T) {
	r := Reader{sit: offlinetest.Situation("coffee-shop")}
	for _, text := range []string{
		"don't delete the houseboat project", "please never archive the fitness app", "if the bank says no, delete the houseboat project",
		"he said: delete the houseboat project", "\"delete the houseboat project\" is what the email said", "I almost deleted the houseboat project",
		"should I delete the houseboat project?", "Leo wants to delete the houseboat project", "delete the houseboat project, no wait",
		"what if I merged the houseboat into the fitness app?", "unless Bo objects, rename this project to Ark", "did you archive the houseboat?",
		"I told you not to undo anything", "suppose we switched to the houseboat", "would you undo it if it rained?",
	} {
		for _, m := range r.Read(text) {
			if takesAway(m.Intent) || m.Intent == intent.Switch {
				t.Errorf("%q: %s", text, m.Intent)
			}
		}
	}
	for text, want := range map[string]string{
		"delete the houseboat project": "delete_project", "could you please archive the fitness app?": "archive_project",
		"not the shop, the houseboat": "switch", "instead of the shop let's talk about the houseboat": "switch",
	} {
		if m := leading(r.Read(text)); called(m) != want {
			t.Errorf("%q: %s, want %s", text, called(m), want)
		}
	}
}

// The commonest commands in German.
func TestGerman(t *testing.T) {
	r := Reader{sit: offlinetest.Situation("coffee-shop")}
	tests := []struct{ text, intent, argument string }{
		{"Ich muss bis Freitag die Miete zahlen", "add_task", "Die Miete zahlen|2026-11-27"},
		{"Erinnere mich daran, morgen den Vermieter anzurufen", "add_task", "Den Vermieter anzurufen|2026-11-22"},
		{"Neue Aufgabe: Kabel bestellen bis 15.3.", "add_task", "Kabel bestellen|2027-03-15"},
		{"Notiz: die Wand ist feucht", "add_note", "Die Wand ist feucht"},
		{"Wir haben entschieden, dass wir Teak nehmen", "add_decision", "Wir Teak nehmen"},
		{"Merk dir, dass ich keinen Fisch esse", "remember", "Ich keinen Fisch esse"},
		{"Lass uns über das Hausboot reden", "switch", "hausboot"},
		{"zurück", "back", ""},
		{"Kabel bestellen ist erledigt", "complete_task", "Kabel bestellen"},
		{"verschiebe Kabel bestellen auf Montag", "update_task", "Kabel bestellen|2026-11-23"},
		{"lösche die Aufgabe Kabel bestellen", "delete_task", "Kabel bestellen"},
		{"was steht diese Woche an?", "list_tasks", "week"},
		{"benenne das Projekt in Kaffeehaus um", "rename_project", "Kaffeehaus"},
	}
	boat := offlinetest.Projects()[0]
	boat.Slug, boat.Name = "hausboot", "Hausboot"
	r.sit.Projects = append(r.sit.Projects, boat)
	for _, test := range tests {
		m := leading(r.Read(test.text))
		got := strings.Join(m.Titles, ", ") + m.Text + m.Name + m.Scope
		for _, item := range m.Todos {
			got += item.Title + "|" + item.Due
		}
		if m.Change.Due != "" {
			got += "|" + m.Change.Due
		}
		if m.Intent == intent.Switch {
			got = referred(m)
		}
		if m.Intent == intent.Remember || m.Intent == intent.AddNote {
			got = m.Text
		}
		if called(m) != test.intent || got != test.argument {
			t.Errorf("%q: %s %q, want %s %q", test.text, called(m), got, test.intent, test.argument)
		}
	}
}
