/*
Package budget keeps what language models use within limits, in tokens and in money, of
a turn, a day and a month. Before each request it is estimated what it will take; one
that would pass a limit isn't made, and the user is asked. One that is made is counted as
it is estimated before it is sent, so that turns side by side see each other's and a crash
loses nothing, and is corrected behind it to what it took, also where it was cut off.
*/
package budget

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	"kist/agent/model"
	"kist/vault/usage"
)

// A Limit bounds what is used in a turn, a day of the local calendar and its month. Zero is
// no limit.
type Limit struct{ Turn, Day, Month float64 }

// Check refuses what can't be meant.
func (l Limit) Check() error {
	for _, part := range []struct {
		name  string
		value float64
	}{{"turn", l.Turn}, {"day", l.Day}, {"month", l.Month}} {
		if !(part.value >= 0 && part.value < 1e12) {
			return fmt.Errorf("%s is %v; it is a number from 0, which is no limit", part.name, part.value)
		}
	}
	for _, pair := range []struct {
		less, more           string
		lessValue, moreValue float64
	}{{"turn", "day", l.Turn, l.Day}, {"turn", "month", l.Turn, l.Month}, {"day", "month", l.Day, l.Month}} {
		if pair.moreValue > 0 && pair.lessValue > pair.moreValue {
			return fmt.Errorf("%s is %v, which is more than %s, %v", pair.less, pair.lessValue, pair.more, pair.moreValue)
		}
	}
	return nil
}

// Limits of what models use on this machine in one vault.
type Limits struct {
	Tokens Limit // in and out together
	Money  Limit // in the currency of the prices
}

// Fixed is for limits that don't change.
func Fixed(l Limits) func() Limits { return func() Limits { return l } }

// A Ledger keeps what was used. Days are YYYY-MM-DD, months YYYY-MM.
type Ledger interface {
	// BookUse adds to a day if allow, which is told what was used on it and in its month,
	// has nothing against it; nobody else adds in between. An error says that it isn't kept.
	BookUse(day string, use usage.Use, allow func(day, month usage.Use) bool) error
	AddUse(day string, use usage.Use) error // also less than zero, which takes back
	Used(when string) usage.Use
}

// A Meter is that of one turn, and is used by one goroutine.
type Meter struct {
	limits func() Limits
	ledger Ledger
	now    func() time.Time
	log    *slog.Logger

	booked usage.Use // for the request that was allowed and isn't counted yet
	day    string    // on which it was booked
	spent  usage.Use
	calls  int
	lifted bool
	last   model.Usage
}

// New returns the meter of a turn. The limits are those of the moment when it is asked.
func New(limits func() Limits, ledger Ledger, now func() time.Time, log *slog.Logger) *Meter {
	return &Meter{limits: limits, ledger: ledger, now: now, log: log}
}

// Lift takes the user's word that this turn may pass the limits of the day and the month,
// and that of a turn with its first request.
func (m *Meter) Lift() { m.lifted = true }

// Allow returns an error that wraps model.ErrLimit and says which limit a request would pass,
// and by how much, if it took what is estimated. A request that it allows is booked as it
// is estimated until it is counted.
func (m *Meter) Allow(likely model.Usage) error {
	next, limits := useOf(likely), m.limits()
	if m.calls > 0 || !m.lifted {
		if err := passes("This turn", m.spent, next, limits.Tokens.Turn, limits.Money.Turn); err != nil {
			return err
		}
	}
	var refused error
	day := m.today()
	err := m.ledger.BookUse(day, next, func(today, month usage.Use) bool {
		if m.lifted {
			return true
		}
		if refused = passes("Today", today, next, limits.Tokens.Day, limits.Money.Day); refused == nil {
			refused = passes("This month", month, next, limits.Tokens.Month, limits.Money.Month)
		}
		return refused == nil
	})
	if refused != nil {
		return refused
	}
	m.kept(err)
	m.day, m.booked = day, next
	return nil
}

// Count takes what a request has taken, which is nothing where it never began. It is called
// once behind each that was allowed, and corrects what was booked, on the same day.
func (m *Meter) Count(used model.Usage) {
	use, day := useOf(used), cmp.Or(m.day, m.today())
	if more := (usage.Use{Tokens: use.Tokens - m.booked.Tokens, Cost: use.Cost - m.booked.Cost}); more != (usage.Use{}) {
		m.kept(m.ledger.AddUse(day, more))
	}
	m.day, m.booked = "", usage.Use{}
	if use == (usage.Use{}) {
		return
	}
	m.last = used
	m.calls++
	m.spent = usage.Use{Tokens: m.spent.Tokens + use.Tokens, Cost: m.spent.Cost + use.Cost}
}

func (m *Meter) kept(err error) {
	if err != nil {
		m.log.Warn("what a model used isn't counted", "err", err)
	}
}

func (m *Meter) today() string { return m.now().Format(time.DateOnly) }

// Calls is how many requests took something.
func (m *Meter) Calls() int { return m.calls }

// Last is what the last request took that took something.
func (m *Meter) Last() model.Usage { return m.last }

// Spent is what this turn has used, Today and Month what was used in the vault on this machine.
func (m *Meter) Spent() usage.Use { return m.spent }

// Today is what was used since midnight.
func (m *Meter) Today() usage.Use { return m.ledger.Used(m.today()) }

// Month is what was used since the first of the month.
func (m *Meter) Month() usage.Use { return m.ledger.Used(m.now().Format("2006-01")) }

func useOf(u model.Usage) usage.Use {
	return usage.Use{Tokens: max(0, u.Input) + max(0, u.Output), Cost: max(0, u.Cost)}
}

// passed is what would happen, for the user.
type passed struct{ text string }

func (p passed) Error() string { return p.text }
func (p passed) Unwrap() error { return model.ErrLimit }

func passes(when string, used, next usage.Use, tokens, money float64) error {
	switch {
	case money > 0 && used.Cost+next.Cost > money:
		return passed{fmt.Sprintf("%s has cost %s so far, and the next request costs about %s: more than the limit of %s", when, Money(used.Cost), Money(next.Cost), Money(money))}
	case tokens > 0 && float64(used.Tokens+next.Tokens) > tokens:
		return passed{fmt.Sprintf("%s has used %d tokens so far, and the next request takes about %d: more than the limit of %.0f", when, used.Tokens, next.Tokens, tokens)}
	}
	return nil
}

// Money writes an amount in the currency of the prices, with cents, or as far as it takes to
// see anything of it.
func Money(amount float64) string {
	if amount > 0 && amount < 0.01 {
		return fmt.Sprintf("%.2g", amount)
	}
	return fmt.Sprintf("%.2f", amount)
}
