package recall

import "testing"

// What turns to another matter, surely or likely.
func TestTurns(t *testing.T) {
	for text, want := range map[string][2]bool{
		"A different matter: our car needs a new gearbox":  {true, false},
		"car's service is due on the 9th, diff thing":      {true, false},
		"Now this is something else entirely.":             {true, false},
		"Separately, I keep the club's accounts":           {true, false},
		"Oh, and I have the choir's money to count":        {false, true},
		"oh and twelve bags of sand":                       {false, false},
		"While I'm here, I have to ring the dentist":       {false, true},
		"By the way, something quite different: my eyes":   {true, true},
		"I must book the MOT, nothing to do with the show": {true, false},
		"by the way the lift is broken":                    {false, true},
		"also my sister comes on Sunday":                   {false, true},
		"also tape and boxes":                              {false, false},
		"we took different tiles":                          {false, false},
		"that's a separate bill":                           {false, false},
		"she has a different story about it":               {false, false},
		"the other one is broken":                          {false, false},
	} {
		if sure, likely := Turns(text); sure != want[0] || likely != want[1] {
			t.Errorf("%q: %v, %v", text, sure, likely)
		}
	}
}
