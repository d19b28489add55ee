package anthropic

import "encoding/json"

// A query is the body of a request to /v1/messages: what kist uses of the API's.
type query struct {
	Model     string    `json:"model"`
	MaxTokens int64     `json:"max_tokens"`
	Stream    bool      `json:"stream"`
	System    []content `json:"system,omitempty"`
	Tools     []tool    `json:"tools,omitempty"`
	Choice    *kind     `json:"tool_choice,omitempty"`
	Output    *output   `json:"output_config,omitempty"`
	Messages  []message `json:"messages"`
}

// A kind is an object that says no more than what it is.
type kind struct {
	Type string `json:"type"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *kind           `json:"cache_control,omitempty"`
}

type output struct {
	Format format `json:"format"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type message struct {
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

// A content is a block of a message: a text, a call, a result, or a thought as it came.
type content struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`        // of a text
	ID      string          `json:"id,omitempty"`          // of a call, and on to Input
	Name    string          `json:"name,omitempty"`        //
	Input   json.RawMessage `json:"input,omitempty"`       //
	CallID  string          `json:"tool_use_id,omitempty"` // of a result, and on to Failed
	Content []content       `json:"content,omitempty"`     //
	Failed  bool            `json:"is_error,omitempty"`    //
	Cache   *kind           `json:"cache_control,omitempty"`

	thought json.RawMessage
}

// MarshalJSON writes a thought as it came.
func (c content) MarshalJSON() ([]byte, error) {
	if c.thought != nil {
		return c.thought, nil
	}
	type plain content
	return json.Marshal(plain(c))
}

// ephemeral marks the end of what may stay in the server's cache.
func ephemeral() *kind { return &kind{"ephemeral"} }
