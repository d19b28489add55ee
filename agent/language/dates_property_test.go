package language

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Any day of the coming year is found, however it is written.
func TestDaysAreFoundInEveryForm(t *testing.T) {
	ordinal := func(n int) string {
		for w, k := range periods().words["rank"] {
			if k == n {
				return strings.ReplaceAll(w, "-", " ")
			}
		}
		return fmt.Sprint(n)
	}
	german := strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
	for add := 1; add < 365; add++ {
		day := saturday.AddDate(0, 0, add)
		d, m := day.Day(), int(day.Month())
		for _, form := range []string{
			"by 2006-01-02", "on 2 January", "on 2 Jan", "on January 2", "on Jan. 2", "on January 2, 2006", "on 2 January 2006", "by 2.1.2006", "by 02.01.2006", "by 2.1.",
			"by 2006/1/2", "Monday 2 January", "on Monday, 2 January", "on Mon 2 Jan", "Mon, January 2",
			"2.1.2006", "until 2.1.06",
		} {
			check(t, "pay the rent "+day.Format(form), ISODay(day))
		}
		for _, text := range []string{
			fmt.Sprintf("on the %s of %s", ordinal(d), day.Month()), fmt.Sprintf("on %s the %s", day.Month(), ordinal(d)), fmt.Sprintf("on %s %dth", day.Month(), d),
			fmt.Sprintf("in %d days", add), fmt.Sprintf("%d days from now", add), fmt.Sprintf("by the %d%s of %s at the latest", d, "th", day.Month()),
		} {
			check(t, "pay the rent "+text, ISODay(day))
		}
		check(t, day.Format("die Miete zahlen am 2.1.2006"), ISODay(day))
		check(t, day.Format("die Miete zahlen bis zum 2.1."), ISODay(day))
		check(t, fmt.Sprintf("die Miete zahlen am %d. %s", d, german[m-1]), ISODay(day))
		check(t, fmt.Sprintf("die Miete am %d. %s um 10 Uhr zahlen", d, german[m-1]), ISODay(day))
	}
}

func check(t *testing.T, text, want string) {
	t.Helper()
	if d, ok := FindDate(Tokenize(text), saturday); !ok || ISODay(d.Day) != want {
		t.Errorf("%q: %s %v, want %s", text, ISODay(d.Day), ok, want)
	}
}

// Whatever is said, nothing breaks, and what was found lies in the text.
func TestDatesLieInTheText(t *testing.T) {
	words := slices.Collect(maps.Keys(periods().rules))
	words = append(words, strings.Fields("the boat 7 31 2027 12.5 1/2 99999999999 , . - / \" ( 5.12. 0 00.00 -1 31st 32nd 1.2.3.4 wendsday")...)
	slices.Sort(words)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(words), rapid.StringN(0, 4, 9)), 0, 30).Draw(t, "words"), " ")
		toks := Tokenize(text)
		if d, ok := FindDate(toks, saturday); ok && (d.Start < 0 || d.Start >= d.End || d.End > len(toks) || d.Day.IsZero()) {
			t.Fatalf("%q: %+v", text, d)
		}
		for i := range toks {
			if p, n, ok := ReadPeriod(toks[i:], saturday); ok && (n < 1 || n > len(toks)-i || p == (Period{})) {
				t.Fatalf("%q: %v %d", text, p, n)
			}
			StartsInside(toks, i)
			MonthDate(toks[i:], saturday)
			NumericDate(toks[i:], saturday)
		}
	})
}
