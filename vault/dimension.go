package vault

import (
	"strings"
	"unicode"
)

// A Dimension is one of the nine sides from which a project is looked at. Its text
// is a section of the project's or draft's document.
type Dimension struct {
	Key     string // as tools and front matter name it
	Heading string // of its section
}

// Dimensions returns the nine dimensions in the order in which a new document has them.
func Dimensions() []Dimension {
	return []Dimension{
		{"integrity_ideals", "Integrity & Ideals"},
		{"people_bonds", "People & Bonds"},
		{"goals_momentum", "Goals & Momentum"},
		{"meaning_identity", "Meaning & Identity"},
		{"reality_understanding", "Reality & Understanding"},
		{"trust_safeguards", "Trust & Safeguards"},
		{"opportunity_freedom", "Opportunity & Freedom"},
		{"power_resources", "Power & Resources"},
		{"harmony_integration", "Harmony & Integration"},
	}
}

// DimensionOf returns the dimension that a key or a heading means. Case, a prefix
// "core_", and how "and" is written make no difference.
func DimensionOf(nameOrHeading string) (Dimension, bool) {
	want := dimensionWords(nameOrHeading)
	for _, d := range Dimensions() {
		if dimensionWords(d.Key) == want {
			return d, true
		}
	}
	return Dimension{}, false
}

// dimensionWords reduces a key or heading to its two words.
func dimensionWords(s string) string {
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
