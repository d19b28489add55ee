package dialect

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"kist/vault/pattern"
)

// spell writes a schema's pattern in the few signs that all makers of grammars know, and
// each alternative as a schema of its own: they take ^ and $ for letters where these
// don't begin and end the whole. What can't be written so, the description says instead.
func (o *object) spell() {
	pattern := o.text("pattern")
	if pattern == "" {
		return
	}
	ways := alternatives(pattern)
	if len(ways) == 1 && ways[0] != "" {
		o.set("pattern", encode("^"+ways[0]+"$"))
		return
	}
	o.drop("pattern")
	if ways == nil || o.get("anyOf") != nil {
		said := o.text("description")
		if said != "" {
			said += "; "
		}
		o.set("description", encode(said+"matches "+pattern))
		return
	}
	var all []json.RawMessage
	for _, way := range ways {
		s := object{{"type", encode("string")}}
		if way == "" {
			s.set("enum", encode([]string{""}))
		} else {
			s.set("pattern", encode("^"+way+"$"))
		}
		all = append(all, s.json())
	}
	o.set("anyOf", encode(all))
}

// alternatives are the ways to match a pattern, each without the ^ and $ around it; nil
// if they can't be told. An empty one is the empty text.
func alternatives(pattern string) []string {
	var ways []string
	for _, way := range split(pattern) {
		way, begins := strings.CutPrefix(way, "^")
		way, ends := strings.CutSuffix(way, "$")
		way = several(way)
		if !begins || !ends || !plain(way) {
			return nil
		}
		ways = append(ways, way)
	}
	return ways
}

// split cuts a pattern at the | that stand outside of brackets.
func split(pattern string) []string {
	var parts []string
	depth, from, class := 0, 0, false
	for i, c := range pattern {
		switch {
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			depth++
		case c == ')' && !class:
			depth--
		case c == '|' && !class && depth == 0:
			parts, from = append(parts, pattern[from:i]), i+1
		}
	}
	return append(parts, pattern[from:])
}

// several writes one or more words with a comma between, where each ends in a comma or
// the end, without an anchor within. A comma behind the last is no longer taken, nor more
// words than there are: a small model would write the same one for ever.
func several(pattern string) string {
	words, begins := strings.CutPrefix(pattern, "((")
	words, ends := strings.CutSuffix(words, ")(,|$))+")
	if _, err := regexp.Compile(words); !begins || !ends || err != nil {
		return pattern
	}
	return "(" + words + ")(,(" + words + ")){0," + strconv.Itoa(len(split(words))-1) + "}"
}

var (
	count = pattern.Lazy(`\{([0-9]+)(?:,([0-9]*))?\}`)
	class = pattern.Lazy(`\[[^\]\[\\"^][^\]\[\\"]*\]`)
	// foreign is what grammars read otherwise than patterns: signs with a backslash,
	// anchors, a dot, which would take the quote that ends the text, groups that begin
	// with ?, choices of nothing, and repetitions of repetitions.
	foreign = pattern.Lazy(`[\\^$."\[\]]|\(\?|[(|][|)*+?{]|^\||\|$|[*+?}][*+?{]`)
)

// plain reports whether a pattern without anchors is of letters, classes, groups, choices
// and repetitions alone.
func plain(pattern string) bool {
	if _, err := regexp.Compile("^(" + pattern + ")$"); err != nil {
		return false
	}
	for _, m := range count().FindAllStringSubmatch(pattern, -1) {
		for _, n := range m[1:] {
			if times, err := strconv.Atoi(n); n != "" && (err != nil || times > mostRepeated) {
				return false
			}
		}
	}
	return !foreign().MatchString(class().ReplaceAllString(pattern, "x"))
}
