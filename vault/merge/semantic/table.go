package semantic

import (
	"slices"
	"strconv"
	"strings"

	"kist/vault/merge/arrange"
)

// A columnMerge merges the rows of one table cell by cell. Columns are told by what stands
// in the table's head.
type columnMerge struct {
	order []int                 // the columns of the result, by number
	at    [versions]map[int]int // where a version has a column
	whole bool                  // the columns can't be told apart: rows are merged as words
	same  bool                  // all versions have the same columns in the same order
}

// mergeTables finds the columns of each table that both sides have.
func (w *weaver) mergeTables() {
	for id := range w.len() {
		if n := w.any(id); id > 0 && w.alive[id] && n.kind == table {
			var heads [versions][]string
			for v := range versions {
				if w.has(v, id) {
					heads[v] = headCells(w.nodes[v][id].text)
				}
			}
			w.tables[id] = mergeColumns(heads)
		}
	}
}

func headCells(text string) []string {
	head, _, _ := strings.Cut(text, "\n")
	list := cells(head)
	for i := range list {
		list[i] = plain(list[i])
	}
	return list
}

// mergeColumns numbers the columns: those of the base by their place, others behind them.
func mergeColumns(heads [versions][]string) *columnMerge {
	c := &columnMerge{}
	if heads[inOurs] == nil || heads[inTheirs] == nil {
		c.whole = true
		return c
	}
	if heads[inBase] == nil {
		heads[inBase] = slices.MinFunc(heads[inOurs:], slices.Compare) // the same whichever is ours
	}
	seq := [versions][]int{}
	added := map[string]int{}
	for v, head := range heads {
		ids := columnsOf(heads[inBase], head, added)
		if ids == nil {
			c.whole = true
			return c
		}
		seq[v], c.at[v] = ids, map[int]int{}
		for i, id := range ids {
			c.at[v][id] = i
		}
	}
	c.same = slices.Equal(seq[inBase], seq[inOurs]) && slices.Equal(seq[inBase], seq[inTheirs])
	a := arrange.Order{Seq: seq}
	name := map[int]string{}
	for n, id := range added {
		name[id] = n
	}
	a.Before = func(x, y int) bool { return name[x] < name[y] }
	c.order = a.Arrange(func(id int) bool {
		_, o := c.at[inOurs][id]
		_, t := c.at[inTheirs][id]
		_, b := c.at[inBase][id]
		return o && t || !b
	})
	return c
}

// columnsOf numbers the columns of a head: by name, and what is left in order, as renamed, if
// as many are left in the base. Nil where names are there twice.
func columnsOf(base, head []string, added map[string]int) []int {
	ids := make([]int, len(head))
	used := map[int]bool{}
	var left []int
	for i, name := range head {
		if slices.Index(head[i+1:], name) >= 0 {
			return nil
		}
		if ids[i] = slices.Index(base, name); ids[i] < 0 {
			left = append(left, i)
			continue
		}
		used[ids[i]] = true
	}
	var free []int
	for id := range base {
		if !used[id] {
			free = append(free, id)
		}
	}
	for k, i := range left {
		if len(free) == len(left) {
			ids[i] = free[k]
			continue
		}
		if _, ok := added[head[i]]; !ok {
			added[head[i]] = len(base) + len(added)
		}
		ids[i] = added[head[i]]
	}
	return ids
}

// mergeHead merges the two lines of a table's head.
func (c *columnMerge) mergeHead(t triple) (string, bool) {
	var lines [2]triple
	for v, text := range t {
		for i, line := range splitLines(text) {
			lines[min(i, 1)][v] = line
		}
	}
	head, ok := c.mergeRow(lines[0])
	rule, fine := c.mergeRow(lines[1])
	return head + rule, ok && fine
}

// mergeRow merges a row. A cell that a side changed counts; blanks around it don't where the
// other changed what it says.
func (c *columnMerge) mergeRow(t triple) (string, bool) {
	if c.whole || c.same {
		if text, ok := t.settled(); ok {
			return text, true
		}
		if c.whole {
			return mergeWords(t)
		}
	}
	var list [versions][]string
	for v, line := range t {
		list[v] = cells(line)
	}
	clean := true
	var out []string
	for _, id := range c.order {
		var cell triple
		var there [versions]bool
		for v := range versions {
			if i, ok := c.at[v][id]; ok && t[v] != "" {
				there[v] = true
				if i < len(list[v]) {
					cell[v] = list[v][i]
				}
			}
		}
		text, ok := mergeCell(cell, there)
		out, clean = append(out, text), clean && ok
	}
	clean = clean && !c.drops(t, list)
	style := either(t[inBase], t[inOurs], t[inTheirs])
	if style == "" {
		style = max(t[inOurs], t[inTheirs])
	}
	return frame(style, out), clean
}

// drops reports whether a side wrote into a column that the other took out.
func (c *columnMerge) drops(t triple, list [versions][]string) bool {
	for v := inOurs; v <= inTheirs; v++ {
		for id, i := range c.at[v] {
			if slices.Contains(c.order, id) || i >= len(list[v]) || blank(list[v][i]) {
				continue
			}
			k, ok := c.at[inBase][id]
			if !ok || t[inBase] == "" || k >= len(list[inBase]) || plain(list[inBase][k]) != plain(list[v][i]) {
				return true
			}
		}
	}
	return false
}

// mergeCell merges a cell, of the versions that have its column and row.
func mergeCell(t triple, there [versions]bool) (string, bool) {
	switch {
	case !there[inOurs] && !there[inTheirs]:
		return "  ", true
	case !there[inOurs]:
		return t[inTheirs], true
	case !there[inTheirs]:
		return t[inOurs], true
	}
	if text, ok := t.settled(); ok {
		return text, true
	}
	var bare triple
	for v := range t {
		bare[v] = strings.TrimSpace(t[v])
	}
	if text, ok := bare.settled(); ok {
		switch {
		case bare[inOurs] != text:
			return t[inTheirs], true
		case bare[inTheirs] != text:
			return t[inOurs], true
		}
		return max(t[inOurs], t[inTheirs]), true
	}
	text, ok := mergeWords(bare)
	if !ok || numeric(bare[inBase]) {
		return t[inOurs], false
	}
	return " " + text + " ", true
}

func numeric(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// frame joins cells as a row is written.
func frame(style string, list []string) string {
	line := strings.Join(list, "|")
	trimmed := strings.TrimSpace(style)
	if strings.HasPrefix(trimmed, "|") {
		line = style[:strings.Index(style, "|")+1] + line
	}
	if strings.HasSuffix(trimmed, "|") {
		line += "|"
	}
	return line + style[len(strings.TrimRight(style, " \t\n")):]
}
