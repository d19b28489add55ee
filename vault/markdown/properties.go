package markdown

import "errors"

// A Setting says what [Document.SetProperties] does to one key.
type Setting struct {
	Key   string
	Value string // one YAML value on one line, as for [Document.SetProperty]
	Unset bool   // remove the key instead; one that isn't there is left so
}

// SetProperties returns the one edit that sets and unsets several keys of the
// front matter, each as [Document.SetProperty] and [Document.UnsetProperty] do
// it and in the order given. No key moves: new ones come at the end. The edit's
// span reaches from the first byte that changes to the last. Either all of the
// settings are made or, with the error of the first that can't be, none.
func (d *Document) SetProperties(settings []Setting) (Edit, error) {
	if _, err := d.properties(); err != nil {
		return Edit{}, err
	}
	steps := make([]step, len(settings))
	for i, s := range settings {
		steps[i] = func(doc *Document) (Edit, error) {
			if !s.Unset {
				return doc.SetProperty(s.Key, s.Value)
			}
			edit, err := doc.UnsetProperty(s.Key)
			if errors.Is(err, ErrNoProperty) {
				return Edit{}, nil
			}
			return edit, err
		}
	}
	return d.compose(steps)
}

// A step computes an edit of the document that the steps before it made.
type step func(*Document) (Edit, error)

// compose returns the edit that does what the steps do one behind the other. Its
// span is the smallest that holds theirs.
func (d *Document) compose(steps []step) (Edit, error) {
	var whole Edit
	doc := d
	for _, next := range steps {
		edit, err := next(doc)
		if err != nil {
			return Edit{}, err
		}
		if edit.empty() {
			continue
		}
		after := edit.Apply(doc.src)
		whole = whole.then(edit, after)
		doc = Parse(after)
	}
	return whole, nil
}

// empty reports whether the edit changes nothing because it has no span.
func (e Edit) empty() bool { return e.Start == e.End && len(e.Text) == 0 }

// then returns the edit that has the effect of e and of next, an edit of what e
// makes, whose result is after.
func (e Edit) then(next Edit, after []byte) Edit {
	if e.empty() {
		return next
	}
	start, end := min(e.Start, next.Start), max(e.Start+len(e.Text), next.End)
	return Edit{
		Start: start,
		End:   end - len(e.Text) + e.End - e.Start,
		Text:  after[start : end+len(next.Text)-(next.End-next.Start)],
	}
}
