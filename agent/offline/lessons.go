package offline

import (
	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// Lessons keeps what the user's messages turned out to mean. Keep may be called
// concurrently; what it can't keep is lost, and no reason to stop.
type Lessons interface {
	// Examples are those kept so far, the latest last.
	Examples() []intent.Example
	Keep(intent.Example)
}

// NewLearning returns a partner that reads messages by what the user has picked before,
// and keeps what they pick now for the next one.
func NewLearning(l Lessons) *Partner {
	p := &Partner{lessons: l}
	if own := l.Examples(); len(own) > 0 { // without, the first message waits for what is built in
		if trained, err := interpret.BuiltIn(); err == nil {
			p.trained = trained.Learn(own)
		}
	}
	return p
}

// keep keeps what a turn has taught.
func (p *Partner) keep(lesson *intent.Example) {
	if p.lessons != nil && lesson != nil {
		p.lessons.Keep(*lesson)
	}
}

// teaches notes that a message of before meant what was picked now. It was said with
// nothing asked.
func (t *talk) teaches(text string, name intent.Name) {
	sit := t.Situation
	sit.Question, sit.Waiting = model.Question{}, nil
	was := interpret.NewReader(sit, nil)
	lesson := intent.NewExample(was.Input(text), name)
	t.lesson = &lesson
}
