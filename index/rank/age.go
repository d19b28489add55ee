package rank

import (
	"kist/index/day"
	"kist/index/manifest"
	"math"
	"time"
)

// Of documents that are about equally good the newest is meant as a rule. So a score
// is multiplied by 1 + recencyWeight * 2^(-age/recencyHalf): little enough that a worse
// document doesn't come before a clearly better one, however new it is.
const (
	recencyWeight = 0.05
	recencyHalf   = 90 // days
)

// A RecencyPart is what a document's age contributes: the score is multiplied by
// Factor = 1 + 0.05 * 2^(-Days/90).
//
// The age is counted from the front matter's `updated`, `modified` or `lastmod`, else
// its `date`, else from the day on which the file was last written; `created` doesn't
// count. A date in the future counts as today.
type RecencyPart struct {
	Factor float64
	Days   int
}

// recency is what a document's age contributes on a day; see [day.Day.Number].
func recency(e manifest.Entry, today int) RecencyPart {
	var p RecencyPart
	since := day.NumberOf(time.Unix(0, e.Mtime))
	if e.Revised != 0 {
		since = e.Revised.Number()
	}
	p.Days = max(0, today-since)
	p.Factor = 1 + recencyWeight*math.Exp2(-float64(p.Days)/recencyHalf)
	return p
}
