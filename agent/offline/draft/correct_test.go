package draft

import "testing"

func TestAmend(t *testing.T) {
	for _, tt := range []struct{ said, text, want string }{
		{"It should last and cost at most 3000 euros.", "The budget is 4000 euros", "It should last and cost at most 4000 euros."},
		{"We have 50k for it.", "The budget is 20k, not 50k", "We have 20k for it."},
		{"10 euros for paint, 20 euros for wood.", "30 euros for nails", "10 euros for paint, 20 euros for wood.\n\n30 euros for nails"},
		{"It takes 3 weeks.", "It costs 400 euros", "It takes 3 weeks.\n\nIt costs 400 euros"},
	} {
		if got := amend(tt.said, tt.text); got != tt.want {
			t.Errorf("amend(%q, %q) = %q, want %q", tt.said, tt.text, got, tt.want)
		}
	}
}
