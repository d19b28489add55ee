package order_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/vault/order"
)

func TestParse(t *testing.T) {
	keys, err := order.Parse(" due desc,title , path asc", "due", "title", "path")
	if want := []order.Key{{Name: "due", Down: true}, {Name: "title"}, {Name: "path"}}; err != nil || !slices.Equal(keys, want) {
		t.Errorf("%v, %v", keys, err)
	}
	if keys, err := order.Parse(" "); keys != nil || err != nil {
		t.Errorf("nothing: %v, %v", keys, err)
	}
	for _, bad := range []string{"size", "due down", "due desc asc", "due,", ",", "due desc;title"} {
		if _, err := order.Parse(bad, "due", "title"); !errors.Is(err, order.ErrOrder) || !strings.Contains(err.Error(), "but by due, title") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAppend(t *testing.T) {
	values := []string{"b", "", "a", "ab", "é"}
	for _, test := range []struct {
		down bool
		want string
	}{{false, "a ab b é "}, {true, "é b ab a "}} {
		slices.SortFunc(values, func(a, b string) int {
			return strings.Compare(string(order.Append(nil, a, test.down)), string(order.Append(nil, b, test.down)))
		})
		if got := strings.Join(values, " "); got != test.want {
			t.Errorf("down %v: %q, want %q", test.down, got, test.want)
		}
	}
	early := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("east", 3600))
	if order.Time(time.Time{}) != "" || order.Time(early) >= order.Time(early.Add(time.Nanosecond)) {
		t.Error("times don't sort")
	}
	if old := time.Date(1901, 1, 2, 0, 0, 0, 0, time.UTC); order.Time(old) >= order.Time(early) || order.Time(old.Add(-time.Second)) >= order.Time(old) {
		t.Error("times before 1970 don't sort")
	}
}
