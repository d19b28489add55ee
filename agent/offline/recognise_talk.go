package offline

import "slices"

func (r *reader) smallTalk(c *clause) meaning {
	words := 0
	for _, t := range c.all {
		if t.word {
			words++
		}
	}
	whole := c.all
	for len(whole) > 0 && (!whole[0].word || len(whole) > 1 && in("great|ok|okay|perfect|cool|good", whole[0].norm) && !whole[1].word) {
		whole = whole[1:]
	}
	if len(whole) == 0 || words > 14 {
		return meaning{}
	}
	if _, oath := matchAny(whole, "thank|thanks god|goodness|heaven|heavens"); oath {
		return meaning{}
	}
	if thanksFor(whole) {
		return meaning{intent: thanks, score: 0.9}
	}
	if greets(c.all) {
		return meaning{intent: greet, score: 0.9}
	}
	if words > 6 {
		return meaning{}
	}
	if n, ok := matchAny(whole, "thanks|thank|bye|cheers"); ok && n < len(whole) && !whole[n].word {
		whole = slices.DeleteFunc(slices.Clone(whole), func(t token) bool { return !t.word }) // "thanks, bye"
	}
	if n, ok := matchAny(whole, "IAM <pleased>? <pleased>? grateful|obliged|thankful", "i|we do? appreciate it|that|this", "that|it is <pleased>? appreciated"); ok {
		if k, _ := matchAny(whole[n:], "to you", "for that|this|it", "to you for *"); n+k == len(whole) {
			return meaning{intent: thanks, score: 0.9}
		}
	}
	if thanked := class("<thanksword>", whole[0].norm); thanked || class("<praiseword>", whole[len(whole)-1].norm) {
		praise := thanked || has(whole, "that|it|this|you|very|so|just")
		for _, t := range whole {
			praise = praise && (!t.word || class("<thanksword>", t.norm) || class("<praiseword>", t.norm) || in("that|is|it|this|was|you|very|so|just|all|kist|a|really|mate", t.norm))
		}
		if praise {
			return meaning{intent: thanks, score: 0.9}
		}
	}
	if n, ok := matchAny(whole, "thank|thanks *? *? *? *?", "many|much|ok|okay|great|perfect|cool|good thanks|thank *? *? *?", "well done", "cheers|ta|brilliant|lovely|awesome|excellent", "much appreciated", "nice|great|good work|job|one", "that is great|perfect|all|good|helpful|it", "well done"); ok && n == len(whole) {
		return meaning{intent: thanks, score: 0.9}
	}
	if n, ok := matchAny(whole, "good morning|afternoon|evening|night|day to? *? *?", "how are you *? *?", "how is it going", "how do you do", "nice to meet you", "morning|evening|bye|goodbye|howdy|greetings *?", "hi|hello|hey|hiya there|kist|everyone?",
		"see you *?", "what is up", "good to see you *?", "there"); ok && n == len(whole) {
		return meaning{intent: greet, score: 0.9}
	}
	return meaning{}
}

// greets: a greeting, and beside it only words of who, when and how one is.
func greets(toks []token) bool {
	n, ok := matchAny(toks, "hi|hello|hey|hiya|howdy|greetings|morning|evening|welcome", "good morning|afternoon|evening|day|night", "nice|good|lovely to see|meet you")
	if !ok {
		return false
	}
	for _, t := range toks[n:] {
		if t.quoted || t.word && !class("<greetword>", t.norm) {
			return false
		}
	}
	return true
}

// thanksFor: thanks and what they are for, perhaps behind praise, or praise with
// thanks behind it.
func thanksFor(toks []token) bool {
	toks = trimPhraseEnd(toks)
	for len(toks) > 1 && (!toks[0].word || class("<praiseword>", toks[0].norm) || class("<opener>", toks[0].norm)) && !class("<thanksword>", toks[0].norm) {
		toks = toks[1:]
	}
	pure := has(toks, "<thanksword>|appreciated")
	for _, t := range toks {
		pure = pure && (!t.word || !t.quoted && (class("<thanksword>", t.norm) || class("<praiseword>", t.norm) || in("you|so|very|that|this|it|is|was|helps|helped|help|helping|works|did|does|all|a|lot|really|indeed|for|trick|the|kist|to|me|ever", t.norm) || isFiller(t)))
	}
	if pure && len(toks) > 1 {
		return true // "thank you so much, that helps"
	}
	if n, ok := matchAny(toks, "<thanksword> you? a? lot|bunch|million|very|so|again|ever? much? for", "<thanksword> to you|all|everyone|everybody", "many|much thanks for", "i|we do|really? appreciate your|the|all|that"); ok {
		return !has(toks[n:], ",|-|but|and|:|<aux>")
	}
	if _, ok := matchAny(toks, "you|that|this|it is|was|are|have|has been? a|an|the|my|very|so|such|of|truly? <praiseword>|help|star|lifesaver|legend|gem|angel|hero|best|useful|handy|clear"); ok {
		return !has(toks, "but|and|if|when|to|for|about|on|next|now|<projectword>|<taskword>") && len(toks) <= 8
	}
	n, ok := matchAny(toks, "that|this|it is|was|has")
	i, _, thanked := find(toks, ", <thanksword>")
	return ok && thanked && i > n && len(toks)-i <= 5 && has(toks[:i], "<praiseword>|needed|wanted|useful|right|exactly|clear|handy")
}

// abilities: a question that holds nothing but words about what can be done here, or
// how one of kist's own things is done.
func abilities(c *clause) bool {
	toks := trimPhraseEnd(skipOpeners(c.toks))
	if ownAct(toks) {
		return true
	}
	if n, ok := matchAny(toks, "how do|can|would|should|could i|we|one <commandverb>|get|find|see|begin|use|edit|log"); ok && n < len(toks) {
		last := toks[len(toks)-1]
		return !last.quoted && (fits(last, "<projectword>|<taskword>|<noteword>|<memoryword>|decision|decisions|draft|drafts") && !has(toks[n:], "the|this|that|these|those") || n == len(toks)-1 && fits(last, "this|it|kist"))
	}
	if !c.question && !c.mark && !has(toks[:min(3, len(toks))], "show|tell|explain|give|list|what|which") {
		return false
	}
	if n, ok := matchAny(toks, "can|could|would you please?"); ok {
		toks = toks[n:]
	}
	for _, t := range toks {
		if t.quoted || telltale(t) && !class("<abouthelp>", t.norm) {
			return false
		}
	}
	if has(toks, "commands|command|features|feature|functions|options|instructions|manual|abilities|capabilities") {
		return true
	}
	_, mine := matchAny(toks, "what|how <aux> i|we")
	if _, ok := matchAny(toks, "show|tell|explain to? me|us? what i|we can|could do|say|ask", "show|tell|explain to? me|us? what you can|could? do"); ok {
		return true
	}
	return containsPhrase(toks, "can|could|do you do|help|understand|handle|offer|support|assist|work", "you can|could|are able|capable|to? do|help|understand|handle|offer|support|of", "are you able|capable|good") && has(toks, "what|which|how") && !has(toks, "next|today|now") || mine && has(toks, "say|ask|type|use") && !has(toks, "about")
}

// ownAct: what one types, or how one goes about it, to have kist do one of its own
// acts: "what do I type to archive a project?", "how do I get from one project to another?".
func ownAct(toks []token) bool {
	if n, ok := matchAny(toks, "what|how do|must|should|can|would|could|need i|we|one have|need|ought? to? type|say|write|enter|tell|ask|phrase you|it? to|for|so|if|when you|i|we|want? to? <commandverb>|<goverb>|close|finish|get"); ok && n >= 5 {
		return len(toks)-n <= 6 && (has(toks[n:], "<projectword>|<taskword>|<noteword>|<memoryword>|draft|drafts|decision") || in("undo", toks[n-1].norm)) && !has(toks[n:], "the|my|our|his|her")
	}
	if n, ok := matchAny(toks, "how do|does|can|should|would|could|may|is i|we|one|you|somebody|someone? get|go|move|switch|jump|change|come|return back|over? to|from|between"); ok && n < len(toks) {
		i, e, ok := find(toks[n-1:], "from|between|to one|a|an|this|two|another|other|different|the? other|different|next? project|projects|one")
		return ok && i == 0 && has(toks[n:], "<projectword>") && len(toks)-n-e <= 6 && !has(toks[n:], "<aux>|when|if")
	}
	if n, ok := matchAny(toks, "how do|can|to i|we? undo|go", "what do|must|should|can i|we have|need? to? say|type|write to|for undo|go", "is there a way|command|shortcut to|for undo|go"); ok {
		rest := toks[n:]
		k, _ := matchAny(rest, "back", "a|the|my? last? change|step|thing")
		return k == len(rest) && (toks[n-1].norm == "undo" || has(rest, "back"))
	}
	if n, ok := matchAny(toks, "what is the command|word|phrase|shortcut to|for <commandverb>|<moving>", "is|are there a|any way|ways|command|commands|shortcut to|for <commandverb>|<moving>", "how to <commandverb>"); ok {
		rest := toks[n:]
		k, _ := matchAny(rest, "a|an|any|another|between|to? new|another|other? <projectword>|<taskword>|<noteword>|<memoryword>|draft|drafts")
		return k > 0 && k == len(rest)
	}
	n, ok := matchAny(toks, "how does|can|should|would one|you|someone|somebody <commandverb>|delete")
	if k, _ := matchAny(toks[n:], "a|an|any|one|projects|tasks|notes|memories <projectword>|<taskword>|<noteword>|<memoryword>|draft|decision? here|again|in?"); ok {
		return k > 0 && n+k == len(toks) && has(toks[n:], "<projectword>|<taskword>|<noteword>|<memoryword>|draft|decision")
	}
	return false
}

func (r *reader) asksHelp(c *clause) meaning {
	if n, ok := matchAny(c.toks, "help", "help me", "i need some|your? help", "i could use some? help", "help me? please", "can you help me?"); ok && n >= len(trimMarks(c.toks)) {
		return meaning{intent: help, score: 0.9}
	}
	if abilities(c) {
		return meaning{intent: help, score: 0.93}
	}
	if containsPhrase(c.toks, "do about|against") {
		return meaning{} // "what can I do about the damp?"
	}
	if _, ok := matchAny(c.toks, "what can|could you do|help", "what can i say|ask|do|type", "what are you able|capable", "how does this|it|kist work", "how do|can i use|work with", "who|what are you", "what is kist", "what do you do",
		"how do|can|would i add|create|make|switch|complete|undo|delete|rename|start|list|change|remove|see|write <det>? *? <projectword>|<taskword>|<noteword>", "how do|can i add|create|make|switch|complete|undo|delete|rename <det>? *? project|projects|task|tasks|note|notes|memory",
		"what commands can|do|are", "show|tell|explain me|us|to? me|us? what you can|could do|help", "show|tell|explain me|us|to? me|us? how this|it|you|kist work|works", "show|tell me|us what i|we can|could say|ask|do|type"); ok {
		return meaning{intent: help, score: 0.85}
	}
	for i, t := range c.toks {
		if t.norm != "," || t.quoted || i+1 >= len(c.toks) || !(c.mark || has(c.toks[:i], "not|no|how|lost|stuck|confused")) {
			continue
		}
		if n, ok := matchAny(c.toks[i+1:], "what can|could|should|may i|we say|ask|do|type|tell to? you? here?", "what can|could you do"); ok && i+1+n == len(trimPhraseEnd(c.toks)) {
			return meaning{intent: help, score: 0.93} // "no idea how this works, what can I say?"
		}
	}
	return meaning{}
}

// beyond recognises what kist can't do here, so that it can say so.
func (r *reader) beyond(c *clause) meaning {
	if !(c.frame == bare || c.frame == request || c.frame == permission || c.frame == wish || c.frame == suggestion) || c.question {
		return meaning{}
	}
	body := c.body
	if n, ok := matchAny(body, "delete|remove|archive|rename|merge|erase|trash|destroy"); ok {
		if has(body[n:], "project|projects|task|tasks|note|notes|memory|memories|file|folder|draft|it|that|them|everything") || len(mentioned(body, r.sit.Projects)) > 0 {
			return meaning{intent: unsupported, score: 0.8, about: "restructure"}
		}
	}
	if n, ok := match(body, "<draftverb>"); ok && !c.question {
		rest := body[n:]
		if _, down := match(rest, "down"); down {
			return meaning{}
		}
		if i, e, ok := find(rest[:min(len(rest), 6)], "<texttype>"); ok && i <= 4 && e > i {
			return meaning{intent: unsupported, score: 0.85, about: "write"}
		}
		if _, ok := match(body, "summarise|summarize|translate|proofread|rephrase|paraphrase|brainstorm|rewrite"); ok {
			if len(mentioned(rest, r.sit.Projects)) == 0 || !in("summarise|summarize", body[0].norm) {
				return meaning{intent: unsupported, score: 0.7, about: "write"}
			}
		}
	}
	if c.frame != bare && c.frame != request {
		return meaning{}
	}
	if n, ok := matchAny(body, "send|email|mail|text|phone|ring|browse|google|download|play|invite|tweet", "search|look the web|internet|online", "look it|that up online", "book|order|buy|reserve"); ok && (c.frame == request || n < len(body) && in("me|us", body[n].norm) || in("browse|google|play|tweet", body[0].norm) || has(body, "email|mail|web|internet|online|music")) && len(body) > n {
		return meaning{intent: unsupported, score: 0.75, about: "deed"}
	}
	if n, ok := matchAny(body, "<deedverb>|<draftverb>|do|fix|clean|cook|pick|fetch|drive"); ok && len(body) > n+2 && len(body) < 14 {
		if end := trimPhraseEnd(body); len(end) > 2 && in("me|us", end[len(end)-1].norm) && end[len(end)-2].norm == "for" {
			return meaning{intent: unsupported, score: 0.75, about: "deed"}
		}
	}
	if _, ok := matchAny(body, "ring|phone|call|text|email|mail|message my|our|the|him|her|them *? *? and|to tell|say|ask", "ring|phone|call|text|email|mail|message|tell my|our|the|him|her|them *? that|saying", "tell me a joke|story", "sing", "set a? timer|alarm", "send *? *? *? message|email|text|letter|invoice"); ok {
		return meaning{intent: unsupported, score: 0.75, about: "deed"}
	}
	if r.handwork(body) {
		return meaning{intent: unsupported, score: 0.7, about: "deed"}
	}
	return meaning{}
}

// handwork: a deed in the house or on the telephone that needs hands or a voice:
// "switch off the lights", "open the window for me". What kist itself opens and
// closes is not meant.
func (r *reader) handwork(body []token) bool {
	toks := trimPhraseEnd(body)
	own := func(toks []token) bool {
		return len(toks) == 0 || toks[0].quoted || has(toks, "<projectword>|<taskword>|<noteword>|<memoryword>|list|draft|drafts|decision|decisions|it|this|that|topic|reminder|reminders") || len(mentioned(toks, r.sit.Projects)) > 0 && !has(toks, "in|of|at")
	}
	if n, ok := matchAny(toks, "switch|turn|put|shut on|off|down|up the|my|our|all"); ok {
		return len(toks)-n <= 6 && !own(toks[n:])
	}
	if n, ok := matchAny(toks, "switch|turn the|my|our"); ok && lastIn(toks, "on|off|down|up") {
		return len(toks)-n <= 5 && !own(toks[n:len(toks)-1])
	}
	n, ok := matchAny(toks, "<deedverb>|open|close|shut|lock|unlock|water|feed|wash|lift|carry|hold|start the|my|our|a|some")
	if !ok {
		return false
	}
	i, e, ok := find(toks[n:], "for me|us")
	return ok && i > 0 && i <= 4 && !own(toks[n:n+i]) && (n+e == len(toks) || has(toks[n+e:n+e+1], "and|,"))
}
