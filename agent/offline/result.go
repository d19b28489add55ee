package offline

// A result is what a tool answered.
type result struct {
	OK         bool           `json:"ok"`
	Status     string         `json:"status"` // of a change: done or proposed
	Error      string         `json:"error"`
	Suggestion string         `json:"suggestion"`
	Result     map[string]any `json:"result"`
}

// The values of results, which are JSON: absent and ill-typed ones are zero.

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func num(m map[string]any, key string) int {
	f, _ := m[key].(float64)
	return int(f)
}

func objects(m map[string]any, key string) []map[string]any {
	list, _ := m[key].([]any)
	var out []map[string]any
	for _, v := range list {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

func strs(m map[string]any, key string) []string {
	list, _ := m[key].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
