/*
Package page cuts listings into pages, as AIP-158 says: a request has page_size and
page_token, an answer next_page_token, which is empty at the end.

	projects, next, err := page.Of(req, 0, all, projectKey, project)

A token holds the key of the last item that was sent and not a position, so that what is
made or deleted between two pages makes no other item come twice or not at all. It is of
use for the same request only. No page is larger than [MaxBytes], in whichever form it is
sent; one item that is larger by itself is a page of its own.

The package knows no message of kist's, and keeps nothing between two calls.
*/
package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ErrToken: a page token is of another request, or none that was ever given out.
var ErrToken = errors.New("this page token doesn't belong to this request")

const (
	Usual    = 500                // items of a page where the request doesn't say
	Most     = 1000               // items of a page, whatever the request says
	MaxBytes = 1<<20 - maxToken*2 // of a page's items; the rest is for what is around them
	maxToken = 16 << 10           // of a token's key; a path has at most 4,096 bytes
)

// A Request asks for a page of a listing.
type Request interface {
	proto.Message
	GetPageSize() int32
	GetPageToken() string
}

// Of returns the messages of one page, ordered by their keys, and the token of the next
// one. A key has to be of one item only. usual is the size of a page where the request
// doesn't say, 0 for [Usual]. It returns ErrToken.
func Of[T any, M proto.Message](req Request, usual int, all []T, key func(T) string, message func(T) M) ([]M, string, error) {
	p, err := Pick(req, usual, key)
	if err != nil {
		return nil, "", err
	}
	for _, item := range all {
		p.Add(item)
	}
	return Cut(p, message)
}

// In is Of for a list whose order no key tells, of which more is read as it is asked for:
// read returns at least the first n items. Where the last item of the page before is gone
// from the list, the page begins with the first one that behind says comes later.
func In[T any, M proto.Message](req Request, usual int, read func(n int) ([]T, error), key func(T) string, behind func(item T, last string) bool, message func(T) M) ([]M, string, error) {
	last, err := last(req)
	if err != nil {
		return nil, "", err
	}
	seen := 0
	if last != "" {
		if _, err := fmt.Sscanf(last, "%d ", &seen); err != nil || seen < 0 || seen > 1<<30 {
			return nil, "", ErrToken
		}
		_, last, _ = strings.Cut(last, " ")
	}
	for more := size(req, usual) + 1; ; more *= 2 {
		all, err := read(seen + more)
		if err != nil {
			return nil, "", err
		}
		from := start(all, key, behind, last)
		if len(all)-from <= size(req, usual) && len(all) >= seen+more {
			continue // there are more before it than there were
		}
		list, end := cut(req, usual, all[from:], message)
		if end < 0 {
			return list, "", nil
		}
		return list, token(req, fmt.Sprintf("%d %s", from+end+1, key(all[from+end]))), nil
	}
}

// Parts yields all of a list in parts that are no larger than a page, and whether more
// come; an empty list is one empty part.
func Parts[T any, M proto.Message](list []T, message func(T) M) iter.Seq2[[]M, bool] {
	return func(yield func([]M, bool) bool) {
		for {
			part, end := cutAt(MaxBytes, len(list), list, message)
			if !yield(part, end >= 0) || end < 0 {
				return
			}
			list = list[end+1:]
		}
	}
}

// start is where a list goes on behind the last item of the page before.
func start[T any](all []T, key func(T) string, behind func(item T, last string) bool, last string) int {
	if last == "" {
		return 0
	}
	if i := slices.IndexFunc(all, func(item T) bool { return key(item) == last }); i >= 0 {
		return i + 1
	}
	if i := slices.IndexFunc(all, func(item T) bool { return behind(item, last) }); i >= 0 {
		return i
	}
	return len(all)
}

// size is how many items a page may have.
func size(req Request, usual int) int {
	switch n := int(req.GetPageSize()); {
	case n > 0:
		return min(n, Most)
	case usual > 0:
		return min(usual, Most)
	}
	return Usual
}

// cut takes as many items as a page may have, and says where it ended; -1: with the list.
func cut[T any, M proto.Message](req Request, usual int, list []T, message func(T) M) (page []M, end int) {
	return cutAt(MaxBytes, size(req, usual), list, message)
}

func cutAt[T any, M proto.Message](room, most int, list []T, message func(T) M) (page []M, end int) {
	page = make([]M, 0, min(most, len(list)))
	for i, item := range list {
		m := message(item)
		if room -= Bytes(m); len(page) == most || len(page) > 0 && room < 0 {
			return page, i - 1
		}
		page = append(page, m)
	}
	return page, -1
}

const mark = 8 // bytes of a request's mark

// token names the item that a page ended with.
func token(req Request, key string) string {
	return base64.RawURLEncoding.EncodeToString(append(sum(req), key...))
}

// last returns the key of the item that the page before ended with, "" for the first page.
func last(req Request) (string, error) {
	if req.GetPageToken() == "" {
		return "", nil
	}
	b, err := base64.RawURLEncoding.DecodeString(req.GetPageToken())
	if err != nil || len(b) <= mark || !bytes.Equal(b[:mark], sum(req)) {
		return "", ErrToken
	}
	return string(b[mark:]), nil
}

// sum is a mark of what a request asks for, its page aside.
func sum(req Request) []byte {
	m := proto.Clone(req).ProtoReflect()
	for _, name := range []protoreflect.Name{"page_size", "page_token", "limit"} {
		if f := m.Descriptor().Fields().ByName(name); f != nil {
			m.Clear(f)
		}
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.Interface())
	if err != nil { // what came over the wire can be written again
		b = nil
	}
	h := sha256.New()
	h.Write([]byte(m.Descriptor().FullName()))
	h.Write(b)
	return h.Sum(nil)[:mark]
}

// Newest makes a key of a time by which later ones come first.
func Newest(t time.Time) string {
	if t.IsZero() {
		return "~"
	}
	return fmt.Sprintf("%019d%09d", 1<<62-t.Unix(), 999_999_999-t.Nanosecond())
}

// Kept returns keys that leave a short list in its order, for one that hardly changes. id
// says which item is which.
func Kept[T any](all []T, id func(T) string) func(T) string {
	place := make(map[string]int, len(all))
	for i, item := range all {
		place[id(item)] = i
	}
	return func(item T) string { return fmt.Sprintf("%09d %s", place[id(item)], id(item)) }
}
