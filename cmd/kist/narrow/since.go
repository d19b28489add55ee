package narrow

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// Since reads a duration back from now, a date or a time; empty is no limit.
func Since(s string, now time.Time) (*timestamppb.Timestamp, error) {
	if s == "" {
		return nil, nil
	}
	if d, err := time.ParseDuration(s); err == nil {
		return timestamppb.New(now.Add(-d.Abs())), nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return timestamppb.New(t), nil
		}
	}
	return nil, fmt.Errorf("--since %q is neither a duration such as 24h nor a date such as 2026-11-20", s)
}
