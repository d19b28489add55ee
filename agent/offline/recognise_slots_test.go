package offline

import (
	"fmt"
	"strings"
	"testing"
)

// TestSlots checks what recognisers take out of a message besides its intent.
func TestSlots(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"rename the houseboat to Ark", "rename_project houseboat-renovation name=Ark"},
		{"rename this project to the long way home", "rename_project name=The Long Way Home"},
		{"I'd like the coffee shop to be called Bean", "rename_project coffee-shop name=Bean"},
		{"change the houseboat's name to “Sea Home”", "rename_project houseboat-renovation name=Sea Home"},
		{"rename the fitness app", "rename_project fitness-app"},
		{"merge the recipe app into the fitness app", "merge_projects recipe-app into=fitness-app"},
		{"merge this into the houseboat renovation", "merge_projects into=houseboat-renovation"},
		{"make the recipe app part of the fitness app", "merge_projects recipe-app into=fitness-app"},
		{"the coffee shop is closed for good, archive it", "archive_project coffee-shop"},
		{"archive the houseboat", "archive_project houseboat-renovation"},
		{"delete the recipe app project", "delete_project recipe-app"},
		{"delete the task order cable", "delete_task title=order cable"},
		{"take order cable off my list please", "delete_task title=order cable"},
		{"forget what I told you about Bo's salary", "forget_memory text=Bo's salary"},
		{"forget that I prefer tea", "forget_memory text=I prefer tea"},
		{"move the memory about the roaster to the coffee shop", "move_memory coffee-shop text=roaster"},
		{"help me set up a new project", "start_mode project_create"},
		{"let me update you on the houseboat", "start_mode houseboat-renovation project_update"},
		{"what's wrong with the coffee shop plan?", "start_mode coffee-shop project_audit"},
		{"when will the houseboat be done?", "start_mode houseboat-renovation project_forecast"},
		{"let's go through my tasks", "start_mode task_update"},
		{"how complete is the coffee shop?", "completeness coffee-shop"},
		{"abandon the bakery draft", "abandon_draft name=bakery"},
		{"discard my draft of the bakery", "abandon_draft name=bakery"},
		{"the houseboat has a leak", "none houseboat-renovation elsewhere"},
		{"use the colours of the coffee shop for the icon", "ask coffee-shop borrow text=colours"},
		{"compare the coffee shop and the houseboat", "ask coffee-shop|houseboat-renovation compare text=coffee shop houseboat"},
		{"swithc to the houseboot", "switch houseboat-renovation"},
	} {
		r := reader{testSituation("fitness-app")}
		m := leading(r.read(test.text))
		if got := slots(m); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

func slots(m meaning) string {
	out := []string{string(m.intent)}
	if s := slugs(m.project); s != "" {
		out = append(out, s)
	}
	for _, slot := range []struct{ name, value string }{{"", m.about}, {"into=", slugs(m.other)}, {"name=", m.name}, {"title=", m.title}, {"text=", m.text}} {
		if slot.value != "" && !(slot.name == "name=" && m.intent == ask) {
			out = append(out, slot.name+slot.value)
		}
	}
	return fmt.Sprint(strings.Join(out, " "))
}

func slugs(ref reference) string {
	var out []string
	for _, p := range ref.found {
		out = append(out, p.Slug)
	}
	return strings.Join(out, "|")
}
