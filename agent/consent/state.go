package consent

import (
	"slices"
	"strings"
)

// A Proposal is what a session remembers of an operation that it has shown and that
// may still be agreed to. What has lapsed isn't remembered.
type Proposal struct {
	ID        string `yaml:"id"`
	Digest    string `yaml:"digest"` // of the bytes that were shown
	Removes   bool   `yaml:"removes,omitempty"`
	Suspended bool   `yaml:"suspended,omitempty"`
}

// Waiting is a proposed operation of the session, in the order of the log.
type Waiting struct {
	ID     string
	Reason string // what it is named by
	// Removes: it removes, renames or moves something.
	Removes bool
}

// A Verdict is what a message does to proposals. The three lists have no id in common.
type Verdict struct {
	Reply   Reply
	Approve []Proposal // in the order in which they were shown
	Reject  []string   // ids
	Again   []string   // ids of what is to be shown again, and nothing else done
	// Chose: the message picked or named some, so that it is answered whole by that.
	Chose bool
}

// Settles reports whether the verdict does anything.
func (v Verdict) Settles() bool { return len(v.Approve)+len(v.Reject)+len(v.Again) > 0 }

// Decide reads a message against what was shown and what waits. asked: the last reply
// also asked something else, so that a bare yes or no is the answer to that.
func Decide(text string, shown []Proposal, waiting []Waiting, asked bool) Verdict {
	live := slices.DeleteFunc(slices.Clone(shown), func(p Proposal) bool {
		return !slices.ContainsFunc(waiting, func(w Waiting) bool { return w.ID == p.ID })
	})
	offered := slices.DeleteFunc(slices.Clone(live), func(p Proposal) bool { return p.Suspended })
	if assent, _ := agreement(text); assent != "" && !asked {
		return Decide(assent, shown, waiting, asked) // the rest is another matter
	}
	v := Verdict{Reply: replyTo(text, offered, waiting, asked)}
	if asked && (v.Reply == Yes || v.Reply == No) {
		return v
	}
	switch v.Reply {
	case Yes, Go:
		v.Approve = offered
		if len(offered) == 0 && v.Reply == Go {
			v.Again = ids(live)
		}
	case No:
		v.Reject = ids(live)
	case Other:
		switch {
		case asked: // "the first one" answers the question
		case Rest(text) != "" && len(offered) > 0:
			v.Reject = ids(live) // what is wanted instead is another matter
		default:
			v.choose(text, offered, waiting)
		}
		if !asked && !v.Settles() && nearlyAgrees(text) {
			v.Again = ids(offered)
		}
	}
	return v
}

// replyTo reads a message as a reply to what was offered.
func replyTo(text string, offered []Proposal, waiting []Waiting, asked bool) Reply {
	reply := Read(text)
	if a := assentTo(text); reply == Other && !asked && readable(text) && a.reply != Other && a.fits(offered, waiting) {
		reply = a.reply // "delete it", said to a deletion
	}
	if reply != Keep {
		return reply
	}
	if len(offered) > 0 && !slices.ContainsFunc(offered, func(p Proposal) bool { return !p.Removes }) {
		return No // "keep it", said to a deletion
	}
	return Other
}

// choose reads a message that picks some of what was offered, or names one that waits.
func (v *Verdict) choose(text string, offered []Proposal, waiting []Waiting) {
	if c, ok := ChoiceOf(text, reasons(offered, waiting)); ok {
		v.Chose = true
		for _, i := range c.Take {
			if offered[i].Removes && c.Named && !plainly(text) {
				*v = Verdict{Reply: Other} // "go to the coffee shop" is no word on its deletion
				return
			}
			v.Approve = append(v.Approve, offered[i])
		}
		for _, i := range c.Drop {
			v.Reject = append(v.Reject, offered[i].ID)
		}
		return
	}
	w, verb := named(text, waiting)
	if verb == "" {
		return
	}
	v.Chose = true
	i := slices.IndexFunc(offered, func(p Proposal) bool { return p.ID == w.ID })
	switch {
	case verb == "reject":
		v.Reject = []string{w.ID}
	case i >= 0:
		v.Approve = []Proposal{offered[i]}
	default:
		// Its bytes were not in the last reply: it is shown, and the next message decides.
		v.Again = []string{w.ID}
	}
}

// plainly: the first word can only agree, or limits what is agreed to.
func plainly(text string) bool {
	said := fields(text)
	return is("approve", said[0]) || is("only", said[0])
}

// named reads a message that agrees to or rejects one waiting proposal by its id, or by
// words that no other one has: "approve 01M7...", "yes, the van", "reject the tape". A
// word that is neither of the name nor an article makes it something else.
func named(text string, waiting []Waiting) (w Waiting, verb string) {
	said := fields(text)
	if len(said) < 2 || len(text) > 200 || strings.Contains(text, "?") {
		return w, ""
	}
	switch {
	case is("approve", said[0]):
		verb = "approve"
	case is("reject", said[0]):
		verb = "reject"
	default:
		return w, ""
	}
	about := slices.DeleteFunc(slices.Clone(said[1:]), func(word string) bool { return is("article", word) })
	if len(about) == 0 {
		return w, ""
	}
	var fit []Waiting
	for _, each := range waiting {
		if len(about) == 1 && about[0] == strings.ToLower(each.ID) || covers(fields(each.Reason), about) {
			fit = append(fit, each)
		}
	}
	if len(fit) != 1 {
		return w, ""
	}
	return fit[0], verb
}

func covers(words, about []string) bool {
	return !slices.ContainsFunc(about, func(w string) bool { return len(w) < 3 || !slices.Contains(words, w) })
}

// After is what the session remembers behind a turn: what the reply showed is offered,
// what was offered before and is still undecided is suspended, the rest has lapsed.
func After(shown []Proposal, v Verdict, offers []Proposal) []Proposal {
	out := slices.Clone(offers)
	known := func(id string) bool {
		return slices.ContainsFunc(out, func(p Proposal) bool { return p.ID == id })
	}
	for _, p := range shown {
		decided := slices.Contains(v.Reject, p.ID) || slices.ContainsFunc(v.Approve, func(a Proposal) bool { return a.ID == p.ID })
		if !p.Suspended && !decided && !known(p.ID) {
			p.Suspended = true
			out = append(out, p)
		}
	}
	return out
}

func ids(list []Proposal) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.ID)
	}
	return out
}

func reasons(offered []Proposal, waiting []Waiting) []string {
	var out []string
	for _, p := range offered {
		for _, w := range waiting {
			if w.ID == p.ID {
				out = append(out, w.Reason)
			}
		}
	}
	return out
}
