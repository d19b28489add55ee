package offline

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"kist/agent/guide"
	"kist/agent/model"
)

// What a project in the making is called.

// workingTitle stands in until the user has a name.
const workingTitle = "New Project"

var (
	beforeName = regexp.MustCompile(`(?i)^(?:(?:hm+|well|maybe|perhaps|oh|ok(?:ay)?|um+|uh+|er+|so|say|let'?s say|i'?d say|i think|i guess|how about|what about|something like|(?:let'?s |we(?:'ll| could| can)? |i(?:'d|'ll)? |please )?(?:call|name|title) it|it(?:'s| is| should be| could be) called|(?:the |its )?(?:name|title)(?: is| could be|:)|just)(?:[,.:]?\s+|$))+`)
	afterName  = regexp.MustCompile(`(?i)(?:[,.]?\s+(?:for now|maybe|perhaps|please|or so|or something(?: like that)?|i think|i guess|will do))*[?!.…]*$`)
	callIt     = regexp.MustCompile(`(?i)^(?:(?:ok(?:ay)?|please|actually|oh|and|well|by the way|wait)[,.]?\s+)*(?:let'?s |i(?:'d| would) like to |can (?:we|you) |we(?:'ll| could| can)? |i want to |you can )?(?:(?:re)?name|call|title) (?:it|this|the (?:project|draft))(?: to)?\s+(.+)$`)
	theName    = regexp.MustCompile(`(?i)^(?:the (?:name|title) (?:is|should be|will be)|it(?:'s| is| should be) called)\s+(.+)$`)
	announcing = regexp.MustCompile(`(?i)\b(?:project|idea|plan|venture|undertaking|something new)\s*(?::|-|–|—|,? (?:called|named|titled|about|for|around))\s*(.+)`)
)

// named reads the answer to what the project is called. The message before was the
// brain dump. Whoever has no name yet, or goes on telling, gets a working title: what
// was said must not hang on it.
func (t *talk) named() bool {
	name := plainName(t.text)
	d := model.Draft{Name: name, Description: about(t.before), Dimensions: map[string]string{}, Status: "in_progress"}
	told := t.before
	kind := guide.ReadAnswer(t.text, guide.Question{}).Kind
	switch {
	case kind == guide.Asks:
		t.say("A few words that you'd know it by. They can change later.")
		t.question = askName
		return true
	case isFinished(t.text), kind == guide.DontKnow, kind == guide.Skip, kind == guide.Later, kind == guide.Enough, undecided(t.text):
		d.Name = workingTitle
	case name == "" || utf8.RuneCountInString(name) > 80 || len(strings.Fields(name)) > 9:
		if d.Name = t.projectName(t.read(t.text)); d.Name == "" {
			d.Name = workingTitle
		}
		told += "\n\n" + t.text
	}
	if d.Name == workingTitle {
		t.say("I'll call it **%s** until you say “call it ...”.", workingTitle)
	}
	t.keepDraft(&d, told, true)
	return true
}

// undecided leaves the name to kist.
func undecided(text string) bool {
	n, ok := matchAny(trimMarks(skipOpeners(tokenize(text))), "you choose|decide|pick one?|something?", "up to you", "whatever *? *?", "anything", "no name *?", "i do not care|mind", "it does not matter", "surprise me", "no|none", "any name")
	return ok && n > 0
}

// plainName is a name without what people say around it.
func plainName(text string) string {
	name := beforeName.ReplaceAllString(oneLine(text), "")
	name = strings.TrimSpace(afterName.ReplaceAllString(name, ""))
	return capital(unwrap(strings.Trim(name, "\"“”'‘’ ")))
}

// renamesDraft is the name that the draft is to have from now on.
func renamesDraft(text string) string {
	line := oneLine(text)
	for _, re := range []*regexp.Regexp{callIt, theName} {
		if m := re.FindStringSubmatch(line); m != nil {
			if name := plainName(m[1]); name != "" && len(strings.Fields(name)) <= 9 && utf8.RuneCountInString(name) <= 80 && !undecided(m[1]) && !class("<wh>", strings.ToLower(strings.Fields(name)[0])) {
				return name
			}
		}
	}
	return ""
}

// rename gives the draft another name and asks again what was asked.
func (t *talk) rename(d *model.Draft, asked guide.Question, name string) {
	a := t.act(nil)
	w := a.want(t, "update_draft_dimension", map[string]any{"name": name})
	was := d.Name
	d.Name = name
	a.then = func() {
		if t.failed(w) {
			return
		}
		t.say("It's called **%s** now.", name)
		switch {
		case strings.HasPrefix(t.sit.Question, askFinalize):
			t.question = askFinalize + inQuotes(name) + "?"
		case asked.Text != "":
			t.question = strings.ReplaceAll(strings.ReplaceAll(asked.Text, spoken(was), spoken(name)), was, spoken(name))
		default:
			t.askNext(d)
		}
	}
}

// projectName finds what the project is called in a first message.
func (t *talk) projectName(meanings []meaning) string {
	for _, m := range meanings {
		if m.intent == createProject && m.name != "" {
			return limit(m.name, 80)
		}
	}
	if name := namedAsProject(t.text); name != "" {
		return name
	}
	return venture(t.text)
}

// namedAsProject is a thing that is named as the project: "a new project: a charity run
// for the hospice", or the whole message, if it is no more than a thing.
func namedAsProject(text string) string {
	line := strings.TrimSpace(oneLine(text))
	if i := strings.IndexAny(line, ".!?\n"); i > 0 {
		line = line[:i]
	}
	if m := announcing.FindStringSubmatch(line); m != nil {
		line = m[1]
	} else if len(strings.Fields(line)) > 9 || len(strings.Fields(text)) > 60 {
		return ""
	}
	toks := trimMarks(skipOpeners(tokenize(line)))
	if n, ok := matchAny(toks, "it is|this|that about?|for?", "it|this|that is about|for|called?", "about"); ok {
		toks = toks[n:]
	}
	if len(toks) < 2 || !class("<det>", toks[0].norm) {
		return ""
	}
	end := 1
	for end < len(toks) && toks[end].word && !class("<stop>", toks[end].norm) && !class("<aux>", toks[end].norm) && !in("that|which|who|where|while|next|because|this|between|behind", toks[end].norm) {
		end++
	}
	phrase := toks[1:end]
	for len(phrase) > 0 && in("new|big|little|small|next|own|whole", phrase[0].norm) {
		phrase = phrase[1:]
	}
	if len(phrase) == 0 || len(phrase) > 4 || class("<smallnoun>", phrase[len(phrase)-1].norm) || has(phrase, "<projectword>|<generic>") || class("<pronoun>", phrase[0].norm) {
		return ""
	}
	if end < len(toks) && (class("<aux>", toks[end].norm) || in("we|i|you", toks[end].norm)) {
		return "" // "the storm was": a sentence, no name
	}
	return titleCase(spell(line, phrase))
}

// venture is the first thing in a text that projects are made for: "the whole
// wedding", "my small shop".
func venture(text string) string {
	toks := tokenize(text)
	if name := made(text, toks); name != "" {
		return name
	}
	for i, tok := range toks {
		if !tok.quoted && i > 0 && class("<venturenoun>", tok.norm) && (class("<det>", toks[i-1].norm) || i > 1 && class("<det>", toks[i-2].norm)) {
			return titleCase(tok.norm)
		}
	}
	return ""
}

// made is what a first sentence says is to be built, opened, planned: "build a sauna
// in the garden" is about the sauna. Only a short thing with an article is a name.
func made(text string, toks []token) string {
	for i, tok := range toks {
		if i > 14 || tok.norm == "." {
			break
		}
		if tok.quoted || !class("<venture>", tok.norm) || i+2 >= len(toks) || !in("a|an|my|our|the", toks[i+1].norm) {
			continue
		}
		end := i + 2
		for end < len(toks) && toks[end].word && !toks[end].quoted && !class("<stop>", toks[end].norm) && !in("that|which|who|where|while|near|next|because|this|between|behind|beside", toks[end].norm) {
			end++
		}
		phrase := toks[i+2 : end]
		if len(phrase) == 0 || len(phrase) > 2 || class("<smallnoun>", phrase[len(phrase)-1].norm) || has(phrase, "<venturenoun>|<generic>|<projectword>") {
			continue
		}
		return titleCase(spell(text, phrase))
	}
	return ""
}
