package offline

import "strings"

// granting: a project is given what one gives to work: "let's use the next half hour
// for the boat", or something of it is worked out in talk: "let's figure out the
// budget for the boat".
func (r *reader) granting(c *clause) meaning {
	body := c.body
	if c.question || c.negated || !c.plain() || len(body) < 4 || body[0].quoted {
		return meaning{}
	}
	n, spent := matchAny(body, "use|spend|take|give|devote|dedicate|reserve|invest")
	k, mused := matchAny(body, "figure|work|sort|hash|think|talk out|through|over", "settle|discuss|review|plan|resolve|finalise|finalize")
	mused = mused && c.frame == suggestion
	if mused {
		n = k
	}
	if !spent && !mused {
		return meaning{}
	}
	for i := n + 1; i < len(body) && i <= n+8 && !body[i-1].quoted; i++ {
		if !in("for|on|to|with", body[i].norm) || spent && !class("<timeunit>", body[i-1].norm) || mused && body[i].norm != "for" {
			continue
		}
		ref := refer(c, body[i+1:], r.sit.Projects)
		p, one := ref.one()
		if !one || !r.sure(body[i+1:], ref) || mused && (r.sit.Project != nil && r.sit.Project.Slug == p.Slug || !in("the|our|my", body[n].norm)) {
			return meaning{}
		}
		return meaning{intent: switchTo, score: 0.75, project: ref}
	}
	return meaning{}
}

// exchanging: "instead of the boat I want to discuss the shop". What is left behind
// stands first, and never is where to go.
func (r *reader) exchanging(c *clause, toks []token) meaning {
	n, ok := matchAny(toks, "instead of", "rather than")
	if !ok {
		return meaning{}
	}
	for i := n + 1; i < len(toks) && i <= n+7; i++ {
		if toks[i].quoted || !opensFrame(toks[i:]) && !in("open|load|discuss|resume|select", toks[i].norm) {
			continue
		}
		if _, one := refer(c, toks[n:i], r.sit.Projects).one(); !one && !has(toks[n:n+1], "this|that|it") {
			return meaning{}
		}
		rest, ok := newClause(c.src, toks[i:], false)
		if !ok || rest.negated {
			return meaning{}
		}
		if m := r.bid(&rest); m.intent == switchTo {
			return m
		}
	}
	return meaning{}
}

// outranking: "forget the boat for now, the shop is more urgent". Said alone, what
// is urgent is only told; behind an order to leave something it says where to go.
func (r *reader) outranking(c *clause, toks []token) meaning {
	n, ok := matchAny(toks, "<leaveverb> <det>?")
	if !ok {
		return meaning{}
	}
	for i := n; i+1 < len(toks) && i <= 12; i++ {
		if toks[i].quoted || !in(",|-", toks[i].norm) {
			continue
		}
		if left := refer(c, toks[n:i], r.sit.Projects); len(left.found) != 1 && !has(toks[1:2], "this|that|it") {
			return meaning{}
		}
		rest := skipOpeners(toks[i+1:])
		j, e, ok := find(rest, "is|seems|looks much|far|way? more urgent|important|pressing|interesting", "is urgent|pressing", "matters|counts more", "comes|is|goes first")
		if !ok || j == 0 || e < len(trimPhraseEnd(rest)) && !has(rest[e:e+1], "right|at|now|today|,") {
			return meaning{}
		}
		ref := refer(c, rest[:j], r.sit.Projects)
		if p, one := ref.one(); one && (r.sure(rest[:j], ref) || r.allOnlyOf(contentWords(rest[:j]), p)) {
			return meaning{intent: switchTo, score: 0.78, project: ref}
		}
		return meaning{}
	}
	return meaning{}
}

// subordinate: words that only say when or why the next ones hold: "before we go on
// with the boat, ...". Whatever they name, nothing is asked for in them.
func subordinate(toks []token) bool {
	toks = skipOpeners(toks)
	n, ok := matchAny(toks, "before|after|while|until|till|unless|although|though|because|since|when|whenever|once|as i|you|we|he|she|it|they|everyone|everybody|the|my|our|all", "if i|you|we|he|she|they", "as soon|long as", "even if|though|when", "before|after|while|instead|without of? <attending>|<moving>|<verb>")
	if !ok && len(toks) > 1 && in("before|after|while|without", toks[0].norm) {
		ok = strings.HasSuffix(toks[1].norm, "ing")
	}
	return ok && n < len(toks) && !courtesy(toks)
}

// unopened: a project that isn't there, but is spoken of as one that is: "open my
// project about the greenhouse", "I want the Falcon project open".
func (r *reader) unopened(c *clause) meaning {
	body := trimPhraseEnd(c.body)
	if c.question || c.negated || !c.plain() {
		return meaning{}
	}
	phrase := []token(nil)
	if n, ok := matchAny(body, "open|load|resume|enter|reopen|continue|activate|select up? the|my|our <projectword> about|on|for|regarding|with|concerning"); ok && n < len(body) && n > 3 {
		phrase = body[2:]
		if ref := refer(c, body[n:], r.sit.Projects); len(ref.found) > 0 && !ref.partial {
			return meaning{intent: switchTo, score: 0.9, project: ref}
		}
	} else if end := shown(body); c.frame == wish && end < len(body) && end > 2 && in("the|my|our", body[0].norm) && lastIn(body[:end], "project") && !has(body[end:], "next|now") {
		phrase = body[:end]
	}
	if len(phrase) == 0 || has(phrase, "new|another|<aux>|and|previous|last|other|earlier|former|prior|right|wrong|current|same|whole|different|next") || len(contentWords(phrase)) == 0 || len(contentWords(phrase)) > 4 {
		return meaning{}
	}
	ref := refer(c, phrase, r.sit.Projects)
	if len(ref.found) == 0 {
		ref.named = true
	}
	return meaning{intent: switchTo, score: 0.93, project: ref}
}
