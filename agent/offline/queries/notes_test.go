package queries

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent/language"
)

func TestNotes(t *testing.T) {
	for said, want := range map[string]string{
		"what is in the vault?":                                 "vault||false",
		"what's in my notes?":                                   "vault||false",
		"what do I have in my vault so far":                     "vault||false",
		"how many notes are there?":                             "notes||true",
		"how many files do I have":                              "files||true",
		"how many documents are about the tide?":                "documents|the tide|true",
		"list all my notes":                                     "notes||false",
		"show me the notes about the spring cruise":             "notes|the spring cruise|false",
		"which notes talk about canvas":                         "notes|canvas|false",
		"what notes do I have on bread?":                        "notes|bread|false",
		"which docs mention the surveyor":                       "documents|the surveyor|false",
		"notes tagged recipe":                                   "notes||false tagged #recipe",
		"find #recipe":                                          "notes||false tagged #recipe",
		"show me everything tagged recipe":                      "notes||false tagged #recipe",
		"which notes have the tag #recipe?":                     "notes||false tagged #recipe",
		"#recipe":                                               "",
		"find the #recipe bread":                                "",
		"which notes are tagged #recipe?":                       "notes||false tagged #recipe",
		"how many files are in Old/Boat":                        "files||true in Old/Boat",
		"show the notes about tar in Old/Boat":                  "notes|tar|false in Old/Boat",
		"search our conversations for the paint":                "conversations|paint|false",
		"search for paint in our past chats":                    "conversations|paint|false",
		"what did we say about the paint in our conversations?": "conversations|paint|false",
		"look through the chat history for paint":               "conversations|paint|false",
		"did I mention the berth in earlier chats":              "conversations|berth|false",
		"find a room for our conversations":                     "",
		"what's in my notes about the boiler?":                  "",
		"which notes did you change?":                           "",
		"what notes are missing":                                "",
		"show me the note about bread":                          "",
		"how many tasks are there":                              "",
		"what is the boat called?":                              "",
		"which files did Mara send":                             "",
	} {
		l, ok := Notes(said, language.Tokenize(said))
		got := ""
		if ok {
			got = strings.TrimSpace(fmt.Sprintf("%s|%s|%v %s", l.Noun, l.About, l.Count, strings.Join(l.Place.Said(), " ")))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
