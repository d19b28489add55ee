package queries

import "kist/agent/language"

// Conversations is the noun of a [Listing] of what was said in earlier conversations.
const Conversations = "conversations"

// conversations reads what is to be looked for in what was said: "search our conversations for
// the paint", "what did we say about the paint in our chats?".
func conversations(toks []language.Token) (about string, ok bool) {
	asks := language.Begins(toks, "search|look|find|check|go|what|where|when|who|which|did|have|show|list|durchsuche|suche|was|wo|wann")
	from, to, found := language.Find(toks,
		"in|through|within|from|search all? of? our|my|the|these|those|all past|old|older|earlier|previous|other|last? conversations|chats|transcripts",
		"in|through|within|from|search past|old|older|earlier|previous conversations|chats|transcripts",
		"in|through|within|from|search our|my|the conversation|chat history|log|logs",
		"in|durchsuche unseren|unsere|den|meinen|meine alten? gesprächen|gespräche|chats")
	if !asks || !found {
		return "", false
	}
	rest := language.Drop(language.Cut(toks, from, to), "search|look|find|check|go|for|through|suche|nach|say|said|talk|talked|mention|mentioned|discuss|discussed|told|tell|anything|something")
	return language.Topic(rest), true
}
