package intent

import (
	"bytes"
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
	Act         float64 // at least so probable is a reading that may be acted on
	Strict      float64 // the same for what removes, renames or moves something
	Choose      float64 // at least so probable is the best of two that are offered
}

// header is the first line of the weights.
const header = "kist intent 1 %s %g %g %g %g\n"

// Encode writes what Load reads: a line of the calibration, then the model.
func Encode(m *linear.Model, c Calibration) []byte {
	return append(fmt.Appendf(nil, header, c.Fingerprint, c.Temperature, c.Act, c.Strict, c.Choose), m.Encode()...)
}

// Decode reads what Encode wrote, or returns ErrWeights.
func Decode(data []byte) (*Reader, error) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	r := &Reader{}
	c := &r.calibration
	if _, err := fmt.Sscanf(string(line)+"\n", header, &c.Fingerprint, &c.Temperature, &c.Act, &c.Strict, &c.Choose); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrWeights, err)
	}
	var err error
	if r.model, err = linear.Decode(rest); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrWeights, err)
	}
	return r, nil
}

// Calibration tells how the reader was trained.
func (r *Reader) Calibration() Calibration { return r.calibration }
