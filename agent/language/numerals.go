package language

import (
	"strconv"
	"strings"
	"sync"
)

// Digital: it begins with a digit.
func Digital(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

// Numeral writes a number or a rank in digits, so that "70th" is "seventieth" and
// "2" is "two". What is neither gives "".
func Numeral(w string) string {
	if Digital(w) {
		return w
	}
	return numerals()[w]
}

var numerals = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for i, ones := range strings.Fields("zero/zeroth one/first two/second three/third four/fourth five/fifth six/sixth seven/seventh eight/eighth nine/ninth ten/tenth eleven/eleventh twelve/twelfth") {
		cardinal, ordinal, _ := strings.Cut(ones, "/")
		out[cardinal], out[ordinal] = strconv.Itoa(i), ranked(i)
	}
	for i, tens := range strings.Fields("twent thirt fort fift sixt sevent eight ninet") {
		out[tens+"y"], out[tens+"ieth"] = strconv.Itoa(10*(i+2)), ranked(10*(i+2))
	}
	return out
})

func ranked(n int) string {
	suffix := "th"
	switch n {
	case 1:
		suffix = "st"
	case 2:
		suffix = "nd"
	case 3:
		suffix = "rd"
	}
	return strconv.Itoa(n) + suffix
}
