package turn

// A Result is what a tool answered.
type Result struct {
	OK         bool           `json:"ok"`
	Status     string         `json:"status"` // of a change: done or proposed
	Error      string         `json:"error"`
	Suggestion string         `json:"suggestion"`
	Result     map[string]any `json:"result"`
}

// The values of results, which are JSON: absent and ill-typed ones are zero.

// Str is the text of that key.
func Str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// Num is the number of that key, without what follows its point.
func Num(m map[string]any, key string) int {
	f, _ := m[key].(float64)
	return int(f)
}

// Objects is the list of that key: what are objects of it.
func Objects(m map[string]any, key string) []map[string]any {
	list, _ := m[key].([]any)
	var out []map[string]any
	for _, v := range list {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// Strs is the list of that key: what are texts of it.
func Strs(m map[string]any, key string) []string {
	list, _ := m[key].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
