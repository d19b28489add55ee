package agent

import "kist/agent/tool"

// SearchWith gives an agent another search.
func (a *Agent) SearchWith(s func(tool.Searcher) tool.Searcher) { a.search = s(a.search) }
