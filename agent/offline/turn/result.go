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
func Objects(m map[string]any, key string) []map[string]any { return list[map[string]any](m, key) }

// Strs is the list of that key: what are texts of it.
func Strs(m map[string]any, key string) []string { return list[string](m, key) }

func list[T any](m map[string]any, key string) (out []T) {
	all, _ := m[key].([]any)
	for _, v := range all {
		if one, ok := v.(T); ok {
			out = append(out, one)
		}
	}
	return out
}
