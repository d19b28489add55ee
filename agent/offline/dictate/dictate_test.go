package dictate

import "testing"

// What is dictated, asked and added, told from what only has such words.
func TestRead(t *testing.T) {
	for said, want := range map[string]Dictation{
		"note titled Method: photograph each quadrat twice, count live and dead ones": {Write, "", "Method", "Photograph each quadrat twice, count live and dead ones"},
		`Please make a note called "Furniture": the oak table goes to me.`:            {Write, "", "Furniture", "The oak table goes to me."},
		"Got it. Write a note with the title “Questions for Lindqvist”: how many?":    {Write, "Got it.", "Questions for Lindqvist", "How many?"},
		"can you make a note about the roof: two slates are loose":                    {Write, "", "roof", "Two slates are loose"},
		"start a note called Packing list":                                            {Write, "", "Packing list", ""},
		"and add to the note that we use a 25 cm grid":                                {Join, "", "", "We use a 25 cm grid"},
		"Put on that note that the sewing machine is for Elke.":                       {Join, "", "", "The sewing machine is for Elke."},
		"add the long ladder to the note about the roof":                              {Join, "", "roof", "The long ladder"},
		"add to the roof note: the ladder":                                            {Join, "", "roof", "The ladder"},
		"On that note, also write that Bo pays":                                       {Join, "", "", "Bo pays"},
		"add that to the method note please":                                          {Join, "", "method", ""},
		"add to the note called Method that we count twice":                           {Join, "", "Method", "We count twice"},
		"what did i write about the method?":                                          {Show, "", "method", ""},
		"What's in the furniture note?":                                               {Show, "", "furniture", ""},
		"what does the note about the roof say":                                       {Show, "", "roof", ""},
		"show me that note again":                                                     {Show, "", "", ""},
		"Was hatte ich zu den Möbeln notiert?":                                        {Show, "", "Möbeln", ""},

		"today's note: bought milk. Fed the cat.":               {Today, "", "", "bought milk. Fed the cat."},
		"Note for today: the roof leaks":                        {Today, "", "", "the roof leaks"},
		"put in my daily note that Bo pays":                     {Today, "", "", "Bo pays"},
		"daily note: slept badly":                               {Today, "", "", "slept badly"},
		"schreib Pumpe geprüft in die heutige Notiz":            {Today, "", "", "Pumpe geprüft"},
		"füge zur heutigen Notiz hinzu: Pumpe läuft":            {Today, "", "", "Pumpe läuft"},
		"zur heutigen Notiz: Öl gekauft":                        {Today, "", "", "Öl gekauft"},
		"schreib in die heutige Notiz, dass Bo angerufen hat":   {Today, "", "", "Bo angerufen hat"},
		"trag in die Tagesnotiz ein: Öl":                        {Today, "", "", "Öl"},
		"trage Öl gekauft in die Tagesnotiz ein":                {Today, "", "", "Öl gekauft"},
		"was steht in der heutigen Notiz?":                      {OfDay, "", "today", ""},
		"schreibe eine Aufgabe in die heutige Notiz: Öl kaufen": {Chore, "", "", "Öl kaufen"},
		"add a task to today's note: call mum":                  {Chore, "", "", "Call mum"},
		"add the task call mum to today's note":                 {Chore, "", "", "Call mum"},
		"add call mum to today's note as a task":                {Chore, "", "", "Call mum"},
		"put call mum as a todo in today's note, please":        {Chore, "", "", "Call mum"},
		"today's note: todo: call mum":                          {Chore, "", "", "Call mum"},
		"today's note?":                                         {OfDay, "", "today", ""},
		"show me yesterday's note":                              {OfDay, "", "yesterday", ""},
		"what is in last Monday's daily note?":                  {OfDay, "", "last Monday", ""},
		"append to yesterday's note: was ill":                   {Today, "", "yesterday", "was ill"},
		"note in tomorrow's daily note: dentist at 9":           {Today, "", "tomorrow", "dentist at 9"},
		"put in the daily note for Friday that Bo pays":         {Today, "", "Friday", "Bo pays"},
		"add a task to the daily note of 3 December: call mum":  {Chore, "", "3 December", "Call mum"},
		"add to Monday's note: gym":                             {Today, "", "Monday", "gym"},
		"add to Anna's note: gym":                               {},
		"log in today's note that I met Anna":                   {Today, "", "", "I met Anna"},
		"note for Friday: bring the forms":                      {},
		"today's note is too long, I think":                     {},
		"my journal has a red cover":                            {},
		"add a task for the daily note template: fix date":      {},

		"note: the marina opens at eight": {}, "what have I to do": {}, "add a task to note the times": {}, "on that note, goodbye": {},
		"I wrote a note to the landlord": {}, "delete the note about the roof": {}, "take note of the time": {}, "note that Bo pays": {}, "make a note of the time": {},
	} {
		if got := Read(said); got != want {
			t.Errorf("%q: %+v, want %+v", said, got, want)
		}
	}
}
