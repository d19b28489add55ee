package record

import (
	"strings"

	"kist/agent/language"
	"kist/agent/offline/field"
	"kist/agent/offline/turn"
)

// SetField adds to the arguments of update_task what an order says of one field of a task. The
// task is then as it would be.
func SetField(t *Keeper, o field.Order, task, args map[string]any) map[string]any {
	title := turn.Str(task, "title")
	key, value := o.Name, o.Value
	switch {
	case o.Name == "tag" && o.Clear:
		key, value = "title", field.Untagged(title, o.Value)
	case o.Name == "tag":
		key, value = "title", title+" "+o.Value
	case o.Clear && o.Name == "priority":
		value = "none"
	case o.Clear && o.Name == "due" && turn.Str(task, "due") == "" && turn.Str(task, "scheduled") != "":
		key = "scheduled" // "the date": it has no other
	}
	args[key] = value
	args["reason"] = "change the task “" + language.Limit(language.OneLine(title), 120) + "”" + FieldWords(o)
	if !t.Offering {
		args["reason"] = args["reason"].(string) + ", as you asked"
	}
	if task[key] = value; o.Clear && key != "title" {
		task[key] = ""
	}
	return args
}

// FieldWords word what becomes of a field: ", no due date".
func FieldWords(o field.Order) string {
	name := map[string]string{"due": "due date", "scheduled": "scheduled date", "start": "start date", "repeat": "recurrence"}[o.Name]
	switch name = turn.OrWord(name, o.Name); {
	case o.Name == "":
		return ""
	case o.Clear:
		return strings.TrimRight(", no "+name+" "+o.Value, " ")
	case o.Name == "due" || o.Name == "scheduled" || o.Name == "start":
		return ", " + name + " " + language.FullDay(o.Value)
	}
	return ", " + name + " " + o.Value
}

// alsoSaid is what a task's line doesn't say of a field by itself.
func alsoSaid(o field.Order) string {
	if o.Clear || o.Name == "scheduled" || o.Name == "start" || o.Name == "repeat" {
		return FieldWords(o)
	}
	return ""
}
