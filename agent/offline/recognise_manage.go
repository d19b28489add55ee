package offline

import (
	"slices"
	"strings"
)

// managing recognises what changes whole projects: to rename, merge, archive or
// delete one. All of it waits for the user's go, so that a wrong guess costs a
// word; yet the aim must be a project and not a thing in the world.
func (r *reader) managing(c *clause) meaning {
	if c.question && !polite(c.toks) || !c.orders() && !polite(c.toks) && c.frame != obligation && c.frame != intention || has(c.body, "<taskword>|<noteword>|<memoryword>|file|files|folder|draft|drafts") {
		return meaning{}
	}
	best := meaning{}
	if active, ok := activated(c); ok {
		c = active
	}
	for _, recognise := range []func(*clause) meaning{r.renaming, r.merging, r.archiving, r.deleting} {
		if m := recognise(c); m.score > best.score {
			best = m
		}
	}
	if !c.orders() && best.score > 0 {
		best.score -= 0.1 // "I have to archive the project": said of oneself, perhaps
	}
	return best
}

// polite: "could the boat be renamed to ..." asks for it.
func polite(toks []token) bool {
	_, ok := matchAny(toks, "can|could|may|would")
	return ok
}

// activated turns a passive into an order: "the boat should be renamed to Ark"
// becomes "rename the boat to Ark".
func activated(c *clause) (*clause, bool) {
	i, e, ok := find(c.toks, "is|are|be|get|to|have|has|being? renamed|archived|shelved|mothballed|merged|combined|joined|deleted|removed|erased")
	if !ok || i == 0 || c.toks[e-1].quoted || in("was|were|been|not|they|we|i|he|she|got", c.toks[i-1].norm) || has(c.toks[i:e], "is|are|has|have|being") {
		return nil, false
	}
	subject := c.toks[:i]
	for len(subject) > 0 && in("can|could|may|would|should|shall|must|will|needs|need|ought|wants|to|now|please|probably|i|we|want|like|you|love", subject[len(subject)-1].norm) {
		subject = subject[:len(subject)-1]
	}
	wished := len(subject) < i || c.frame != bare
	if n, ok := matchAny(subject, "can|could|may|would", "i|we want|need|prefer", "i|we would like|love|prefer"); ok {
		subject, wished = subject[n:], true
	}
	if !wished || len(subject) == 0 {
		return nil, false
	}
	verb := c.toks[e-1]
	verb.norm = strings.TrimSuffix(verb.norm, "d")
	for _, base := range []string{verb.norm, strings.TrimSuffix(verb.norm, "e"), strings.TrimSuffix(verb.norm, "le") + "l"} {
		if class("<renameverb>", base) || class("<mergeverb>", base) || class("<archiveverb>", base) || class("<deleteverb>", base) {
			verb.norm = base
		}
	}
	body := slices.Concat([]token{verb}, subject, c.toks[e:])
	return &clause{src: c.src, toks: body, body: body, frame: request, all: c.all}, true
}

// renaming reads "rename X to Y", "change the name of X to Y", "call this project Y".
func (r *reader) renaming(c *clause) meaning {
	body := c.body
	if n, ok := matchAny(body, "<renameverb>", "<renameverb> <det> project", "change|set|switch|update|edit <det>? name|title|label of|for?"); ok && n <= len(body) {
		if m := r.renamed(c, body[n:]); m.score > 0 {
			return m
		}
		if class("<renameverb>", body[0].norm) {
			if m := r.calling(c, body[1:]); m.score > 0 {
				return m // "rename this project Milonga"
			}
			return r.unnamed(c, body[n:])
		}
	}
	if n, ok := matchAny(body, "change|set|update"); ok { // "change the boat's name to Sea Home"
		if i, e, ok := find(body[n:], "name|title to|into|as"); ok && i > 0 && n+e < len(body) {
			if ref, a := r.aim(c, body[n:n+i]); a != aimless && a != aimPart || a == aimPart && len(ref.found) == 1 {
				return r.nameTo(c, ref, body[n+e:])
			}
		}
	}
	if n, ok := matchAny(body, "call|name|title|dub"); ok && n < len(body) {
		return r.calling(c, body[n:])
	}
	if n, ok := matchAny(body, "give <det>"); ok {
		if i, e, ok := find(body[n:], "<det> new|different|better|other? name|title of|:|,?"); ok && i > 0 {
			if ref, a := r.aim(c, body[n-1:n+i]); clearly(ref, a) {
				return r.nameTo(c, ref, body[n+e:])
			}
		}
	}
	return r.called(c)
}

// unnamed: "rename the shop project", whose new name is still to be asked for.
func (r *reader) unnamed(c *clause, toks []token) meaning {
	ref, a := r.aim(c, toks)
	if clearly(ref, a) || a == aimPart && len(ref.found) == 1 || a == aimHere && r.sit.Project != nil && len(toks) > 0 {
		return meaning{intent: renameProject, score: 0.85, project: ref}
	}
	return meaning{}
}

// renamed tries every "to" as the place where the new name begins, since names
// hold some themselves: "rename Trip to Spain to Iberia".
func (r *reader) renamed(c *clause, toks []token) meaning {
	var best meaning
	for i := range toks {
		if toks[i].quoted || !in("to|as|into|:", toks[i].norm) || i+1 >= len(toks) {
			continue
		}
		ref, a := r.aim(c, toks[:i])
		ok := clearly(ref, a) || a == aimPart || a == aimHere && (r.sit.Project != nil || i > 0)
		if !ok {
			continue
		}
		m := r.nameTo(c, ref, toks[i+1:])
		if ref.exact {
			m.score += 0.02
		}
		if m.score > best.score {
			best = m
		}
	}
	if best.score == 0 { // "rename the boat 'Sea Home'"
		for i, t := range toks {
			if !t.word && in(`"|'`, t.norm) && i > 0 {
				if ref, a := r.aim(c, toks[:i]); a != aimless {
					return r.nameTo(c, ref, toks[i:])
				}
				break
			}
		}
	}
	return best
}

// calling: "call it Sea Home from now on", "call this project Atlas".
func (r *reader) calling(c *clause, toks []token) meaning {
	for i := 1; i < len(toks) && i <= 5; i++ {
		ref, a := r.aim(c, toks[:i])
		if !clearly(ref, a) && !(a == aimHere && has(toks[i:], "instead|on")) {
			continue
		}
		if i+1 < len(toks) && class("<planword>", toks[i].norm) {
			continue // "this | project Atlas"
		}
		if tail := toks[i:]; a != aimAbsent && !in("to|about|and|for|at|on|off|back|if|when|tomorrow|today|now|a|an", tail[0].norm) && (isCapital(c.src, tail[0]) || !tail[0].word || has(tail, "instead|on")) {
			return r.nameTo(c, ref, tail)
		}
	}
	return meaning{}
}

// called: "the boat project should be called Sea Home", "the project's new name is Atlas".
func (r *reader) called(c *clause) meaning {
	toks := c.toks
	if c.frame == wish || c.frame == request {
		toks = c.body
	}
	if i, e, ok := find(toks, "to be called|named|titled", "should|shall|must|will|is now? be? called|named|titled|renamed to?", "needs to be renamed|called to?", "should|shall|will have|get the? new? name", "needs|gets|has|wants|deserves a|another|the new|better|different? name :"); ok && i > 0 && e < len(toks) {
		if ref, a := r.aim(c, toks[:i]); a == aimWhole || a == aimHere && has(toks[:i], "project") {
			return r.nameTo(c, ref, toks[e:])
		}
	}
	if n, ok := matchAny(toks, "the? new name|title of|for"); ok {
		if i, e, ok := find(toks[n:], "is|:", "should|shall|must|will be"); ok && i > 0 && n+e < len(toks) {
			if ref, a := r.aim(c, toks[n:n+i]); clearly(ref, a) {
				return r.nameTo(c, ref, toks[n+e:])
			}
		}
	}
	return meaning{}
}

func (r *reader) nameTo(c *clause, ref reference, toks []token) meaning {
	toks = trimMarks(toks)
	for len(toks) > 1 && in("be|called|named|simply|just|something|like", toks[0].norm) && !toks[0].quoted {
		toks = trimMarks(toks[1:])
	}
	if i, _, ok := find(toks, "from now on", "instead", "please", "if you"); ok && i > 0 {
		toks = toks[:i]
	}
	m := meaning{intent: renameProject, score: 0.9, project: ref}
	if len(toks) == 0 || len(toks) > 10 {
		return meaning{}
	}
	if in(`"|'`, toks[0].norm) {
		m.name = quotedText(c, toks)
	} else {
		m.name = titleCase(spell(c.src, trimMarks(toks)))
	}
	return m
}

// merging reads "merge X into Y", "make one project of X and Y".
func (r *reader) merging(c *clause) meaning {
	body := c.body
	if i, _, ok := find(c.toks, "should|could|can|ought|must|might to? really? be one|together|merged|joined|combined", "should|could|can|must belong together", "should|could|can be a|the single|same|one project", "belong together"); ok && i > 2 && !c.question && !c.negated {
		if two := r.both(c, c.toks[:i]); len(two) > 1 {
			return meaning{intent: mergeProjects, score: 0.85, project: reference{found: two[:1]}, other: reference{found: two[1:]}}
		}
	}
	n, ok := matchAny(body, "<mergeverb> together?", "make|turn one project of|from|out|into of?", "put|bring|throw", "move everything|all of? from|in|of", "make")
	if !ok || n >= len(body) {
		return meaning{}
	}
	together := class("<mergeverb>", body[0].norm)
	m := meaning{intent: mergeProjects, score: 0.9}
	rest := body[n:]
	if _, _, ok := find(rest, "together", "into one", "a single project"); ok || has(body[:n], "one") {
		together = true
	}
	lead := body[0].norm
	for i := range rest {
		if rest[i].quoted || i == 0 || i+1 >= len(rest) || !in("into|with|and|to|in|part", rest[i].norm) {
			continue
		}
		from, a := r.aim(c, trimEnds(rest[:i]))
		into, b := r.aim(c, trimEnds(rest[i+1:]))
		switch {
		case a == aimless || b == aimless || a == aimHere && b == aimHere:
		case a == aimPart && b == aimPart && !together, a == aimHere && b == aimPart && !together, a == aimPart && b == aimHere && !together:
		case !together && (lead == "put" || lead == "bring" || lead == "throw") && rest[i].norm != "into":
		case lead == "make" && !has(body[:n], "one") && rest[i].norm != "part":
		case same1(from, into):
		default:
			m.project, m.other = from, into
			return m
		}
	}
	if together { // "merge the two app projects", "merge the boat projects"
		ref := refer(c, dropLead(rest, "the|both|two|all|three|my|our|these|those"), r.sit.Projects)
		if len(ref.found) > 1 && !ref.partial || len(contentWords(rest)) <= 3 && has(rest, "projects") {
			m.project = ref
			m.score = 0.85
			return m
		}
	}
	return meaning{}
}

// trimEnds drops what stands between a verb, its objects and "together".
func trimEnds(toks []token) []token {
	for len(toks) > 0 && !toks[0].quoted && in("of|both|everything|all|from|in|the contents", toks[0].norm) {
		toks = toks[1:]
	}
	for i, t := range toks {
		if i > 0 && !t.quoted && in("together|into|as|because|since|they|so", t.norm) {
			return toks[:i]
		}
	}
	return toks
}

func dropLead(toks []token, words string) []token {
	for len(toks) > 0 && !toks[0].quoted && in(words, toks[0].norm) {
		toks = toks[1:]
	}
	return toks
}

func same1(a, b reference) bool {
	return len(a.found) == 1 && len(b.found) == 1 && a.found[0].Slug == b.found[0].Slug
}

// archiving reads "archive X", "shelve X", "put X on ice", "X can be archived".
func (r *reader) archiving(c *clause) meaning {
	body := c.body
	m := meaning{intent: archiveProject, score: 0.9}
	n, ok := matchAny(body, "<archiveverb>", "<archiveverb> off|away", "put|lay on ice", "put aside|away")
	if k, into := matchAny(body, "into|in|to|off to? the archive|archives with"); into && k < len(body) {
		n, ok = k, true // "into the archive with the boat"
	}
	strong := ok
	var rest []token
	switch {
	case ok:
		rest = body[n:]
	case len(body) > 2:
		n, ok = matchAny(body, "put|move|send|place|file|mark|set|flag|transfer", "close down?", "wrap up", "wind down")
		if !ok {
			return r.archived(c)
		}
		rest = body[n:]
		i, _, found := find(rest, "on ice", "to|in|into the|my archive|archives", "as? archived|inactive", "to the attic")
		if found && i > 0 {
			rest, strong = rest[:i], true
		} else if !in("close|wind|wrap", body[0].norm) {
			return meaning{}
		}
	default:
		return meaning{}
	}
	ref, a := r.aim(c, rest)
	switch {
	case clearly(ref, a), strong && a == aimPart && len(ref.found) >= 1, strong && a == aimHere && len(rest) > 0 && r.sit.Project != nil:
		if !strong {
			m.score = 0.7
		}
		m.project = ref
		return m
	}
	return meaning{}
}

// archived: "the shop project can be archived", "X can go into the archive".
func (r *reader) archived(c *clause) meaning {
	i, e, ok := find(c.toks, "can|should|may|could be archived|shelved|mothballed", "can|should|may|could go|move in|into|to the archive|archives")
	if !ok || i == 0 || len(c.toks)-e > 3 {
		return meaning{}
	}
	if ref, a := r.aim(c, c.toks[:i]); clearly(ref, a) || a == aimPart && len(ref.found) == 1 {
		return meaning{intent: archiveProject, score: 0.8, project: ref}
	}
	return meaning{}
}

// deleting reads "delete the X project", "get rid of the project".
func (r *reader) deleting(c *clause) meaning {
	body := c.body
	n, ok := matchAny(body, "<deleteverb>", "<deleteverb> the whole|entire", "get rid of", "throw away|out", "do away with", "wipe out")
	if i, e, found := find(body, "away", "out"); !ok && found && e == len(body) && in("throw|toss|chuck", body[0].norm) {
		if ref, a := r.aim(c, body[1:i]); clearly(ref, a) && has(body, "project") {
			return meaning{intent: deleteProject, score: 0.9, project: ref}
		}
	}
	if !ok {
		return r.deleted(c)
	}
	strict := !in("delete|remove|erase", body[0].norm)
	ref, a := r.aim(c, body[n:])
	switch {
	case n >= len(body):
	case strict && !ref.named && !has(body[n:], "project"), has(body[n:], "from|off"):
	case clearly(ref, a), a == aimPart && len(ref.found) >= 1 && len(body)-n <= 4:
		return meaning{intent: deleteProject, score: 0.9, project: ref}
	}
	return meaning{}
}

// deleted: "the shop project can be deleted".
func (r *reader) deleted(c *clause) meaning {
	i, e, ok := find(c.toks, "can|should|may|could be deleted|removed|erased", "can|should|may|could go away")
	if !ok || i == 0 || len(c.toks)-e > 3 {
		return meaning{}
	}
	if ref, a := r.aim(c, c.toks[:i]); clearly(ref, a) && has(c.toks[:i], "project") {
		return meaning{intent: deleteProject, score: 0.8, project: ref}
	}
	return meaning{}
}
