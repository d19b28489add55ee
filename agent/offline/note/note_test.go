package note

import "testing"

func TestOrdersAreReadOfNotes(t *testing.T) {
	for said, want := range map[string]Order{
		"rename the note Kitchen to Kitchen plan":                  {What: Rename, Note: "Kitchen", To: "Kitchen plan", Sure: true},
		"could you rename the kitchen note to “Kitchen: plan”":     {What: Rename, Note: "kitchen", To: "Kitchen: plan", Sure: true},
		"The note Road to Rome should be called Roads.":            {What: Rename, Note: "Road to Rome", To: "Roads", Sure: true},
		"rename [[Home/Kitchen|here]] to Soups, please":            {What: Rename, Note: "Home/Kitchen", To: "Soups", Sure: true},
		"rename Kitchen to Galley":                                 {What: Rename, Note: "Kitchen", To: "Galley"},
		"move the note Kitchen to Archive/2026/":                   {What: Move, Note: "Kitchen", To: "Archive/2026/", Sure: true, Folder: true},
		"move Kitchen to the Archive folder":                       {What: Move, Note: "Kitchen", To: "Archive/", Folder: true},
		"delete Home/Kitchen.md":                                   {What: Delete, Note: "Home/Kitchen.md", Sure: true},
		"add a task to Kitchen: order: the sink":                   {What: Task, Note: "Kitchen", To: "order: the sink"},
		"append to the note Kitchen: the #tap drips, **it** _is_.": {What: Line, Note: "Kitchen", To: "the #tap drips, **it** _is_.", Sure: true},
		"show me open tasks in the note Bath room?":                {What: List, Note: "Bath room", To: "show me open tasks", Sure: true},
		"tasks in progress":                                        {},
		"move the pond to Friday":                                  {},
		"delete the note about the roof":                           {},
		"rename the project Boat to Ship":                          {},
		"add to today's note: it rains":                            {},
	} {
		if got, _ := Read(said); got != want {
			t.Errorf("%q: %+v, want %+v", said, got, want)
		}
	}
}
