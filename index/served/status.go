package served

import "fmt"

// State says what an Embedder is about.
type State string

// The states of an Embedder.
const (
	Working State = "embedding" // documents are being embedded
	Ready   State = "ready"     // all documents have their vectors
	Failing State = "failing"   // see Problem
)

// Status is the part of a Status about the configured Embedder.
type Status struct {
	Model     string
	State     State
	InUse     bool   // searches use its vectors; else the built-in ones, or words alone
	Documents int    // that have its vectors
	Pending   int    // documents that have none or not all of them
	Skipped   int    // passages that the server refused since the start; they are found by words
	Problem   string // the last error, with a hint; empty: all is well
	Slow      bool   // the last search went without, because the server took too long
}

// Status is that of a server which sees to something with so many documents, of which a set, that
// may be in use, has some.
func (r *Server) Status(of any, all, have int, inUse bool) Status {
	failing, late := r.queries.state()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Status{Model: r.Model(), State: Ready, InUse: inUse, Pending: len(r.todo), Skipped: r.skipped(), Problem: r.problem, Slow: late}
	if r.of != of { // not compared yet
		s.Pending = max(0, all-have)
	}
	s.Documents = max(0, all-s.Pending)
	switch {
	case s.Problem == "" && failing:
		s.Problem = r.Model() + " doesn't answer; check that the server runs; it is tried again by itself"
		fallthrough
	case s.Problem != "":
		s.State = Failing
	case s.Pending > 0 || r.of != of || !s.InUse && all > 0:
		s.State = Working
	}
	return s
}

// skipped is how many texts the server won't have.
func (r *Server) skipped() int {
	r.odds.Lock()
	defer r.odds.Unlock()
	return len(r.odd)
}

// Notice says in a sentence what searches do without; empty: nothing.
func (s Status) Notice() string {
	switch {
	case s.Model == "":
		return ""
	case s.State == Failing:
		return "search goes without " + s.Problem
	case s.Pending > 0:
		return fmt.Sprintf("%d of %d documents have no vectors of %s yet; they are found by words meanwhile", s.Pending, s.Pending+s.Documents, s.Model)
	case s.Slow:
		return fmt.Sprintf("%s took more than %d ms for a query, so the search went without; it may have been loading", s.Model, queryLimit.Milliseconds())
	}
	return ""
}
