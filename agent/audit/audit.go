package audit

import (
	"errors"

	"kist/vault"
	"kist/vault/markdown"
)

// report runs all checks. It is a pure function of the material.
func (m *material) report() Report {
	m.found, m.good = nil, nil
	r := Report{Name: m.name}
	scores, overall := m.measure()
	r.Dimensions, r.Completeness = m.checkDimensions(scores), overall
	m.checkFrame()
	m.checkTasks()
	m.checkNext()
	end := m.checkDeadlines()
	m.checkTime(end)
	m.checkGoals(end)
	m.checkPast()
	m.checkOwners()
	m.checkMoney()
	m.checkRisks()
	m.checkDecisions()
	m.checkStale()
	m.checkFiles()
	r.Findings, r.Strengths = m.found, m.good
	for _, f := range m.files {
		r.Read = append(r.Read, f.path)
	}
	r.sort()
	return r
}

func isNotFound(err error) bool { return errors.Is(err, vault.ErrNotFound) }

// faultLine is where front matter is wrong.
func faultLine(err error) int {
	if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		return max(syntax.Line, 1)
	}
	return 1
}
