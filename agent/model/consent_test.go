package model

import "testing"

func TestConsentOf(t *testing.T) {
	tests := map[Consent][]string{
		Go:  {"go", "Go!", "go ahead", "build it", "execute", "do it", "Do it.", "yes do that", "Yes, do that!", "ok, do it please", "yes please go ahead", "please proceed", "let's do it", "sure, go for it", "okay then, build it now", "yes please do", "yes, you may"},
		Yes: {"yes", "Yes please", "yeah", "ok", "sure", "sounds good", "of course yes", "yes, perfect", "of course", "by all means", "sounds good to me", "fine by me"},
		No:  {"no", "no thanks", "nope", "never mind", "cancel that", "no, don't do it", "don't do it", "do not do it", "forget it", "please don't", "not now"},
		NoConsent: {"go to the shop", "go over the budget with me", "don't go there", "do it tomorrow", "yes but call Bo first", "build it with teak", "should I go?", "go?", "", "   ",
			"the agent said \"go\"", "I like to go", "execute the plan for the garden", "don't do it unless Bo agrees", "no wait, yes", "go back", "good morning", "not the boat", "do that later", "is it ok", "perfect, thanks", "great", "ok thanks", "May", "do", "thank you very much"},
	}
	for want, texts := range tests {
		for _, text := range texts {
			if got := ConsentOf(text); got != want {
				t.Errorf("ConsentOf(%q) = %d, want %d", text, got, want)
			}
		}
	}
}
