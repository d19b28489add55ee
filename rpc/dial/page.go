package dial

import (
	"context"

	"github.com/oklog/ulid/v2"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// All calls a listing until there are no more pages, and returns one answer with the
// items of all. req is left as it was.
func All[Req, Res proto.Message](ctx context.Context, req Req, list func(context.Context, Req) (Res, error)) (Res, error) {
	return Some(ctx, req, 0, list)
}

// Some is All for the first n items; 0: all there are. Where there are more, next_page_token
// isn't empty.
func Some[Req, Res proto.Message](ctx context.Context, req Req, n int, list func(context.Context, Req) (Res, error)) (all Res, err error) {
	ask := proto.Clone(req).(Req)
	fields := ask.ProtoReflect().Descriptor().Fields()
	for first := true; ; first = false {
		if n > 0 {
			left := n
			if !first {
				left -= items(all).Len()
			}
			ask.ProtoReflect().Set(fields.ByName("page_size"), protoreflect.ValueOfInt32(int32(left)))
		}
		page, err := list(ctx, ask)
		if err != nil {
			return all, err
		}
		next := page.ProtoReflect().Descriptor().Fields().ByName("next_page_token")
		token := page.ProtoReflect().Get(next)
		if page.ProtoReflect().Clear(next); first {
			all = page
		} else {
			proto.Merge(all, page) // lists are added to, the rest is the newest
		}
		if token.String() == "" {
			return all, nil
		}
		if n > 0 && items(all).Len() >= n {
			all.ProtoReflect().Set(next, token)
			return all, nil
		}
		ask.ProtoReflect().Set(fields.ByName("page_token"), token)
	}
}

// Left tells whether there is more than what an answer of Some holds, and how much; 0 where
// the daemon doesn't count.
func Left(list proto.Message) (n int, more bool) {
	m := list.ProtoReflect()
	fields := m.Descriptor().Fields()
	if m.Get(fields.ByName("next_page_token")).String() == "" {
		return 0, false
	}
	if total := fields.ByName("total_size"); total != nil {
		n = max(0, int(m.Get(total).Int())-items(list).Len())
	}
	return n, true
}

// items is the list of messages that an answer holds.
func items(m proto.Message) protoreflect.List {
	fields := m.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.IsList() && f.Message() != nil {
			return m.ProtoReflect().Get(f).List()
		}
	}
	panic("dial: " + string(m.ProtoReflect().Descriptor().Name()) + " is no listing")
}

// NewID returns a name for a request, by which the daemon tells that it comes again.
func NewID() string { return ulid.Make().String() }
