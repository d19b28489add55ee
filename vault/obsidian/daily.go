package obsidian

import (
	"fmt"
	"path"
	"strings"
	"time"
)

// Daily says where the notes of days lie.
type Daily struct {
	Folder   string `json:"folder"`   // empty: at the top of the vault
	Format   string `json:"format"`   // of the name, as moment.js has it; it may have folders; empty: YYYY-MM-DD
	Template string `json:"template"` // path of a document, with or without .md
}

func (d Daily) within() Daily {
	return Daily{Folder: within(d.Folder), Format: d.Format, Template: within(d.Template)}
}

// Path is where the note of a day lies.
func (d Daily) Path(day time.Time) string {
	format := d.Format
	if format == "" {
		format = "YYYY-MM-DD"
	}
	name := within(Format(format, day))
	if name == "" {
		name = day.Format(time.DateOnly)
	}
	return path.Join(d.Folder, name+".md")
}

// Fill puts a day, a time and the title into a template's text: {{date}}, {{time}} and
// {{title}}, the first two also with a format behind a colon, in letters of either case.
func Fill(template, title string, at time.Time) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{{")
		field, after, closed := strings.Cut(rest, "}}")
		if b.WriteString(before); !ok || !closed {
			if ok {
				b.WriteString("{{" + rest)
			}
			return b.String()
		}
		name, format, _ := strings.Cut(strings.TrimSpace(field), ":")
		switch name = strings.ToLower(name); {
		case name == "title":
			b.WriteString(title)
		case name == "date" && format == "":
			b.WriteString(at.Format(time.DateOnly))
		case name == "time" && format == "":
			b.WriteString(at.Format("15:04"))
		case name == "date" || name == "time":
			b.WriteString(Format(format, at))
		default:
			b.WriteString("{{" + field + "}}")
		}
		template = after
	}
}

// tokens are those of moment.js, longer ones before their beginnings.
func tokens() []string {
	return []string{
		"YYYY", "YY", "GGGG", "gggg", "MMMM", "MMM", "MM", "Mo", "M", "DDDD", "DDD", "Do", "DD", "D",
		"dddd", "ddd", "dd", "d", "E", "WW", "W", "ww", "w", "Q", "HH", "H", "hh", "h", "mm", "m", "ss", "s", "A", "a",
	}
}

// Format writes a time as a format of moment.js says, in English. [Text] in brackets stays.
func Format(format string, t time.Time) string {
	var b strings.Builder
	for all := tokens(); format != ""; {
		if end := strings.IndexByte(format, ']'); format[0] == '[' && end > 0 {
			b.WriteString(format[1:end])
			format = format[end+1:]
			continue
		}
		token := ""
		for _, each := range all {
			if strings.HasPrefix(format, each) {
				token = each
				break
			}
		}
		if token == "" {
			b.WriteByte(format[0])
			format = format[1:]
			continue
		}
		b.WriteString(written(token, t))
		format = format[len(token):]
	}
	return b.String()
}

func written(token string, t time.Time) string {
	year, week := t.ISOWeek()
	switch token {
	case "GGGG":
		return fmt.Sprintf("%04d", year)
	case "WW":
		return fmt.Sprintf("%02d", week)
	case "W":
		return fmt.Sprint(week)
	case "gggg", "ww", "w":
		return sundayWeek(token, t)
	case "Mo":
		return ordinal(int(t.Month()))
	case "Do":
		return ordinal(t.Day())
	case "DDDD":
		return fmt.Sprintf("%03d", t.YearDay())
	case "DDD":
		return fmt.Sprint(t.YearDay())
	case "dd":
		return t.Weekday().String()[:2]
	case "d":
		return fmt.Sprint(int(t.Weekday()))
	case "E":
		return fmt.Sprint((int(t.Weekday())+6)%7 + 1)
	case "Q":
		return fmt.Sprint((int(t.Month())-1)/3 + 1)
	case "H":
		return fmt.Sprint(t.Hour())
	}
	return t.Format(map[string]string{
		"YYYY": "2006", "YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "DD": "02", "D": "2", "dddd": "Monday", "ddd": "Mon",
		"HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5", "A": "PM", "a": "pm",
	}[token])
}

// sundayWeek is a week that begins on Sunday, the first being that of 1 January.
func sundayWeek(token string, t time.Time) string {
	saturday := t.AddDate(0, 0, 6-int(t.Weekday()))
	week := (saturday.YearDay()-1)/7 + 1
	switch token {
	case "gggg":
		return fmt.Sprintf("%04d", saturday.Year())
	case "ww":
		return fmt.Sprintf("%02d", week)
	}
	return fmt.Sprint(week)
}

func ordinal(n int) string {
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			return fmt.Sprintf("%dst", n)
		case 2:
			return fmt.Sprintf("%dnd", n)
		case 3:
			return fmt.Sprintf("%drd", n)
		}
	}
	return fmt.Sprintf("%dth", n)
}
