package window

import (
	"fmt"
	"sync"

	"kist/agent/model"
)

// A server that gets more than its window holds may leave out what it likes and say nothing
// of it. What it counts gives it away: far less than was sent, or the same of a request that
// is a third longer than another. What one counts that tells only what it read anew is also
// small, but such a one has counted the whole of one request before, and seldom of two.

const (
	// farBelow is the part of an estimate that no tokenizer is below.
	farBelow = 0.5
	// missing is the part of what every server reads below which something of it is missing.
	missing = 0.8
	// longer is by how much a request has to be longer than the longest that was counted, and
	// same how near to each other the counts then are, to be no chance of their texts.
	longer, same = 1.3, 0.02
	// few is too little to tell anything by, and absurd no count of a request at all.
	few, absurd = 1000, 16
)

// counts are what a server counted, and what is made of that.
type counts struct {
	mu      sync.Mutex
	ratio   float64 // tokens counted for one estimated
	steady  float64 // the ratio that requests are fitted by; 0: that
	most    int     // that were ever counted
	longest float64 // the estimate of that request
	wholly  int     // requests that were counted about as estimated
	keeps   int     // tokens of the window that the server really has; 0: as it tells
}

// taken notes what a server counted of a request that was estimated, before what was learned
// corrected that, and of which so many tokens are read by every server. It reports whether the server, which may cut, is found to have a smaller
// window than the one that was kept to; nothing else is learned from a request that was cut.
func (c *counts) taken(estimated, surely float64, counted, size int, cuts bool) (smaller bool) {
	if counted < absurd {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	got := float64(counted) / estimated
	if cuts && estimated > few {
		level := c.most > few/2 && estimated > longer*c.longest && near(counted, c.most)
		if level {
			c.ratio = 1 // it was learned from a request that was cut
		}
		if level || float64(counted) < min(c.ratio, 1)*min(farBelow*estimated, missing*surely) && (counted >= c.most || c.wholly != 1) {
			window := likely(counted, size)
			if smaller = window < size && (c.keeps == 0 || window < c.keeps); smaller {
				c.keeps = window
			}
			return smaller
		}
		if got > 0.7*c.ratio {
			c.wholly++
		}
	}
	if counted > c.most {
		c.most, c.longest = counted, estimated
	}
	least := farBelow
	if c.keeps > 0 {
		least = missing // it may have been cut a little
	}
	if estimated >= 200 && got >= least && got <= 2.5 {
		c.ratio += (got - c.ratio) / 2
	}
	return false
}

// fitBy is the ratio by which requests are fitted. It follows what is learned in steps: with
// each little change something else would be cut, and what a server has in its cache be lost.
func (c *counts) fitBy() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if off := c.ratio / max(c.steady, 0.01); off > 1.02 || off < 0.92 {
		c.steady = c.ratio
	}
	return c.steady
}

func near(a, b int) bool {
	d := float64(a - b)
	return max(d, -d) <= same*float64(b)
}

// likely is the window of a server that was asked for size tokens and kept so many: they are
// set to powers of two, and what is kept may be far less than fits. In less than 2,048 tokens
// kist's rules and a message have no room.
func likely(kept, size int) int {
	for n := 4096; n < size; n *= 2 {
		if n >= kept {
			return n
		}
	}
	return max(kept, 2048)
}

// surely is how many of the tokens of a request every server reads: there are templates
// that write tools and calls at some turns only, or never.
func surely(estimated float64, req model.Request) float64 {
	aside := model.Request{Tools: req.Tools}.Tokens()
	for _, m := range req.Messages {
		if len(m.Calls) > 0 {
			aside += m.Tokens() - model.Tokens(m.Text)
		}
	}
	return estimated - float64(aside)
}

// told is what the user hears, once for each window that is found to be smaller.
func told(name string, sent, counted, size int) model.Event {
	return model.Event{Notice: fmt.Sprintf("The server of %s read about %d of %d tokens: it leaves out what is too long for it, and says nothing. This answer may lack what stood there. From now on it is sent %d tokens at most; give it a larger window and choose the model anew (kist model use) if it can have one.", name, counted, sent, size)}
}
