package refer

import (
	"strings"
	"unicode"

	"kist/agent/language"
)

// GoesTo: words order to go where there is no project, rather than to correct a figure
// ("actually 5p") or to say one word more.
func GoesTo(all []language.Token, phrase string) bool {
	named := strings.ContainsFunc(phrase, unicode.IsLetter) && !strings.ContainsFunc(phrase[:1], unicode.IsDigit)
	return named && language.Has(all, "<attend>|<goverb>|<talkverb>|<resumeverb>|<projectword>")
}
