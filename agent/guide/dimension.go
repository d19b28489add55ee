package guide

import "kist/vault/dimension"

// The nine dimensions of a project, by the keys that drafts and sessions use.
const (
	Integrity   = dimension.Integrity
	People      = dimension.People
	Goals       = dimension.Goals
	Meaning     = dimension.Meaning
	Reality     = dimension.Reality
	Trust       = dimension.Trust
	Opportunity = dimension.Opportunity
	Resources   = dimension.Resources
	Harmony     = dimension.Harmony
)

// Relevant is the score (of 10) from which a dimension is asked about.
const Relevant = 6.0

// Dimensions returns all keys in the order in which project.md lists them.
func Dimensions() []string { return dimension.Keys() }

// Core returns the dimensions that every project is asked about, in the order of
// asking: what is there, what it should become, and by when.
func Core() []string { return []string{Reality, Integrity, Goals} }

// Title returns a dimension's heading in project.md; "" if key isn't one.
func Title(key string) string {
	for _, d := range dimension.All() {
		if d.Key == key {
			return d.Heading
		}
	}
	return ""
}
