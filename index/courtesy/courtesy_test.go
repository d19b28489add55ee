package courtesy

import (
	"testing"
	"testing/synctest"
	"time"
)

// The builder waits for a search, for some at once, and for a tenth of the time where
// searches never end.
func TestCourtesy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Courtesy
		waited := func() time.Duration {
			began := time.Now()
			c.GiveWay(t.Context())
			return time.Since(began)
		}
		if got := waited(); got != 0 {
			t.Errorf("nobody asks: %s", got)
		}
		end := c.Ask()
		time.AfterFunc(300*time.Millisecond, end)
		if got := waited(); got != 300*time.Millisecond {
			t.Errorf("one asks: %s", got)
		}
		time.Sleep(time.Minute)

		defer c.Ask()()
		began, lost := time.Now(), time.Duration(0)
		for time.Since(began) < time.Minute {
			lost += waited()
			time.Sleep(10 * time.Millisecond) // work
		}
		if limit := pauseLimit + time.Minute/pauseShare; lost < pauseLimit || lost > limit+time.Second {
			t.Errorf("of a minute of questions the builder lost %s", lost)
		}
	})
}
