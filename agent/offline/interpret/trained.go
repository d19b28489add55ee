package interpret

import (
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
)

// Trained is a model that reads intents: the one that is built in, or that with the user's
// own examples.
type Trained interface {
	Read(intent.Input) []intent.Reading
	Slots(intent.Input, intent.Name, []language.Token) []intent.Slot
	Parts(in intent.Input, toks []language.Token, sentences []int) []int
}

// BuiltIn is the trained model. It never changes, and is loaded with the first message.
var BuiltIn = sync.OnceValues(intent.Load)

// unread stands for a model that can't be loaded.
type unread struct{}

func (unread) Read(intent.Input) []intent.Reading                              { return nil }
func (unread) Slots(intent.Input, intent.Name, []language.Token) []intent.Slot { return nil }
func (unread) Parts(_ intent.Input, _ []language.Token, sentences []int) []int { return sentences }
