package refer

import (
	"strings"
	"testing"
)

func titled(titles ...string) []map[string]any {
	var out []map[string]any
	for _, title := range titles {
		out = append(out, map[string]any{"title": title, "status": "open"})
	}
	return out
}

func titlesOf(tasks []map[string]any) string {
	var out []string
	for _, task := range tasks {
		out = append(out, text(task, "title"))
	}
	return strings.Join(out, "; ")
}

// What is done finds no task by itself, where a title says of what.
func TestTasksAreFoundByWhatTheyAreAbout(t *testing.T) {
	tasks := titled("Get quotes for the stairwell lights", "Call the council about the bins", "Paint the hull", "Order teak", "Pick up the lamp", "Book", "Find out how to cancel his oil contract", "Assign the backfill to Priya")
	for said, want := range map[string]string{
		"getting":                        "",
		"getting a new compressor":       "",
		"a call back":                    "",
		"call":                           "",
		"wants a call back on Tuesday":   "",
		"call the bank":                  "",
		"the bins":                       "Call the council about the bins",
		"the council call":               "Call the council about the bins",
		"quotes for the lights":          "Get quotes for the stairwell lights",
		"the lamp pickup":                "Pick up the lamp",
		"pick up":                        "",
		"the painting":                   "Paint the hull",
		"the teak":                       "Order teak",
		"order the new sail from Bremen": "",
		"book":                           "Book",
		"book a whole floor of the hotel in Graz with Lena": "",
		"the oil contract": "Find out how to cancel his oil contract",
		"Priya":            "",
	} {
		if found, _ := Tasks(said, tasks); titlesOf(found) != want {
			t.Errorf("%q finds %q, want %q", said, titlesOf(found), want)
		}
	}
}

// In another project a task is found by a thing that it names, if none at home has as much
// of it.
func TestTasksElsewhere(t *testing.T) {
	away := titled("Get quotes for the stairwell lights", "Call the council about the bins", "Paint the bins")
	home := titled("Service the compressor", "Check the lights")
	for said, want := range map[string]string{
		"getting":                             "",
		"paint":                               "",
		"lights":                              "",
		"the stairwell lights":                "Get quotes for the stairwell lights",
		"the council":                         "Call the council about the bins",
		"paint the bins":                      "Paint the bins",
		"Get quotes for the stairwell lights": "Get quotes for the stairwell lights",
	} {
		if found := TasksElsewhere(said, away, home); titlesOf(found) != want {
			t.Errorf("%q finds %q, want %q", said, titlesOf(found), want)
		}
	}
}

// A whole title that stands in what was said is one task, whatever parts were heard of it.
func TestSpeltTitles(t *testing.T) {
	tasks := titled("Choose the tiles and the paint", "Choose the tiles", "The paint", "Ring Bo")
	for said, want := range map[string]string{
		"delete choose the tiles and the paint": "Choose the tiles and the paint",
		"delete choose the tiles":               "Choose the tiles",
		"the tiles, the paint and Bo":           "The paint; the tiles",
	} {
		heard := []string{"the tiles", "the paint"}
		if !strings.Contains(said, "paint") {
			heard = heard[:1]
		}
		if got := strings.Join(Spelt(heard, said, tasks), "; "); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// A part of what a task names isn't all of it.
func TestPartly(t *testing.T) {
	const quotes = "Get three quotes from removal firms"
	for said, want := range map[string]bool{
		"got the first two quotes":                 true,
		"quote 3 is in":                            false,
		"scrap quote 3, no time":                   true,
		"two of three quotes are in":               true,
		"one of them has answered":                 true,
		"the second quote came":                    true,
		"half of the quotes are here":              true,
		"the quotes are nearly all in":             true,
		"got all three quotes":                     false,
		"the quotes are in":                        false,
		"got the quotes, 2 hours well spent":       false,
		"the quotes came in the end, one was dear": false,
	} {
		if Partly(said, quotes) != want {
			t.Errorf("%q: %v", said, !want)
		}
	}
}
