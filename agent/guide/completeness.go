package guide

import (
	"kist/agent/language"
	"math"
	"slices"
	"strings"
)

// open matches what people write where they know nothing yet.
var open = language.Pattern(`(?i)^\W*(tbd|tba|todo|to do|n/?a|none yet|nothing yet|unknown|open|\?+|-+|\.+|(i |we )?(really )?(don'?t|do not) know( yet)?|not sure( yet)?|no idea( yet)?|to be (decided|determined|defined)|(still )?to be found out)\W*$`)

// Completeness measures what is written down so far. Each dimension gets 0 to 10:
// nothing is 0, an open point ("tbd") 1, a bare word 2 to 3, and from there it
// grows with what is told and how concrete it is (amounts, dates, names), 10 being
// several concrete sentences. overall is 0 to 1: the mean, in which the core
// dimensions count double; of a simple project, others count only where something
// is written, for it needs no more.
func Completeness(dims map[string]string, complex bool) (perDimension map[string]int, overall float64) {
	perDimension = map[string]int{}
	sum, weight := 0.0, 0.0
	for _, key := range Dimensions() {
		n := fullness(dims[key])
		perDimension[key] = n
		w := 1.0
		switch {
		case slices.Contains(Core(), key):
			w = 2
		case n == 0 && !complex:
			w = 0
		}
		// What has 7 of 10 says enough; the last points are polish.
		sum += w * min(1, float64(n)/7)
		weight += w
	}
	return perDimension, math.Round(sum/weight*100) / 100
}

// Measure is [Completeness] of a project that is written down: whether it is complex
// shows in its description and its dimensions. It is the one figure that kist gives,
// wherever it speaks of how complete a project is.
func Measure(description string, dims map[string]string) (perDimension map[string]int, overall float64) {
	said := description
	for _, key := range Dimensions() {
		said += "\n" + dims[key]
	}
	return Completeness(dims, Complexity(said, Score(said)))
}

func fullness(text string) int {
	text = strings.TrimSpace(clip(text))
	ws := words(text)
	switch {
	case text == "":
		return 0
	case len(ws) == 0 || open().MatchString(text):
		return 1
	}
	told, concrete := 0, 0
	for _, s := range sentences(text) {
		if !open().MatchString(s) {
			told++
		}
	}
	seen := map[string]bool{}
	for _, w := range ws {
		if !seen[w.norm] && (w.is("<money>") || w.is("<big>") || w.is("<name>") || w.is("<month>") && w.upper || w.is("<date>") || w.is("<year>") || w.is("<num>") || w.is("<role>")) {
			seen[w.norm] = true
			concrete++
		}
	}
	// 12 words are an ordinary sentence, worth half of what one can get.
	points := 1.7 + 3.5*(1-math.Exp(-float64(len(ws))/12)) + min(2.5, float64(told)*1.25) + min(2.5, float64(concrete)*0.9)
	return int(min(10, math.Round(points)))
}
