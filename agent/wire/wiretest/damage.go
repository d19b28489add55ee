package wiretest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Damage is what may happen to the streams of a protocol.
type Damage struct {
	Fields []string // names, of which one may take the place of another
	Lines  []string // each with two places for JSON, such as {"id":%s,"error":%s}; one may take another's place
	Key    string   // what no error may contain, but a server may
}

// Test damages streams in many ways, always the same, and listens to them: each has to end
// soon, in an end or in an error without the key.
func (d Damage) Test(t testing.TB, rounds int, streams map[string]string, listen func(stream []byte) error) {
	t.Helper()
	names := slices.Sorted(maps.Keys(streams))
	const seed = 7
	for round := range rounds {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		name := names[r.IntN(len(names))]
		stream := []byte(streams[name])
		for range 1 + r.IntN(4) {
			stream = d.Do(r, stream, streams[names[r.IntN(len(names))]])
		}
		start := time.Now()
		err := listen(stream)
		// A second would do, were nothing else at work on the machine.
		if took := time.Since(start); took > 10*time.Second || err != nil && strings.Contains(err.Error(), d.Key) || t.Failed() {
			t.Fatalf("round %d, %s: %v after %v\n%.5000s", round, name, err, took, stream)
		}
	}
}

var number = regexp.MustCompile(`: ?-?\d+[,}]`)

// largest is how long a damaged stream gets: many rounds shall be heard.
const largest = 64 << 10

// Do changes something in a stream. Another one may get into it.
func (d Damage) Do(r *rand.Rand, stream []byte, other string) []byte {
	lines := bytes.SplitAfter(bytes.Clone(stream), []byte("\n"))
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(12) {
	case 0:
		return stream[:r.IntN(len(stream)+1)]
	case 1:
		lines = slices.Delete(lines, i, i+1)
	case 2:
		lines = slices.Insert(lines, j, lines[i])
	case 3:
		lines[i], lines[j] = lines[j], lines[i]
	case 4:
		from, to := d.Fields[r.IntN(len(d.Fields))], d.Fields[r.IntN(len(d.Fields))]
		return bytes.ReplaceAll(stream, fmt.Appendf(nil, "%q", from), fmt.Appendf(nil, "%q", to))
	case 5:
		lines[i] = d.strange(r, lines[i])
	case 6:
		some := strings.SplitAfter(other, "\n")
		from := r.IntN(len(some))
		lines = slices.Insert(lines, j, []byte(strings.Join(some[from:from+r.IntN(len(some)-from)+1], "")))
	case 7:
		if times := largest / max(1, len(lines[i])) / 4; len(stream) < largest/2 {
			lines = slices.Insert(lines, i, bytes.Repeat(lines[i], r.IntN(min(400, times)+1)))
		}
	case 8:
		return number.ReplaceAllFunc(stream, func(n []byte) []byte {
			if r.IntN(4) > 0 {
				return n
			}
			return fmt.Appendf(nil, ":%s%c", d.value(r), n[len(n)-1])
		})
	default:
		stream = bytes.Clone(stream)
		for n := r.IntN(8); n >= 0 && len(stream) > 0; n-- {
			stream[r.IntN(len(stream))] ^= 1 << r.IntN(8)
		}
		return stream
	}
	return bytes.Join(lines, nil)
}

// strange is a line of the protocol with values that don't belong there.
func (d Damage) strange(r *rand.Rand, line []byte) []byte {
	var field []byte
	if at := bytes.IndexByte(line, ':'); at >= 0 && !bytes.HasPrefix(line, []byte("{")) {
		field = line[: at+1 : at+1] // of an event
	}
	return fmt.Appendf(field, d.Lines[r.IntN(len(d.Lines))]+"\n", d.value(r), d.value(r))
}

func (d Damage) value(r *rand.Rand) string {
	values := [...]string{`null`, `[]`, `{}`, `-1`, `1e999`, `"\u001b\u202e\ud800"`, `"<think>"`, `[[{}]]`, `true`, `""`, `9007199254740993`, fmt.Sprintf("%q", d.Key)}
	return values[r.IntN(len(values))]
}
