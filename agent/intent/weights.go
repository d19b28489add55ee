package intent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"kist/agent/intent/linear"
)

// ErrWeights is returned for weights that aren't whole.
var ErrWeights = errors.New("weights of the reader are broken")

// Calibration is what training finds out by trying sets that it left out.
type Calibration struct {
	Fingerprint string  // of the examples and of how they were learned
	Temperature float64 // makes probabilities tell how often a reading is right
}

// header is the first line of the weights.
const header = "kist intent 3 %s %g\n"

// Models are what a Reader is made of.
type Models struct {
	Intents *linear.Model // of a text as a whole
	Slots   *linear.Model // tags of tokens: where arguments stand
	Parts   *linear.Model // of tokens: whether a part of the text begins there
}

// Encode writes what Load reads: a line of the calibration, then each model behind its
// length.
func (m Models) Encode(c Calibration) []byte {
	out := fmt.Appendf(nil, header, c.Fingerprint, c.Temperature)
	for _, each := range []*linear.Model{m.Intents, m.Slots, m.Parts} {
		data := each.Encode()
		out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	}
	return out
}

// Decode reads what Encode wrote, or returns ErrWeights.
func Decode(data []byte) (*Reader, error) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	r := &Reader{}
	c := &r.calibration
	if _, err := fmt.Sscanf(string(line)+"\n", header, &c.Fingerprint, &c.Temperature); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrWeights, err)
	}
	for _, m := range []**linear.Model{&r.models.Intents, &r.models.Slots, &r.models.Parts} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return nil, fmt.Errorf("%w: a model is cut off", ErrWeights)
		}
		var err error
		if *m, err = linear.Decode(rest[size : size+int(n)]); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrWeights, err)
		}
		rest = rest[size+int(n):]
	}
	return r, nil
}

// Calibration tells how the reader was trained.
func (r *Reader) Calibration() Calibration { return r.calibration }

// Models are what the reader was trained to.
func (r *Reader) Models() Models { return r.models }
