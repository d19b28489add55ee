package agent

import (
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
