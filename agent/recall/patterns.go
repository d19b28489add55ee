package recall

import (
	"kist/agent/language"
	"regexp"
	"strings"
	"sync"
)

// A Kind says what a memory is about.
type Kind string

// The kinds of memories.
const (
	Preference Kind = "preference" // how the user likes things
	Fact       Kind = "fact"       // something lasting about the user or the project
	Person     Kind = "person"     // who somebody is, or what they do
	Constraint Kind = "constraint" // a limit or rule
	Date       Kind = "date"       // when something is
	Decision   Kind = "decision"   // what was chosen
)

// A pattern finds facts of one kind in statement.line.
type pattern struct {
	kind       Kind
	confidence float64
	reason     string
	re         *regexp.Regexp
	object     string // words that must not follow the match: the object would be "it"
	least      int    // words that must follow the match
	user       bool   // always about the user
}

const (
	roles = `(?:electrician|plumber|carpenter|builder|roofer|painter|gardener|mechanic|dentist|doctor|therapist|physio|vet|lawyer|solicitor|notary|accountant|bookkeeper|architect|engineer|designer|developer|photographer|editor|translator|agent|publisher|printer|supplier|landlord|landlady|tenant|teacher|tutor|coach|trainer|mentor|supervisor|boss|manager|director|chairman|chair|treasurer|secretary|assistant|intern|colleague|partner|co-founder|cofounder|founder|investor|sponsor|client|customer|contact|contractor|caterer|host|guide|cleaner|babysitter|nanny|baker|tailor|hairdresser|barber|wife|husband|girlfriend|boyfriend|fiance|fiancee|spouse|mother|father|mum|mom|dad|sister|brother|son|daughter|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|friend|flatmate|roommate|neighbour|neighbor|stepson|stepdaughter|godmother|godfather|lead|owner|maintainer|moderator|singer|drummer|guitarist|bassist|conductor|captain|skipper|pilot|driver|surveyor|inspector|consultant|broker|banker|priest|mayor|@ceo|@cto|@cfo)`
	name  = `(?:@?(?:mrs?|ms|dr|prof) )?@\S+(?: @\S+)*(?: and @\S+)*`
	month = `(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
	date  = `(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + month + `|` + month + ` (?:the )?\d{1,4}(?:st|nd|rd|th)?|(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{1,2}/\d{1,2}/\d{2,4}|(?:19|20)\d\d|` + month + `|q[1-4]|@q[1-4]|(?:spring|summer|autumn|winter) (?:of )?(?:19|20)\d\d)`
	day   = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|morning|evening|month|week|year|spring|summer|autumn|winter)s?`
	num   = `(?:about |around |roughly |only |exactly |at most |max |up to |just )*(?:[$€£¥]?\d[\d.,]*(?:k|m)?\S*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a hundred|a thousand|half a)`
)

// patterns are tried in this order: a sentence is of the first kind that fits.
var patterns = sync.OnceValue(func() []pattern {
	p := func(k Kind, c float64, reason, re string) pattern {
		return pattern{kind: k, confidence: c, reason: reason, re: regexp.MustCompile(re)}
	}
	user := func(p pattern) pattern { p.user = true; return p }
	taking := func(p pattern, not string, least int) pattern { p.object, p.least = not, least; return p }
	return []pattern{
		user(p(Preference, 0.88, "a favourite", `^(?:my|our) (?:\S+ )?(?:favou?rite|preferred)(?: \S+){0,4} (?:is|are) \S+`)),
		p(Person, 0.9, "says who somebody is", `^(?:my|our|the)(?: \S+){0,2}? `+roles+`(?:'s name)? (?:is|are|is called|is named|will be) `+name+`(?:$| \S)`),
		p(Person, 0.9, "says who somebody is", `^`+name+` (?:is|are|will be) (?:my|our|the)(?: \S+){0,2}? `+roles+`s?\b`),
		p(Person, 0.85, "tells something about somebody close", `^(?:my|our)(?: \S+)? `+roles+` `+name+` (?:is (?:a|an|the|my|our|allergic|vegetarian|vegan|\d+)|has (?:a|an|no|two|three|four|\d+)|lives|works|likes|loves|speaks|plays|runs|handles|does|comes from|keeps|owns|helps|studies|teaches|hates|prefers|was born)\b`),
		taking(p(Person, 0.8, "says what somebody does", `^`+name+` (?:handles?|leads?|runs?|manages?|owns?|coordinates?|supervises?|maintains?|designs?|(?:is|are) responsible for|(?:is|are) in charge of|takes? care of|looks? after|keeps?|pays? for|approves?|signs? off|decides? on|decides? about|edits?|does)\b`), "it that this these those them him her me us you badly well so like what things everything away out up not @i late early ahead behind fine again home around through into down over my", 1),
		p(Person, 0.8, "says who somebody is", `^our(?: \S+)? (?:client|customer|supplier|sponsor|landlord|publisher|investor|partner|printer|host|neighbour|contractor) is (?:the|a|an|called)\b`),
		p(Decision, 0.9, "a decision", `^(?:decision:? |it is (?:now )?(?:decided|settled|agreed) (?:that )?)\S`),
		taking(p(Decision, 0.88, "a decision", `^(?:we|i|the (?:team|board|committee|council|group|family|jury)|my \S+ and i) (?:have |has |all |both |finally |now )*(?:decided|chosen|chose|agreed|settled on|opted|voted|picked|resolved|ruled out)(?: to| that| on| for| against| upon)?\b`), "it what later yet how when nothing whether badly well wisely poorly disagree wrong wrongly together so not go leave come call sleep eat rest stay try ask look walk sit quit do see check take have it he she they", 1),
		taking(p(Decision, 0.82, "a decision", `^(?:we|i) (?:are (?:now )?(?:going|sticking) with|went with|will go with|will stick with|are going for)\b`), "it that this them you him her", 1),
		p(Decision, 0.8, "a decision", `^(?:we|i) (?:will|do) not .* that is (?:final|decided|settled)`),
		p(Constraint, 0.9, "a budget", `^(?:(?:the|our|my|this)(?: \S+){0,3}? |(?:total|whole|overall|we have a|i have a)(?: \S+)? )?(?:budget|spending limit)(?: for .{1,30})? (?:is|stays at|remains|was set at|is set at|has been set at|went up to|went down to|rose to|was cut to|was raised to|has been raised to|of|comes to|:)(?: now)? (?:@?(?:eur|usd|gbp|chf|sek|nok|dkk|kr) )?`+num+`\b`),
		p(Constraint, 0.85, "a limit", `^(?:the |our |my )?(?:max\w*|min\w*|upper|lower|hard|weight|size|speed|time|credit)(?: \S+){0,3} (?:is|are|:) `+num),
		taking(p(Constraint, 0.85, "a rule", `^we (?:never|do not ever|must never|must not|may not|are not allowed to)\b`), "knew thought said had did got were forgot saw met heard heard finished know mind", 2),
		taking(p(Constraint, 0.85, "a limit", `^(?:we|i) (?:can not|may not|must not) (?:spend|exceed|use|deploy|ship|build|go over|pay|drill|park|enter|publish|share|store|travel|fly|hire|sell|drive|start before|work on|work before|work after)\b`), "it that this", 1),
		taking(p(Constraint, 0.85, "a rule", `^(?:nobody|no one|nothing|everything|everyone|everybody|all \S+|every \S+) (?:may|must|has to|have to|needs to|must not|is allowed to)\b`), "", 2),
		taking(p(Constraint, 0.8, "a requirement", `^(?:it|the \S+|the \S+ \S+|our \S+|our \S+ \S+|all \S+) (?:must|has to|may not|must not|may only|can only) (?:not )?(?:be (?:able to|under|over|below|above|less than|more than|at least|at most|within|quieter|lighter|cheaper|smaller|larger|waterproof|fireproof|readable|accessible|free|open|reversible|private)|work|run|fit|leave|weigh|cost|hold|last|support|stay|remain|exceed|match|have|carry|use|take|contain|need|withstand|survive|pass|go|start|comply|conform|print|load)\b`), "out again it that this properly somewhere somehow", 1),
		p(Constraint, 0.8, "a rule", `^no (?:\S+ing|\S+s|smoking|\S+ \S+s|work|noise|alcohol|music|traffic|parking|paint|fire|food|water|meat|access|entry) (?:before|after|on|at|without|during|in|near|between|above|below|over|under) \S+`),
		p(Constraint, 0.8, "limited means", `^(?:we|i) (?:only have|have only|have no more than|have at most|have) `+num+` (?:hours?|evenings?|days?|mornings?|afternoons?|weekends?|weeks|months|people|euros?|dollars?|pounds?|sessions?)\b(?: a | per | for | to |$)`),
		user(p(Date, 0.88, "a day of the user's", `^my(?: \S+){0,2}? (?:birthday|anniversary|name day)(?: is| falls)?(?: on| in)? `+date)),
		user(p(Date, 0.85, "a day of the user's", `^i was born (?:on|in) `+date)),
		p(Date, 0.85, "says when something is", `^(?:the|our|my|opening|closing|@opening|@closing|\S+'s?)(?: \S+){1,4}? (?:is|are|will be|is due|is planned for|is set for|takes place|starts?|ends?|opens?|closes?|begins?|expires?|runs out|happens?|goes live|falls|runs|is fixed for|is scheduled for|has moved to|was moved to|moved to|moves to)(?: on| in| by| at| until| from| for)? (?:the (?:end|beginning|start|middle) of )?`+date+`(?:$|\W)`),
		p(Date, 0.8, "says when something was", `^(?:we|i)(?: \S+)? (?:started|began|founded|bought|opened|launched|start|begin|open|launch|got married|married|signed|finish|close)(?: \S+){0,4} (?:in|on) `+date+`(?:$|\W)`),
		p(Date, 0.78, "says when something always is", `^(?:(?:the|our|my)(?: \S+){1,3}|\S+ (?:meetings|rehearsals|trainings|lessons|classes|deliveries|reviews)) (?:meets?|is|are|happens?|runs|opens?|comes?|closes?|takes place|rehearses?|trains?)(?: always)?(?: on)? (?:every|each|on) (?:other |second |first |last )?`+day),
		user(taking(p(Preference, 0.88, "a preference", `^i (?:really |much |strongly |generally |usually |always |clearly |definitely )?prefer\b`), "it that this these those them not the one to @it", 1)),
		user(taking(p(Preference, 0.8, "a like or dislike", `^i (?:really |absolutely |quite |do |also )?(?:like|love|hate|dislike|enjoy|loathe|detest|adore|can not stand|do not like|do not enjoy|do not eat|do not drink|do not work|do not use|do not drive|do not smoke|avoid)\b`), "it that this these those them you your the a an any how what when where why one there being so too @you and", 1)),
		user(taking(p(Preference, 0.8, "a habit", `^i (?:always|never|usually|normally|generally|rarely|hardly ever|almost never|only ever|mostly|often) (?:[a-z]+)\b`), "", 1)),
		user(p(Preference, 0.85, "how the user wants it", `^(?:please )?(?:always|never) (?:answer|reply|write|use|call|send|speak|show|ask|give|start|end|suggest|add|include|put|mention|explain|keep|make|create|delete|change|rename|book|schedule|translate|round|sort|quote|cite|link)\b(?: \S+)+`)),
		user(p(Preference, 0.88, "how the user wants it", `^from now on(?: please)? \S+ \S+`)),
		user(p(Preference, 0.85, "how the user wants it", `^(?:please )?(?:keep|make) (?:your |the |all )?(?:answers?|replies|responses|summaries|messages|explanations|lists|texts?) \S+`)),
		user(p(Preference, 0.8, "how the user wants it", `^(?:please )?(?:answer|reply|speak|write)(?: to me)? (?:always|only) \S+`)),
		user(p(Preference, 0.8, "how the user wants it", `^i would rather \S+(?: \S+)* (?:than|instead of)\b`)),
		user(p(Preference, 0.85, "how the user wants to be called", `^(?:please |just |you can )?call me @\S+$`)),
		user(p(Fact, 0.88, "where the user lives", `^(?:i|we) (?:live|grew up|am based|are based|come) (?:in|at|near|on|from|by) (?:the |a |an )?\S+`)),
		user(p(Fact, 0.85, "what the user is", `^i am (?:a|an) (?:\S+ ){0,2}?(?:[a-z-]{2,}(?:er|or|ist|ian|eer|ant|ect|woman)|nurse|chef|cook|student|vegan|vegetarian|widow|parent|mother|father|potter|smith|monk|nun|pilot|judge|coach|scientist|librarian|phd|native speaker)(?:$| (?:in|at|for|by|from|and|with|of)\b)`)),
		user(p(Fact, 0.88, "a lasting trait of the user", `^i am (?:allergic|intolerant|vegetarian|vegan|left-handed|right-handed|dyslexic|colou?r-blind|deaf|blind|diabetic|coeliac|celiac|lactose|gluten|retired|self-employed|freelance|married|divorced|widowed|autistic|from @|based in|originally from|\d+ years old|born in|hard of hearing|short-sighted)`)),
		user(p(Fact, 0.85, "the user's work", `^i work (?:as|at|for|in|from|part-time|full-time|nights|shifts|with)\b(?: \S+)*`)),
		user(p(Fact, 0.85, "the user's household", `^(?:i|we) have (?:`+num+`|a|an|no) (?:\S+ )?(?:kids?|children|child|sons?|daughters?|dogs?|cats?|brothers?|sisters?|grandchildren|twins|employees|phd|degree|driving licen[cs]e|allotment|horses?|chickens|sheep|pacemaker|wheelchair)\b`)),
		user(p(Fact, 0.88, "about the user", `^(?:my|our)(?: \S+)? (?:native language|mother tongue|first language|name|surname|last name|first name|nickname|time ?zone|e-?mail(?: address)?|address|phone number|number|pronouns|job|profession|employer|company|hometown|home town|shoe size|size|blood type|website|handle|dog|cat|horse|car|operating system)(?:'s name)? (?:is|are) (?:called )?\S+`)),
		user(taking(p(Fact, 0.82, "about the user", `^i (?:speak|play|studied|study|teach|own|drive|was born in|collect|sing|ride|coach)\b`), "it that this these those them to up with about out you on along off around from as down again", 1)),
		user(p(Fact, 0.8, "about the user", `^(?:i|we) (?:moved|emigrated|retired|graduated|married|divorced)(?: \S+){0,4} in (?:19|20)\d\d`)),
		p(Fact, 0.85, "a measure", `^(?:the|our|my)(?: \S+){1,4}? (?:is|are|measures?|weighs?|costs?|holds?|seats?) `+num+` ?(?:\S+ )?(?:m|metres?|meters?|cm|mm|km|feet|foot|ft|inch(?:es)?|kg|kilos?|tons?|tonnes?|litres?|liters?|euros?|dollars?|pounds?|square|years?|pages?|people|hectares?|acres?|gb|tb|watts?|volts?|seats)\b`),
		p(Fact, 0.85, "how it was made", `^(?:the|our|my)(?: \S+){1,4}? (?:was|were) (?:built|made|founded|designed|painted|laid|installed|planted|written|renovated|restored|bought|converted|published) (?:in|by|of|from|with|out of)\b`),
		p(Fact, 0.8, "what it is", `^(?:the|our|my)(?: \S+){1,4}? (?:is|are) (?:made of|made from|built of|built on|located|situated|called|named|written in|hosted (?:on|at|by)|based on|based in|stored (?:in|on|at)|owned by|insured (?:with|by|at)|registered (?:in|with|at|as)|connected to|rented from|at \S+\.\S+|in @\S+$|licensed under)`),
		p(Fact, 0.75, "what it is made of", `^(?:the|our|my)(?: \S+){1,3}? (?:is|are)(?: all)? (?:slate|oak|pine|steel|brick|stone|concrete|timber|copper|aluminium|glass|tiled|wooden|thatch|marble|granite|iron|fibreglass|plywood|bamboo|listed)(?:$| (?:and|with)\b)`),
		p(Fact, 0.8, "what is used", `^(?:we|i) (?:always |only |mostly |all |no longer )?use (?:@?\S+ ){1,3}?(?:for|as|to|on|in|with)\b`),
		p(Fact, 0.78, "where things are", `^we (?:store|keep|park|rent|buy|order|get) (?:the|our|all) (?:\S+ ){1,4}?(?:in|at|from|behind|under|with) \S+`),
		p(Fact, 0.78, "what it runs on", `^(?:the|our)(?: \S+){1,3}? (?:runs on|runs under|depends on|is powered by|comes from|belongs to) (?:@|the |our |a )\S+`),
		p(Fact, 0.78, "where it faces", `^(?:the|our)(?: \S+){1,3}? (?:faces|overlooks|looks onto|borders)(?: \S+)+`),
		p(Fact, 0.78, "what it has", `^(?:the|our)(?: \S+){1,3}? (?:has|have) (?:`+num+`|no) \S+`),
		p(Fact, 0.78, "what somebody does as a rule", `^(?:the|our)(?: \S+){1,3}? (?:only (?:\w+s)|\w+s only|never \w+s|always \w+s|\w+s every)\b(?: \S+)+`),
	}
})

// moody: what one is "a" only in a manner of speaking.
var moody = language.Pattern(`\b(?:good|bad|slow|fast|quick|big|early|late|heavy|light|terrible|great|poor|real|true|total|natural|complete|huge|lousy|better|keen|firm|strong|weird|nervous|listener|riser|drinker|sleeper|eater|talker|loser|winner|lover|stranger|believer|thinker|bother|wonder|number|goner|sucker|disaster|monster|hater|quitter|supporter|admirer|newcomer|outsider|bit)\b`)

// habitless are verbs that "I always" and "I never" say nothing lasting with.
const habitless = `said knew forget forgot thought had did was got saw meant wanted heard understood understand finished have remember know see get mean believe
 believed told asked did do am been went came made took gave found felt left wonder think hear learn learned expected liked loved lose mind realise realize noticed notice quite really would could will can`

// find returns the first pattern that a statement fits.
func find(s statement) (pattern, bool) {
	for _, p := range patterns() {
		at := p.re.FindStringIndex(s.line)
		if at == nil {
			continue
		}
		rest := strings.Fields(s.line[at[1]:])
		if len(rest) < p.least || len(rest) > 0 && p.object != "" && in(p.object, rest[0]) {
			continue
		}
		if p.kind == Preference && in("it that this them you here there so", s.ws[len(s.ws)-1].norm) || strings.Contains(s.line, "went with") && strings.Contains(s.line, " to ") {
			continue // "I love hearing that", "we went with her to the station"
		}
		if strings.HasPrefix(s.line, "decision") && !strings.Contains(s.text, ":") {
			continue // "Decision was made because"
		}
		if p.reason == "what the user is" && moody().MatchString(s.line) {
			continue
		}
		if p.reason == "a habit" && !lastingHabit(s.line[at[0]:at[1]]) {
			continue
		}
		return p, true
	}
	return pattern{}, false
}

// lastingHabit: "I never work" is one, "I never said" isn't.
func lastingHabit(match string) bool {
	verb := match[strings.LastIndexByte(match, ' ')+1:]
	return !in(habitless, verb) && !strings.HasSuffix(verb, "ed")
}
