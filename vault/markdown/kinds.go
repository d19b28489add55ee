package markdown

import "kist/vault/markdown/inline"

// What package inline finds, by the names that it has here.
type (
	Span  = inline.Span
	Link  = inline.Link
	Tag   = inline.Tag
	Block = inline.Block
)

// The ways to write a link.
const (
	WikiLink     = inline.Wiki
	MarkdownLink = inline.Address
	Definition   = inline.Definition
)

// A set keeps the first of equal strings, in order.
type set struct {
	list []string
	seen map[string]bool
	key  func(string) string
}

func newSet(key func(string) string) *set { return &set{seen: map[string]bool{}, key: key} }

func (s *set) add(value string) {
	if k := s.key(value); value != "" && !s.seen[k] {
		s.seen[k] = true
		s.list = append(s.list, value)
	}
}
