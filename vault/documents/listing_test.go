package documents_test

import (
	"testing"

	"kist/vault/documents"
)

func TestListings(t *testing.T) {
	var s documents.Listings
	first, mine := s.Join(0, 5, false)
	if !mine {
		t.Fatal("nobody else walks")
	}
	second, mine := s.Join(0, 5, true)
	if !mine {
		t.Error("a walk that began before the watches were placed is shared")
	}
	s.End(first)
	if l, mine := s.Join(5, 9, true); mine || l != second {
		t.Error("a walk is not shared")
	}
	third, mine := s.Join(6, 6, true)
	if !mine {
		t.Error("a walk is shared that doesn't know of the change")
	}
	s.End(second)
	s.End(third)
	if _, mine := s.Join(0, 7, true); !mine {
		t.Error("a walk is shared after its end")
	}
}
