package index

import (
	"context"
	"errors"
	"kist/index/meter"
	"math"
	"testing"
	"time"
)

// TestMeter: a steady build is measured exactly, one that changes its pace soon, and
// none where there is nothing to measure.
func TestMeter(t *testing.T) {
	now := time.Unix(1000, 0)
	var m meter.Meter
	m.Start(now)
	if p := m.Progress(now, 0, 1000); p.Rate != 0 || p.Left != 0 || p.Total != 1000 {
		t.Errorf("at the beginning: %+v", p)
	}
	done := 0
	for range 10 {
		done += 20
		now = now.Add(time.Second)
		p := m.Progress(now, done, 1000)
		if left := time.Duration(1000-done) * time.Second / 20; math.Abs(p.Rate-20) > 1e-9 || (p.Left-left).Abs() > time.Millisecond {
			t.Fatalf("after %d: %+v", done, p)
		}
	}
	if p := m.Progress(now.Add(time.Second), done, 1000); math.Abs(p.Rate-20) > 1e-9 {
		t.Errorf("nothing new is no slower pace yet: %+v", p)
	}
	var p Progress
	for range 20 {
		done += 5
		now = now.Add(time.Second)
		p = m.Progress(now, done, 1000)
	}
	if p.Rate < 5 || p.Rate > 5.5 {
		t.Errorf("after slowing down: %+v", p)
	}
	if p := m.Progress(now.Add(time.Second), 1000, 1000); p != (Progress{Done: 1000, Total: 1000}) {
		t.Errorf("when done: %+v", p)
	}
	m.Start(now)
	if p := m.Progress(now, 5, 10); p.Rate != 0 || p.Left != 0 {
		t.Errorf("in no time: %+v", p)
	}
}

// TestWatch: the status comes at once and again when something changes; an error of
// fn and the end of ctx end it.
func TestWatch(t *testing.T) {
	f := start(t, "-- a.md --\none\n")
	stop := errors.New("enough")
	calls := 0
	err := f.index.Watch(t.Context(), time.Millisecond, func(s Status) error {
		if calls++; calls == 3 {
			return stop
		}
		if s.Documents != 1 {
			t.Errorf("%+v", s)
		}
		f.index.setTodo(f.index.current, calls)
		return nil
	})
	if err != stop || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = f.index.Watch(ctx, time.Hour, func(Status) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestClauseString: a condition is told as it can be asked again.
func TestClauseString(t *testing.T) {
	for _, text := range []string{
		"-word", `"two words"`, `-"two words"`, "title:x", "heading:x", "body:ke*", `body:"two words"`, "-title:x",
		"tag:boat", "-tag:boat", "tag:bo*", `status:"half done"`, "path:notes/", "after:2026-11", "key:*",
	} {
		all, _, err := Query{Text: text}.Clauses()
		if err != nil || len(all) != 1 || !all[0].Condition() {
			t.Fatalf("%s: %+v, %v", text, all, err)
		}
		if got := all[0].String(); got != text {
			t.Errorf("%s is told as %s", text, got)
		}
	}
}
