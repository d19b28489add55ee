package taskline

import "strings"

// keyOf is the field that an emoji begins.
func keyOf(emoji string) Key {
	switch emoji {
	case "📅", "📆", "🗓":
		return Due
	case "⏳", "⌛":
		return Scheduled
	case "🛫":
		return Start
	case "✅":
		return Done
	case "❌":
		return Cancelled
	case "➕":
		return Created
	case "🔁":
		return Repeat
	case "🆔":
		return ID
	case "⛔":
		return DependsOn
	}
	return OnCompletion
}

// emojiOf is how a field is written in emoji; "": it has none, or not for that value.
func emojiOf(key Key, value string) string {
	switch key {
	case Due:
		return "📅 " + value
	case Scheduled:
		return "⏳ " + value
	case Start:
		return "🛫 " + value
	case Done:
		return "✅ " + value
	case Cancelled:
		return "❌ " + value
	case Created:
		return "➕ " + value
	case Repeat:
		return "🔁 " + value
	case Priority:
		return map[string]string{"urgent": "🔺", "high": "⏫", "medium": "🔼", "low": "🔽"}[value]
	}
	return ""
}

// wordOf is the word for a priority as it is written, in emoji or as the plugin has it.
func wordOf(written string) string {
	switch strings.TrimSuffix(written, "\uFE0F") {
	case "🔺", "highest":
		return "urgent"
	case "⏫":
		return "high"
	case "🔼":
		return "medium"
	case "🔽", "⏬", "lowest":
		return "low"
	}
	return written
}
