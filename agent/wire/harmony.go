package wire

import "strings"

// The marks of a model's messages in Harmony, the format of gpt-oss: an answer is
//
//	<|channel|>analysis<|message|>thoughts<|end|><|start|>assistant<|channel|>final<|message|>words<|return|>
//
// where a server passes it on as it is. Only the assistant's words in the channel "final", and
// in "commentary" that isn't for a tool, are said.
var harmonyMarks = []string{"<|channel|>", "<|start|>", "<|message|>", "<|constrain|>", "<|end|>", "<|return|>", "<|call|>"}

// joint is between two messages, the first of which began in the prompt.
const joint = "<|end|><|start|>assistant<|channel|>"

// harmonyThought is the tag of what isn't said there.
const harmonyThought = "<|channel|>"

// harmony takes a mark of messages with channels at the beginning of a text, as read does.
func (t *thinker) harmony(text string) (n int, more bool) {
	if !t.channels {
		first := []string{joint}
		if !t.spoke {
			first = append(first, "<|channel|>", "<|start|>assistant<|channel|>")
		}
		for _, mark := range first {
			if t.tag == "" && !t.thoughts && strings.HasPrefix(text, mark) && !t.inCode() {
				t.takeBack()
				t.channels, t.header, t.head = true, true, "assistant "
				return len(mark), false
			}
			more = more || t.tag == "" && !t.thoughts && strings.HasPrefix(mark, text)
		}
		return 0, more && !t.inCode()
	}
	for _, mark := range harmonyMarks {
		if strings.HasPrefix(text, mark) {
			t.mark(mark)
			return len(mark), false
		}
		more = more || strings.HasPrefix(mark, text)
	}
	return 0, more
}

// mark takes a mark between messages.
func (t *thinker) mark(mark string) {
	switch mark {
	case "<|start|>":
		t.header, t.head = true, ""
	case "<|message|>":
		t.header, t.tag = false, harmonyThought
		if head := strings.Fields(t.head); len(head) > 1 && head[0] == "assistant" && (head[1] == "final" || head[1] == "commentary" && !strings.Contains(t.head, "to=")) {
			t.tag = ""
			t.put(t.gap())
		}
	case "<|channel|>", "<|constrain|>":
		t.header, t.head = true, t.head+" "
	default:
		t.header, t.tag = true, "" // what stands between messages is no part of any
	}
}

// gap parts what is said from what was said in the message before.
func (t *thinker) gap() string {
	if t.spoke {
		return "\n\n"
	}
	return ""
}
