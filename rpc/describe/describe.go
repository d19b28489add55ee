/*
Package describe has the values of the API's fields that have only some: statuses, kinds, the
names of events. They are strings in the protos, so that new ones break no client; here is
the list of those there are. A test compares it with the protos' rules and with the code.
*/
package describe

import (
	_ "embed"
	"strings"
)

//go:embed values.txt
var values string

// An Enumeration is one list.
type Enumeration struct {
	Name   string
	Fields []string // as Message.field
	Values []Value
}

// A Value is one of a list's.
type Value struct{ Value, Meaning string }

// All returns the lists.
func All() []Enumeration {
	var all []Enumeration
	for line := range strings.Lines(values) {
		line = strings.TrimRight(line, "\n")
		name, rest, _ := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			e := &all[len(all)-1]
			e.Values = append(e.Values, Value{name[1:], rest})
		default:
			all = append(all, Enumeration{Name: name, Fields: strings.Fields(rest)})
		}
	}
	return all
}
