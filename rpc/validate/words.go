package validate

import (
	"strings"

	bufvalidate "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"

	"kist/vault/pattern"
)

var (
	inList    = pattern.Lazy(`must be in list \[([^\]]*)\]`)
	asPattern = pattern.Lazy("does not match regex pattern `(.*)`")
)

// Words says what an error says in the words of people, field by field: protovalidate's, which
// the violations keep, are for programs.
func (e *Error) Words() string {
	var all []string
	for _, v := range e.Violations {
		all = append(all, plain(line(v)))
	}
	return strings.Join(all, "; ")
}

// Plain says in the words of people which rule a field broke.
func Plain(v *bufvalidate.Violation) string { return plain(v.GetMessage()) }

// plain words a rule that was broken.
func plain(said string) string {
	said = strings.NewReplacer("[0]: must", ": must", "must be at least 1 characters", "something must stand there").Replace(said)
	said = asPattern().ReplaceAllStringFunc(said, func(rule string) string { return form(asPattern().FindStringSubmatch(rule)[1]) })
	return inList().ReplaceAllStringFunc(said, func(list string) string {
		var words []string
		for _, w := range strings.Split(inList().FindStringSubmatch(list)[1], ",") {
			if w = strings.Trim(strings.TrimSpace(w), `"`); w != "" {
				words = append(words, w)
			}
		}
		if len(words) < 2 {
			return "must be " + strings.Join(words, "")
		}
		return "must be " + strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	})
}

// form words a pattern that a value has to match.
func form(pattern string) string {
	switch {
	case strings.Contains(pattern, "[0-9]{4}-[0-9]{2}"):
		return "must be a date such as 2026-12-31"
	case strings.Contains(pattern, "[0-9a-f]{64}"):
		return "must be a SHA-256, 64 hexadecimal digits"
	case strings.HasPrefix(pattern, "^[a-z0-9][a-z0-9._-]{0,"):
		return "must be a short name of small letters, digits, '.', '_' and '-' that begins with a letter or digit"
	}
	return "must be 8 to 64 letters, digits, '.', '_' and '-'" // what a client calls a request, or itself
}
