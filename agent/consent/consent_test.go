package consent

import (
	"strings"
	"testing"
)

func TestDoubts(t *testing.T) {
	for text, want := range map[string]bool{
		"hm wait": true, "let me think about it": true, "not sure yet": true, "warte mal": true, "maybe later": true,
		"": false, "who is bo?": false, "make it the 8th": false, "wait for the permit": false, "go": false, "no": false,
	} {
		if got := Doubts(text); got != want {
			t.Errorf("Doubts(%q) = %v", text, got)
		}
	}
}

func TestRead(t *testing.T) {
	tests := map[Reply][]string{
		Go: {"make it so", "you may go ahead", "be my guest", "sounds right, go", "jo mach", "kannst du machen", "do it because the season is over", "no problem, carry on", "go", "Go!", "go ahead", "please do", "please do, thank you", "perfect, thanks, go ahead", "build it", "execute", "do it", "Do it.", "yes do that", "Yes, do that!", "ok, do it please", "yes please go ahead", "please proceed",
			"let's do it", "sure, go for it", "okay then, build it now", "yes please do", "yes, you may", "los", "ja, mach das", "leg los!"},
		Yes: {"y", "aye", "ack", "mhm", "+1", "👍", "passt so, danke dir", "I agree", "yes, that's exactly what I want", "das geht in Ordnung", "yes", "Yes please", "yeah", "ok", "sure", "sounds good", "of course yes", "yes, perfect", "of course", "by all means", "sounds good to me", "fine by me", "ja", "ja bitte", "klar", "einverstanden",
			"that would be lovely, thank you", "that'd be great, thanks", "Yes, that would be wonderful", "oh yes please", "I'd like that", "I would love that, thank you", "sounds lovely", "sounds perfect, thanks", "that works for me", "das wäre schön, danke"},
		No: {"no", "no thanks", "nope", "never mind", "cancel that", "no, don't do it", "don't do it", "do not do it", "forget it", "please don't", "not now", "no, keep it", "no, leave it as it is",
			"better not", "I changed my mind", "no, I've changed my mind", "rather not", "no, I'd rather keep it", "leave it", "nein", "nein, lass es so", "lieber nicht", "nein danke"},
		Keep: {"keep it", "leave it as it is", "please leave them alone", "behalte es", "lass es so"},
		Other: {"go to the shop", "go over the budget with me", "don't go there", "do it tomorrow", "yes but call Bo first", "build it with teak", "should I go?", "go?", "", "   ",
			"the agent said \"go\"", "I like to go", "execute the plan for the garden", "don't do it unless Bo agrees", "no wait, yes", "go back", "good morning", "not the boat", "do that later",
			"is it ok", "perfect, thanks", "great", "ok thanks", "May", "do", "thank you very much", "wait", "hold on", "hmm", "no, the 8th", "keep the note about the roof", "yes, keep it", "leave it to me",
			"er sagte „los“", "ja, aber später", "yes and no", "go, no wait", "ok thank you", "okay, thank you very much", "danke",
			"it would be nice", "would that be good", "that would be all, thanks", "that would be good to know", "that would have been lovely", "that was lovely, thank you", "I'd like that one", "I would like to wait",
			"ok, thank you, no worries", "ok 👎", "yes 🤔", "delete it", "ja, löschen", "do it, I won't miss it", "yes please that one", "yes, I need it", "you can go", "na ja", "ok, makes sense",
			"that would be lovely but later", "I like that", "lovely, thank you", "oh", "that's so kind of you", "that sounds like a lot"},
	}
	for want, texts := range tests {
		for _, text := range texts {
			if got := Read(text); got != want {
				t.Errorf("Read(%q) = %d, want %d", text, got, want)
			}
		}
	}
}

// A word may be as long as a message, and is not copied with each of its letters.
func TestLongWords(t *testing.T) {
	text := "yes " + strings.Repeat("x", 100_000)
	if n := testing.AllocsPerRun(1, func() { tokens(text) }); n > 1000 {
		t.Errorf("%v allocations", n)
	}
	if got := tokens(text); len(got) != 2 || got[1].word != text[4:] {
		t.Errorf("%d words", len(got))
	}
}
