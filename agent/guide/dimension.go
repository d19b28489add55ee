package guide

import "slices"

// The nine dimensions of a project, by the keys that drafts and sessions use.
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

// Relevant is the score (of 10) from which a dimension is asked about.
const Relevant = 6.0

// Dimensions returns all keys in the order in which project.md lists them.
func Dimensions() []string {
	return []string{Integrity, People, Goals, Meaning, Reality, Trust, Opportunity, Resources, Harmony}
}

// Core returns the dimensions that every project is asked about, in the order of
// asking: what is there, what it should become, and by when.
func Core() []string { return []string{Reality, Integrity, Goals} }

// Title returns a dimension's heading in project.md; "" if key isn't one.
func Title(key string) string {
	switch key {
	case Integrity:
		return "Integrity & Ideals"
	case People:
		return "People & Bonds"
	case Goals:
		return "Goals & Momentum"
	case Meaning:
		return "Meaning & Identity"
	case Reality:
		return "Reality & Understanding"
	case Trust:
		return "Trust & Safeguards"
	case Opportunity:
		return "Opportunity & Freedom"
	case Resources:
		return "Power & Resources"
	case Harmony:
		return "Harmony & Integration"
	}
	return ""
}

func isDimension(key string) bool { return slices.Contains(Dimensions(), key) }
