package language

import "time"

// A Period is a stretch of days, both ends within it. A zero end is open.
type Period struct {
	From, To time.Time
}

// Within is what two periods have in common.
func (p Period) Within(o Period) Period {
	if p.From.Before(o.From) {
		p.From = o.From
	}
	if p.To.IsZero() || !o.To.IsZero() && o.To.Before(p.To) {
		p.To = o.To
	}
	return p
}

// window is how many tokens a time takes at most.
const window = 18

// ReadPeriod reads a period or a bound at the start of toks and returns how many
// tokens it takes: "next week" (Monday to Sunday), "by Friday" (until then, that day
// too), "before 5 December", "the next 7 days" (today too), "in December", "between
// Monday and Friday", "on Friday" (that day).
func ReadPeriod(toks []Token, now time.Time) (Period, int, bool) {
	r := newReader(mixed(toks[:min(window, len(toks))]), now)
	p := r.read(0, 3, "")
	if p.end == 0 || p.end == 1 && named("weak", toks[0].Norm) == 1 || p.rule.name == "year" {
		return Period{}, 0, false
	}
	return p.Period, p.end, true
}

func single(day time.Time) reading { return reading{Period: Period{day, day}, day: day} }

func stretch(p Period) reading { return reading{Period: p, day: p.To} }

// wholes is a unit as a reading: a week is done by its Friday.
func (r reader) wholes(unit, add int) reading {
	p := stretch(whole(unit, add, r.today))
	if friday := p.To.AddDate(0, 0, -2); unit == 7 && (add != 0 || !friday.Before(r.today)) {
		p.day = friday
	}
	if add == 0 {
		p.runs = unit
	}
	return p
}

// build works out what a rule means with what stands in its places. A type of rule is
// in one of the functions below.
func (r reader) build(how *rule, v values) (reading, bool) {
	for _, build := range []func(*rule, values) (reading, bool){r.ofDays, r.ofStretches, r.ofParts, r.ofCounts, r.ofBounds} {
		if p, ok := build(how, v); ok {
			return p, true
		}
	}
	return reading{}, false
}

// ofDays builds single days.
func (r reader) ofDays(how *rule, v values) (reading, bool) {
	switch how.name {
	case "day":
		return single(r.today.AddDate(0, 0, how.n)), true
	case "weekday":
		return single(r.weekday(v.n["weekday"], how.n)), true
	case "numeric", "dated":
		return single(v.day), !v.day.IsZero()
	case "date":
		month := time.Month(v.n["month"])
		day, ok := upcoming(v.n["dom"], month, r.today)
		if year := v.n["year"]; year > 0 {
			day, ok = valid(year, month, v.n["dom"])
		}
		return single(day), ok
	case "dom":
		day, ok := comingDay(max(v.n["ord"], v.n["th"]), r.today)
		return single(day), ok
	case "feast":
		day := v.feast.in(r.today.Year())
		if year := v.n["year"]; year > 0 {
			day = v.feast.in(year)
		} else if day.Before(r.today) {
			day = v.feast.in(r.today.Year() + 1)
		}
		return single(day), true
	}
	return reading{}, false
}

// weekday is the next one after today; 1: that of the week after this, -1: the last.
func (r reader) weekday(w, add int) time.Time {
	ahead := (w-isoWeekday(r.today)+6)%7 + 1
	switch {
	case add > 0:
		return EndOfWeek(r.today).AddDate(0, 0, w+7*(add-1))
	case add < 0:
		return r.today.AddDate(0, 0, -(isoWeekday(r.today)-w+6)%7-1)
	}
	return r.today.AddDate(0, 0, ahead)
}

// ofStretches builds weeks, months, quarters and years.
func (r reader) ofStretches(how *rule, v values) (reading, bool) {
	year := v.n["year"]
	switch how.name {
	case "whole":
		return r.wholes(v.n["whole"], how.n), true
	case "weekend":
		return r.wholes(2, how.n), true
	case "year":
		return stretch(Period{date(year, 1, 1), date(year, 12, 31)}), true
	case "kw":
		n := v.n["n"] / 2
		p := whole(7, n-1, date(max(year, r.today.Year()), 1, 4))
		if year == 0 && p.To.Before(r.today) {
			p = whole(7, n-1, date(r.today.Year()+1, 1, 4))
		}
		return reading{Period: p, day: p.To.AddDate(0, 0, -2)}, n >= max(1, how.n) && n <= 53
	case "month", "quarter":
		from, n := v.n["month"], 1
		if how.name == "quarter" {
			from, n = 3*max(v.n["quarter"], v.n["nth"])-2, 3
		}
		y := r.today.Year()
		switch over := date(y, from+n, 0).Before(r.today); {
		case year > 0:
			y = year
		case over && how.n == 0:
			y++
		case !over && how.n < 0:
			y--
		}
		return stretch(Period{date(y, from, 1), date(y, from+n, 0)}), from > 0 && from < 13
	}
	return reading{}, false
}

// ofCounts builds what is so many units away, from today or from a day.
func (r reader) ofCounts(how *rule, v values) (reading, bool) {
	n, unit := v.n["n"], v.n["unit"]
	switch how.name {
	case "ahead":
		return stretch(Period{r.today, later(r.today, n, unit)}), true
	case "back":
		return stretch(Period{later(r.today, -n, unit), r.today}), true
	case "ago":
		return single(later(r.today, -n, unit)), true
	case "days":
		return stretch(Period{r.today.AddDate(0, 0, min(0, how.n)), r.today.AddDate(0, 0, max(0, how.n))}), true
	case "plus", "minus":
		if how.name == "minus" {
			n = -n
		}
		day := v.span.From
		if !day.Equal(v.span.To) {
			return reading{}, false
		}
		if n == 0 {
			return single(day.AddDate(0, 0, how.n)), how.n != 0
		}
		if v.span.rule.name == "weekday" && unit == 1 {
			n -= n % 14 // "Monday in eight days" is a Monday
		}
		return single(later(day, n, unit)), true
	case "following", "preceding":
		if how.name == "following" {
			return single(reader{today: v.span.To}.weekday(v.n["weekday"], 0)), true
		}
		return single(reader{today: v.span.From}.weekday(v.n["weekday"], -1)), true
	}
	return reading{}, false
}

// ofParts builds parts of a stretch: "early December", "the first week of February".
func (r reader) ofParts(how *rule, v values) (reading, bool) {
	if !In("early|middle|late|end|half|nth|domof|within", how.name) {
		return reading{}, false
	}
	if v.span == nil {
		p := r.wholes(max(how.n, v.n["whole"], v.n["of"]), 0)
		v.span = &p
	}
	p, ok := partOf(how, v, *v.span)
	if ok && v.span.runs > 0 && p.To.Before(r.today) {
		return partOf(how, v, r.wholes(v.span.runs, 1)) // the beginning of the month was
	}
	return p, ok
}

func partOf(how *rule, v values, p reading) (reading, bool) {
	days := int(p.To.Sub(p.From).Hours()/24) + 1
	slice := func(from, to int) reading {
		return stretch(Period{p.From.AddDate(0, 0, from), p.From.AddDate(0, 0, to)})
	}
	switch how.name {
	case "early":
		return slice(0, max(0, days/3-1)), true
	case "middle":
		out := slice(days/3, days-days/3-1)
		out.day = p.From.AddDate(0, 0, (days-2)/2)
		if days >= 28 && days <= 31 {
			out.day = p.From.AddDate(0, 0, 14)
		}
		return out, true
	case "late", "end":
		return reading{Period: Period{p.day.AddDate(0, 0, -max(0, days/3-1)), p.To}, day: p.day}, true
	case "half":
		second := days / 2
		if how.n == 1 {
			return slice(0, second-1), true
		}
		return slice(second, days-1), true
	case "domof":
		day, ok := valid(p.From.Year(), p.From.Month(), v.n["dom"])
		return single(day), ok && days >= 28 && days <= 31 && (v.span.rule == nil || v.span.rule.name == "whole")
	case "within":
		return single(p.From.AddDate(0, 0, v.n["weekday"]-1)), days == 7
	}
	return nth(v.n["nth"], v.n["weekday"], v.n["unit"], p.Period)
}

// nth is the nth weekday, week or day of a period; -1: the last.
func nth(n, weekday, unit int, p Period) (reading, bool) {
	if weekday > 0 {
		first := (weekday - isoWeekday(p.From) + 7) % 7
		if n < 0 {
			n = (int(p.To.Sub(p.From).Hours()/24)-first)/7 + 1
		}
		day := p.From.AddDate(0, 0, first+7*(n-1))
		return single(day), !day.After(p.To)
	}
	from := p.From.AddDate(0, 0, (n-1)*unit)
	if n < 0 {
		from = p.To.AddDate(0, 0, 1-unit)
	}
	return stretch(Period{from, from.AddDate(0, 0, unit-1)}), unit == 1 || unit == 7
}

// ofBounds opens an end of a time, or has one from its beginning to the end of another.
func (r reader) ofBounds(how *rule, v values) (reading, bool) {
	if v.span == nil || how.level < 3 {
		return reading{}, false
	}
	p := *v.span
	one := p.From.Equal(p.To)
	switch how.name {
	case "on":
	case "until":
		p.From = time.Time{}
	case "from":
		p.To = time.Time{}
	case "after":
		p.From, p.To = p.To.AddDate(0, 0, 1), time.Time{}
		p.day = p.From
	case "before":
		to := p.From.AddDate(0, 0, -1)
		if p.rule.name == "end" {
			to = p.To
		} else if !one && !to.Before(r.today) {
			p.day = to
		}
		p.From, p.To = time.Time{}, to
	case "range":
		var from time.Time
		if v.first != nil {
			from = v.first.From
		} else if day, ok := valid(p.To.Year(), p.To.Month(), v.n["dom"]); ok {
			from = day
		} else {
			return reading{}, false
		}
		if p.From = from; p.To.Before(from) {
			p.To, p.day = p.To.AddDate(0, 0, 7), p.day.AddDate(0, 0, 7) // "from Monday to Friday", said on a Wednesday
		}
		return p, !p.To.Before(p.From)
	}
	return p, true
}
