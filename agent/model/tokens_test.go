package model

import (
	"strings"
	"testing"
)

// TestTokensOfIndentedText: a tokenizer has tokens of many spaces, so that a line costs
// little more for being indented.
func TestTokensOfIndentedText(t *testing.T) {
	line := "the licence grants you these rights"
	flat, indented := Tokens(strings.Repeat(line+"\n", 100)), Tokens(strings.Repeat("        "+line+"\n", 100))
	if indented <= flat || indented > flat*5/4 {
		t.Errorf("%d, indented %d", flat, indented)
	}
	if Tokens("a b c d") <= Tokens("abcd") {
		t.Error("single spaces cost nothing")
	}
}
