package agent

func linkType(kind string) string {
	if kind == "task" {
		return "task"
	}
	return "document"
}
