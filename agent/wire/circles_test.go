package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kist/agent/model"
)

// eventsOf is what an answer yields of pieces.
func eventsOf(pieces func(a *Answer)) (events []model.Event) {
	pieces(NewAnswer(func(e model.Event, err error) bool {
		if err == nil {
			events = append(events, e)
		}
		return true
	}))
	return events
}

// round reports after how many bytes of a text an answer was stopped for going in circles; 0: it wasn't.
func round(text string, size int, say func(a *Answer, piece string)) (after int) {
	events := eventsOf(func(a *Answer) {
		for at := 0; at < len(text) && !a.Over(); at += size {
			say(a, text[at:min(len(text), at+size)])
			after = min(len(text), at+size)
		}
		a.Stop(model.Length)
		a.End()
	})
	if events[len(events)-1].Stop != model.Circles {
		return 0
	}
	return after
}

func say(a *Answer, piece string) { a.Text(piece) }

// A model that says the same again and again is stopped, soon after it begins to, and
// wherever its stream is cut; also where it says it in ever new orders, or within one line,
// and where it thinks or calls so.
func TestCircles(t *testing.T) {
	var orders, numbered strings.Builder
	for i := range 400 {
		orders.WriteString([]string{"a project of a project called Houseboat, ", "a project of a project called Lantern Festival, ", "the project is a task of a project, "}[i*i%7%3])
		fmt.Fprintf(&numbered, "%d. You'll leave a message.\n", i)
	}
	for _, c := range []struct {
		text string
		part int // bytes that are repeated
	}{
		{orders.String(), 300}, {numbered.String(), 30},
		{repeated("- Follow: you'll leave a message.\n"), 34}, {repeated("the same words once more and "), 29},
		{repeated("x"), 1}, {repeated("I see. "), 7}, {repeated("OK.\n\n"), 5}, {repeated("море и лодка, "), 25}, {repeated("船は港にある。"), 21},
		{repeated("| a | b |\n|---|---|\n| one | two |\nAnd so on, as was said before.\n"), 70}, {repeated(longPart()), len(longPart())},
		{`{"say":"Yes.","call":` + repeated("\n"), 22},
	} {
		for _, size := range []int{1, 7, 5000} {
			if after := round(c.text, size, say); after <= 0 || after > roundOld+(roundSeen+1)*c.part+stretch+size {
				t.Errorf("%.40q by %d: stopped after %d bytes", c.text, size, after)
			}
		}
	}
	text := repeated("the same words once more and ")
	if after := round(text, 7, func(a *Answer, piece string) { a.Thinking(piece) }); after <= 0 || after > 1500 {
		t.Errorf("thoughts: stopped after %d bytes", after)
	}
	call := func(a *Answer, piece string) {
		text, _ := json.Marshal(piece)
		a.Call(Part{Index: new(int), Name: "create_note", Arguments: text})
	}
	if after := round(`{"text":"`+text, 7, call); after <= 0 || after > 1500 {
		t.Errorf("a call: stopped after %d bytes", after)
	}
	if after := round(`{"text":"`+text[:3000]+`"}`, 9000, call); after != 0 {
		t.Error("a call that is whole is taken for one that goes in circles")
	}
}

func repeated(part string) string { return strings.Repeat(part, 20000/len(part)) }

// longPart is a paragraph of words that differ.
func longPart() string {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "w%d ", i*i)
	}
	return b.String() + "and so on.\n"
}

// What is alike in parts is no circle.
func TestNoCircles(t *testing.T) {
	var list, table, day strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "- [ ] Task %d of the plan\n  - Status: not started yet\n  - Owner: nobody so far\n  - Due: to be agreed with the yard\n", i*i)
		fmt.Fprintf(&table, "| day %d | yes | no | yes | no |\n", i*7)
		fmt.Fprintf(&day, "| %02d:%02d | | | | | | | |\n", i/4, i%4*15)
	}
	verse := strings.Repeat("Row, row, row your boat,\nGently down the stream,\nMerrily, merrily, merrily, merrily,\nLife is but a dream.\n\n", 6)
	for _, text := range []string{
		list.String(), table.String(), day.String(), verse, strings.Repeat("- [ ] yes\n- [ ] no\n\n| a | b |\n|---|---|\n", 20), strings.Repeat("-", 800),
		strings.Repeat("This must not happen again.\n", 20),
	} {
		if after := round(text, 5, say); after != 0 {
			t.Errorf("taken for circles: %.60q after %d", text, after)
		}
	}
}
