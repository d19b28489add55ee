/*
Package orders says by what lists can be ordered: order_by of a request, read by package order,
becomes the key by which package page sorts. Behind what is asked for comes the order that the
list has by itself, so that a key is one item's only.
*/
package orders

import (
	"strings"

	"kist/rpc/page"
	"kist/vault/catalog"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/oplog"
	"kist/vault/order"
)

// A field is what a list can be ordered by, and its value of an item; empty: it has none.
type field[T any] struct {
	name  string
	value func(T) string
}

// by makes the key of an order. It returns [order.ErrOrder].
func by[T any](text string, rest func(T) string, fields ...field[T]) (func(T) string, error) {
	names, values := make([]string, len(fields)), map[string]func(T) string{}
	for i, f := range fields {
		names[i], values[f.name] = f.name, f.value
	}
	keys, err := order.Parse(text, names...)
	if err != nil || len(keys) == 0 {
		return rest, err
	}
	return func(item T) string {
		var b []byte
		for _, k := range keys {
			b = order.Append(b, values[k.Name](item), k.Down)
		}
		return string(b) + rest(item)
	}, nil
}

// Documents orders documents by path or time; by themselves they go by path.
func Documents(text string) (func(catalog.Document) string, error) {
	path := func(d catalog.Document) string { return d.Path }
	return by(text, path, field[catalog.Document]{"path", path},
		field[catalog.Document]{"modified", func(d catalog.Document) string { return order.Time(d.Modified) }})
}

// Projects orders projects, which go by name by themselves.
func Projects(text string) (func(entity.Project) string, error) {
	name := func(p entity.Project) string { return strings.ToLower(p.Name) }
	rest := func(p entity.Project) string { return name(p) + "\x00" + p.Path }
	return by(text, rest, field[entity.Project]{"name", name},
		field[entity.Project]{"due", func(p entity.Project) string { return p.Due }},
		field[entity.Project]{"updated", func(p entity.Project) string { return order.Time(p.Updated) }},
		field[entity.Project]{"created", func(p entity.Project) string { return order.Time(p.Created) }},
		field[entity.Project]{"status", func(p entity.Project) string { return p.Status }},
		field[entity.Project]{"path", func(p entity.Project) string { return p.Path }})
}

// Sessions orders sessions, of which the last used one comes first by itself.
func Sessions(text string) (func(conversation.Session) string, error) {
	rest := func(s conversation.Session) string { return page.Newest(s.LastUsed) + s.ID }
	return by(text, rest, field[conversation.Session]{"last_used", func(s conversation.Session) string { return order.Time(s.LastUsed) }},
		field[conversation.Session]{"created", func(s conversation.Session) string { return order.Time(s.Created) }},
		field[conversation.Session]{"title", func(s conversation.Session) string { return strings.ToLower(s.Title) }})
}

// Operations says whether the oldest operation comes first, for which all are read; by
// themselves the newest does. read returns the newest n, all for 0.
func Operations(text string, read func(n int) ([]oplog.Operation, error)) (func(n int) ([]oplog.Operation, error), func(op oplog.Operation, last string) bool, error) {
	keys, err := order.Parse(text, "at")
	if err != nil || len(keys) == 0 || keys[0].Down {
		return read, func(op oplog.Operation, last string) bool { return op.ID < last }, err
	}
	return func(n int) ([]oplog.Operation, error) {
		all, err := read(0)
		old := make([]oplog.Operation, 0, min(n, len(all)))
		for i := len(all) - 1; i >= 0 && len(old) < n; i-- {
			old = append(old, all[i])
		}
		return old, err
	}, func(op oplog.Operation, last string) bool { return op.ID > last }, nil
}
