/*
Package dimension names the nine dimensions: the sides from which a project is looked
at. [All] lists them, [Of] finds the one that somebody means.

It is the one place for their keys and headings, which are part of the file format: a
dimension's text is a section of the project's or draft's document under its heading,
and front matter, tools and sessions name it by its key. What belongs to a dimension,
when it is asked about and what a text on it is worth is said elsewhere.
*/
package dimension

import (
	"strings"
	"unicode"
)

// The keys.
const (
	Integrity   = "integrity_ideals"
	People      = "people_bonds"
	Goals       = "goals_momentum"
	Meaning     = "meaning_identity"
	Reality     = "reality_understanding"
	Trust       = "trust_safeguards"
	Opportunity = "opportunity_freedom"
	Resources   = "power_resources"
	Harmony     = "harmony_integration"
)

// A Dimension is one of the nine.
type Dimension struct {
	Key     string
	Heading string // of its section
}

// All returns the nine in the order in which a new document has them.
func All() []Dimension {
	return []Dimension{
		{Integrity, "Integrity & Ideals"},
		{People, "People & Bonds"},
		{Goals, "Goals & Momentum"},
		{Meaning, "Meaning & Identity"},
		{Reality, "Reality & Understanding"},
		{Trust, "Trust & Safeguards"},
		{Opportunity, "Opportunity & Freedom"},
		{Resources, "Power & Resources"},
		{Harmony, "Harmony & Integration"},
	}
}

// Keys returns the keys of all, in the same order.
func Keys() []string {
	var keys []string
	for _, d := range All() {
		keys = append(keys, d.Key)
	}
	return keys
}

// Of returns the dimension that a key or a heading means. Case, a prefix "core_", and
// how "and" is written make no difference.
func Of(nameOrHeading string) (Dimension, bool) {
	want := words(nameOrHeading)
	for _, d := range All() {
		if words(d.Key) == want {
			return d, true
		}
	}
	return Dimension{}, false
}

// words reduces a key or heading to its two words.
func words(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) > 0 && words[0] == "core" {
		words = words[1:]
	}
	if len(words) == 3 && words[1] == "and" {
		words = []string{words[0], words[2]}
	}
	return strings.Join(words, " ")
}
