package wire

import "strings"

// A marks takes out of a text what a server's template puts between messages, and a weak
// model, or one with another's template, writes as if it were words. Behind such a mark the
// model goes on with the next message, often one of the user's: there its answer ends. Those
// at the very beginning are its own, and go with the role that they name.
type marks struct {
	held    string // the beginning of what may be one
	spoke   bool   // something was said
	heading bool   // a mark opened the answer: the rest of its line names a role
	ended   bool   // what comes then is no more of this answer
	quoted  bool   // what comes next stands behind a quote: it is spoken of
}

// opens and closes are the marks of the templates in use: ChatML, Llama, Phi, Gemma.
var (
	opens  = []string{"<|im_start|>", "<|start_header_id|>", "<|assistant|>", "<|user|>", "<|system|>", "<start_of_turn>", "<|begin_of_text|>"}
	closes = []string{"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|endoftext|>", "<|end_of_text|>", "<end_of_turn>"}
)

// add takes the next piece and returns what of it, and of what was held, is said, and whether
// the answer ends with that.
func (m *marks) add(piece string) (said string, ends bool) {
	if m.ended {
		return "", true
	}
	text := m.held + piece
	m.held = ""
	var out strings.Builder
	for text != "" {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			at = len(text)
		}
		m.put(&out, text[:at])
		if text = text[at:]; text == "" {
			break
		}
		if m.quoted {
			m.put(&out, "<")
			text = text[1:]
			continue
		}
		mark, may := markAt(text)
		switch {
		case mark != "" && !m.spoke:
			m.heading = true
			text = text[len(mark):]
		case mark != "":
			m.ended = true
			return out.String(), true
		case may:
			m.held = text
			return out.String(), false
		default:
			m.put(&out, "<")
			text = text[1:]
		}
	}
	return out.String(), false
}

// markAt is the mark that a text begins with; may: it can become one.
func markAt(text string) (mark string, may bool) {
	for _, all := range [][]string{opens, closes} {
		for _, mark := range all {
			if strings.HasPrefix(text, mark) {
				return mark, false
			}
			may = may || strings.HasPrefix(mark, text)
		}
	}
	return "", may
}

func (m *marks) put(out *strings.Builder, text string) {
	if m.heading {
		_, rest, ended := strings.Cut(text, "\n")
		if !ended {
			return
		}
		m.heading, text = false, rest
	}
	if text == "" {
		return
	}
	m.spoke = m.spoke || strings.TrimSpace(text) != ""
	m.quoted = strings.ContainsAny(text[len(text)-1:], "`\"'") || strings.HasSuffix(text, "“") || strings.HasSuffix(text, "‘")
	out.WriteString(text)
}

// flush returns what was held when nothing more comes.
func (m *marks) flush() string {
	var out strings.Builder
	m.put(&out, m.held)
	m.held = ""
	return out.String()
}
