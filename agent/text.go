package agent

import (
	"slices"
	"strconv"
	"strings"
)

// fileOf cuts the line off a source.
func fileOf(source string) string {
	file, line, ok := cutLast(source, ":")
	if _, err := strconv.Atoi(line); !ok || err != nil {
		return source
	}
	return file
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func linkType(kind string) string {
	if kind == "task" {
		return "task"
	}
	return "document"
}

// push remembers where "back" leads from a move. A project is on the stack
// once, and the stack is short: nobody goes back further.
func push(stack []string, slug string) []string {
	if slug == "" {
		return stack
	}
	stack = slices.DeleteFunc(slices.Clone(stack), func(s string) bool { return s == slug })
	stack = append(stack, slug)
	return stack[max(0, len(stack)-10):]
}
