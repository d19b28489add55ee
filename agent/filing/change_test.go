package filing

import "testing"

// What asks for a change, and what only asks, tells or talks.
func TestAsksChange(t *testing.T) {
	for text, want := range map[string]bool{
		"Add a task to oil the deck":                          true,
		"Please rename the houseboat project to Ark":          true,
		"can you remind me to call the welder on Friday?":     true,
		"Delete the note about the keel.":                     true,
		"Undo that":                                           true,
		"Lösch die Aufgabe mit dem Öl":                        true,
		"Añade una tarea: comprar leche para mañana":          true,
		"Crée une tâche pour acheter du lait":                 true,
		"タスクを追加して 牛乳を買う":                                      true,
		"¿Qué hay que hacer esta semana en la casa?":          false,
		"Why do you think the sky is blue, in your own view?": false,
		"What is due this week?":                              false,
		"did you add it?":                                     false,
		"Explain to me why the varnish peels off.":            false,
		"Write three names for the boat that begin with H.":   false,

		"Translate \"the hull is dry\" into French":          false,
		"Tell me a joke about welders":                       false,
		"Give me an example of a JSON config with a name":    false,
		"Show me how a call of create_task looks":            false,
		"Summarize the last meeting":                         false,
		"Hello there":                                        false,
		"thanks":                                             false,
		"Imagine you are a boat builder. What would you do?": false,
		"Draft an email to the welder about the delay":       false,
	} {
		turn := plainTurn()
		turn.Text = text
		if got := turn.AsksChange(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
