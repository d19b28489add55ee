package endpoint

import (
	"encoding/json"
	"html"
	"strings"

	"kist/vault/pattern"
)

// Message is what an error's body says: {"error": "..."} of Ollama,
// {"error": {"message": "..."}} of OpenAI, the same in a list of Gemini, {"detail": ...} of
// servers in Python, the words of a web page of a proxy, or whatever it is. But what is an answer
// or a piece of one isn't quoted: nobody wants to read that.
func Message(body []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Title   string          `json:"title"` // of RFC 9457
	}
	text := strings.TrimSpace(string(body))
	if json.Unmarshal(body, &outer) != nil {
		return unknown(text)
	}
	var inner string
	if json.Unmarshal(outer.Error, &inner) == nil && inner != "" {
		if strings.HasPrefix(inner, "{") && len(inner) < len(body) {
			return Message([]byte(inner)) // Ollama passes on what the server beneath it says
		}
		return words(inner) // what is beneath may be a page as well
	}
	for _, said := range []string{messageOf(outer.Error), outer.Message, messageOf(outer.Detail), outer.Title} {
		if said != "" {
			return words(said)
		}
	}
	if error := string(outer.Error); error != "" && error != "null" {
		return unknown(error)
	}
	return unknown(text)
}

// unknown is what a text says that is no error of a known form.
func unknown(text string) string {
	if answer().MatchString(text) {
		return "a piece of an answer came where none belongs"
	}
	return words(text)
}

// messageOf is what a part of an error says: a text, an object with a message, or a list of
// such, of which the first counts.
func messageOf(part json.RawMessage) string {
	var text string
	if json.Unmarshal(part, &text) == nil {
		return text
	}
	var list []json.RawMessage
	if json.Unmarshal(part, &list) == nil && len(list) > 0 {
		part = list[0]
	}
	var object struct {
		Message string `json:"message"`
		Msg     string `json:"msg"` // FastAPI
	}
	if json.Unmarshal(part, &object) != nil {
		return ""
	}
	return object.Message + object.Msg
}

var (
	answer   = pattern.Lazy(`"(choices|delta|content|content_block|tool|tool_calls?|function|arguments|say)"\s*:`)
	webPage  = pattern.Lazy(`(?i)^(?:<\?xml[^>]*>|<!--[^>]*-->|\s)*<(?:!doctype\s+html|html|head|body|h1|title)\b`)
	unspoken = pattern.Lazy(`(?is)<!--.*?(?:-->|$)|<(?:script|style|svg|title)\b.*?(?:</(?:script|style|svg|title)\s*>|$)`)
	tag      = pattern.Lazy(`<[^>]*(?:>|$)`)
	title    = pattern.Lazy(`(?is)<title\b[^>]*>(.*?)</title`)
)

// words are those of a text that may be a web page: a page's title, or else what it shows.
func words(text string) string {
	if !webPage().MatchString(text) {
		return text
	}
	shown := ""
	if m := title().FindStringSubmatch(text); m != nil {
		shown = tag().ReplaceAllString(m[1], " ")
	}
	if strings.TrimSpace(shown) == "" {
		shown = tag().ReplaceAllString(unspoken().ReplaceAllString(text, " "), " ")
	}
	shown = strings.Join(strings.Fields(html.UnescapeString(shown)), " ")
	if shown == "" {
		return "a web page"
	}
	return "a web page, “" + shown + "”"
}
