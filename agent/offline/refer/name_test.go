package refer

import (
	"strings"
	"sync"
	"testing"

	"kist/agent/model"
)

// What is kept of a name is shared: who appends to it must not change it for others,
// and it can be read by several at once.
func TestNameWordsAreShared(t *testing.T) {
	p := model.Project{Name: "The Northern Houseboat of Anna"}
	want := strings.Join(NameWords(p), " ")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _ = append(NameWords(p), "more") })
	}
	all.Wait()
	if got := strings.Join(NameWords(p), " "); got != want || want != "northern houseboat anna" {
		t.Errorf("%q, then %q", want, got)
	}
	if got := NameWords(model.Project{Slug: "tax-return"}); strings.Join(got, " ") != "tax return" {
		t.Errorf("by its slug: %q", got)
	}
}
