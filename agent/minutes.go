package agent

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/private"
	"kist/agent/prose"
	"kist/vault"
)

// maxSources are listed in the conversation file.
const maxSources = 40

// minutes are what the conversation will tell of a turn.
type minutes struct {
	reply      prose.Reply
	operations []string // ids
	actions    []string // a line for each
	sources    []string
}

// logged puts an operation into the conversation.
func (m *minutes) logged(op vault.Operation) {
	m.operations = append(m.operations, op.ID)
	m.actions = append(m.actions, fmt.Sprintf("%s: %s %s: %s", op.Status, op.Type, op.Entity.Path, prose.OneLine(op.Reason, 200)))
}

func (m *minutes) addSources(sources []string) {
	for _, s := range sources {
		if len(m.sources) < maxSources && !slices.Contains(m.sources, s) {
			m.sources = append(m.sources, s)
		}
	}
}

// note has the conversation tell that something private was read or told of, so that later
// turns know.
func (m *minutes) note(s *private.Sight, sources ...string) {
	i := slices.IndexFunc(sources, s.Source) // one is enough
	if i < 0 {
		return
	}
	if len(m.sources) >= maxSources && !slices.Contains(m.sources, sources[i]) {
		m.sources = m.sources[:maxSources-1]
	}
	m.addSources(sources[i : i+1])
}

// maxQuoted bounds what is kept of tools' results, in bytes.
const maxQuoted = 128 << 10

// quotes are texts that the user was told from the vault.
type quotes []string

// add keeps the texts of a result: what the user was told isn't news when they say it.
func (q *quotes) add(value any) {
	switch v := value.(type) {
	case string:
		n := len(v)
		for _, each := range *q {
			n += len(each)
		}
		if n <= maxQuoted && len(strings.Fields(v)) > 2 {
			*q = append(*q, v)
		}
	case []string:
		for _, s := range v {
			q.add(s)
		}
	case map[string]any:
		for _, s := range v {
			q.add(s)
		}
	case []map[string]any:
		for _, s := range v {
			q.add(s)
		}
	}
}
