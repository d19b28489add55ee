// Package form has a small model fill in one JSON object about a text: what it is to do, the
// text, and the schema that the object has to match. Whoever asks checks what stands in it:
// the package only sees to it that there is such an object, of bounded length, in an answer
// that came to its end.
package form

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kist/agent/model"
)

const (
	maxText   = 8 << 10 // bytes of an answer
	maxOutput = 500     // tokens
)

// A Form is what a model is asked to fill in.
type Form struct {
	Rules  string // what it is to do; the same from request to request
	Schema string // JSON Schema of the object
	About  string // a word for the text, which stands between tags of it
	Text   string
	// Private is why nothing of it may leave this machine; empty: it may.
	Private string
}

var errNone = errors.New("it wrote no such object")

// Fill asks a model and reads the object that it answers with, which may have words or a
// fence around it, into what into points to. Errors are the model's, or say what is wrong
// with the answer.
func (f Form) Fill(ctx context.Context, m model.Model, meter model.Meter, into any) error {
	text, err := answer(ctx, m, model.Request{
		Brief:    func(int) model.Brief { return model.Brief{Rules: f.Rules} },
		Messages: []model.Message{{Role: model.User, Text: "<" + f.About + ">\n" + f.Text + "</" + f.About + ">\n\nAs JSON:"}},
		Purpose:  model.Fast,
		Format:   json.RawMessage(f.Schema), MaxOutput: maxOutput, Meter: meter, Private: f.Private,
	})
	if err != nil {
		return err
	}
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from || json.Unmarshal([]byte(text[from:to+1]), into) != nil {
		return errNone
	}
	return nil
}

func answer(ctx context.Context, m model.Model, req model.Request) (string, error) {
	var text strings.Builder
	stopped := false
	for e, err := range m.Generate(ctx, req) {
		if err != nil {
			return "", err
		}
		if e.Back {
			text.Reset()
		}
		text.WriteString(e.Text)
		if text.Len() > maxText {
			return "", fmt.Errorf("it wrote over %d bytes", maxText)
		}
		stopped = stopped || e.Stop == model.End
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if !stopped {
		return "", errors.New("its answer is not whole")
	}
	return text.String(), nil
}
