package narrow

import (
	"testing"
	"time"
)

func TestSince(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		in   string
		want time.Time
	}{
		{"24h", now.Add(-24 * time.Hour)},
		{"-24h", now.Add(-24 * time.Hour)},
		{"2026-11-20", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)},
		{"2026-11-20 10:00:00", time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)},
	} {
		got, err := Since(tt.in, now)
		if err != nil || !got.AsTime().Equal(tt.want) {
			t.Errorf("%q: %v, %v", tt.in, got.AsTime(), err)
		}
	}
	if _, err := Since("yesterday", now); err == nil {
		t.Error("a word was taken for a time")
	}
}
