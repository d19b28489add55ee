package recall

import "testing"

// What Extract gates stays out, and what it is sure of as well.
func TestDoubtful(t *testing.T) {
	for text, want := range map[string]int{
		"The shed behind the mill belongs to Ruth's aunt.":                         1,
		"The slipway takes boats of up to nine metres. Ruth's aunt owns the shed.": 2,
		"My electrician is Bo Lind.":                                               0, // Extract has it
		"Maybe the shed behind the mill belongs to Ruth.":                          0,
		"Ruth says that the shed behind the mill is hers.":                         0,
		"I need to paint the shed behind the mill.":                                0,
		"Add a task to paint the shed behind the mill.":                            0,
		"Does the shed behind the mill belong to Ruth?":                            0,
		"The shed's password is hunter2 and the PIN is 4711.":                      0,
		"The shed behind the mill belongs to me, just kidding.":                    0,
		"Ruth is ill.": 0,
		"Der Schuppen hinter der Mühle gehört der Tante von Ruth, und er ist trocken.": 0,
		"Today the shed behind the mill is wet.":                                       0,
	} {
		got := Doubtful(text, Options{})
		if len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
		for _, c := range got {
			if c.Confidence >= Sure || c.Confidence <= 0 || c.Content != capital(text[c.Span[0]:c.Span[1]]) {
				t.Errorf("%q: %+v", text, c)
			}
		}
	}
	if got := Doubtful("The shed behind the mill belongs to Ruth.", Options{Recalled: []string{"The shed behind the mill belongs to Ruth"}}); len(got) > 0 {
		t.Errorf("what was shown is found again: %+v", got)
	}
}

func TestQuotes(t *testing.T) {
	c := Candidate{Content: "The shed behind the mill belongs to Ruth's aunt"}
	for quotation, want := range map[string]bool{
		"shed behind the mill":      true,
		"The shed  behind the MILL": true,
		"the shed of the mill":      false,
		"":                          false,
	} {
		if c.Quotes(quotation) != want {
			t.Errorf("%q", quotation)
		}
	}
}
