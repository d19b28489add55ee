package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"kist/agent/narration"
	"kist/agent/tool"
)

// narrateWithin bounds how long a turn waits for a small model that tells what a study found,
// whose own text has been shown by then.
const narrateWithin = 30 * time.Second

// studied keeps what a turn found out about a project, as long as it is one study.
func studied(t *turn, res tool.Result) {
	if res.Study == nil {
		return
	}
	t.study, t.studyPrivate = res.Study, ""
	if slices.ContainsFunc(res.Study.Rests(), t.private.Source) {
		t.studyPrivate = "what the " + res.Study.Kind + " looked at is private"
	}
}

// narrate has a small model tell what a study found behind the partner's own text of it, where
// the reply has that. What doesn't hold of its words is left out, and the user told; where it
// fails, is late, or would pass a limit, the text stands alone. The error is that of ctx.
func narrate(ctx context.Context, t *turn) error {
	m := t.fast()
	if m == nil || t.study == nil || !t.free || !strings.Contains(t.reply.String(), strings.TrimSpace(t.study.Text)) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, narrateWithin)
	defer cancel()
	calls := t.meter.Calls()
	text, left, err := narration.Tell(limited, m, t.meter, *t.study, t.studyPrivate)
	tellUse(t, calls, err == nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.log.Info("a study is told in kist's own words alone", "model", m.Name(), "err", err)
		return nil
	}
	t.say("In short, in the words of " + m.Name() + ": " + text)
	if left > 0 {
		t.notice(narration.Left(left))
	}
	return nil
}
