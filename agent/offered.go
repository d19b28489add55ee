package agent

import (
	"slices"

	"kist/agent/consent"
	"kist/agent/prose"
	"kist/vault"
	"kist/vault/conversation"
)

// suspend takes every offer back from go, as a message does that says something else.
func suspend(s *conversation.Session) {
	offers := slices.Clone(s.Offers)
	for i := range offers {
		offers[i].Suspended = true
	}
	s.Offers = offers
}

// shownIn is what a session has offered.
func shownIn(s conversation.Session) []consent.Proposal {
	var out []consent.Proposal
	for _, o := range s.Offers {
		out = append(out, consent.Proposal(o))
	}
	return out
}

func waitingOf(s conversation.Session, ops []vault.Operation) []consent.Waiting {
	var out []consent.Waiting
	for _, op := range ops {
		i := slices.IndexFunc(s.Offers, func(o conversation.Offer) bool { return o.ID == op.ID })
		out = append(out, consent.Waiting{ID: op.ID, Reason: prose.OneLine(op.Reason, 200), Removes: op.Type != vault.OpCreate && (i < 0 || s.Offers[i].Removes)})
	}
	return out
}

func operation(ops []vault.Operation, id string) (vault.Operation, bool) {
	i := slices.IndexFunc(ops, func(op vault.Operation) bool { return op.ID == id })
	if i < 0 {
		return vault.Operation{}, false
	}
	return ops[i], true
}
