package agent

import "slices"

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
