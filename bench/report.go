package bench

import (
	"fmt"
	"time"
)

// A Unit says what a row's figures count.
type Unit string

// The units.
const (
	Milliseconds Unit = "ms"
	Megabytes    Unit = "MB"       // 1,048,576 bytes
	PerHour      Unit = "s/h"      // seconds of one processor in an hour
	Exponent     Unit = "exponent" // of the number of files
)

// A Row is one line of a report: what was measured beside its floor and target.
type Row struct {
	Name     string     `json:"name"` // stable, for scripts
	What     string     `json:"what"`
	Unit     Unit       `json:"unit"`
	Value    float64    `json:"value"`              // what the ratio is of
	Measured *Quantiles `json:"measured,omitempty"` // where many were measured
	Floor    float64    `json:"floor,omitempty"`    // the same of the floor
	FloorOf  string     `json:"floorOf,omitempty"`  // what the floor is
	Floors   *Quantiles `json:"floors,omitempty"`
	Ratio    float64    `json:"ratio,omitempty"`
	Target   string     `json:"target,omitempty"`
	Met      *bool      `json:"met,omitempty"`
	Missing  string     `json:"missing,omitempty"` // why it wasn't measured
}

// Quantiles of N tries, in the row's unit.
type Quantiles struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Machine is what the figures depend on.
type Machine struct {
	CPU        string `json:"cpu"`
	Cores      int    `json:"cores"`
	Go         string `json:"go"`
	Kernel     string `json:"kernel"`
	FileSystem string `json:"fileSystem"` // of the temporary folder
}

// Measured is the corpus as the index saw it.
type Measured struct {
	Files    int    `json:"files"`
	Sections int    `json:"sections"`
	Bytes    int64  `json:"bytes"`
	Source   string `json:"source"` // the folder that was copied, or the seed
}

// Report is what [Run] and [Growth] return.
type Report struct {
	Machine Machine   `json:"machine"`
	Corpus  *Measured `json:"corpus,omitempty"`
	Rows    []Row     `json:"rows"`
	Sizes   []Report  `json:"sizes,omitempty"` // of a growth
}

// Row returns the row of a name, or one that says that there is none.
func (r *Report) Row(name string) Row {
	for _, row := range r.Rows {
		if row.Name == name {
			return row
		}
	}
	return Row{Name: name, Missing: "not measured"}
}

func (r *Report) add(rows ...Row) { r.Rows = append(r.Rows, rows...) }

func millis(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func megabytes(n uint64) float64 { return float64(n) / (1 << 20) }

func quantiles(t Timing) *Quantiles {
	return &Quantiles{t.N, millis(t.P50), millis(t.P95), millis(t.P99)}
}

// once is a row of one figure, or of the median of a few.
func once(name, what string, unit Unit, value float64) Row {
	return Row{Name: name, What: what, Unit: unit, Value: value}
}

// many is a row of many tries, judged by a percentile: 50 or 95.
func many(name, what string, t Timing, percent int) Row {
	r := Row{Name: name, What: what, Unit: Milliseconds, Measured: quantiles(t), Value: millis(t.P50)}
	if percent == 95 {
		r.Value = millis(t.P95)
	}
	if t.N == 0 {
		r.Missing = "the documents are too poor for it"
	}
	return r
}

// beside gives a row its floor.
func (r Row) beside(value float64, of string) Row {
	r.Floor, r.FloorOf = value, of
	if value > 0 {
		r.Ratio = r.Value / value
	}
	return r
}

// besideMany gives a row its floor, judged by the same percentile.
func (r Row) besideMany(t Timing, percent int, of string) Row {
	r.Floors = quantiles(t)
	value := millis(t.P50)
	if percent == 95 {
		value = millis(t.P95)
	}
	return r.beside(value, of)
}

// aim says what is wanted and whether it was met.
func (r Row) aim(target string, met bool) Row {
	r.Target = target
	if r.Missing == "" {
		r.Met = &met
	}
	return r
}

// times wants a ratio of at most x.
func (r Row) times(x float64) Row {
	return r.aim(fmt.Sprintf("<= %gx", x), r.Ratio <= x)
}

// missing says why a row has no figures.
func (r Row) missing(why string) Row {
	r.Missing, r.Met, r.Measured, r.Floors = why, nil, nil, nil
	return r
}

// targetAt is the target at a number of files, given those at 12,000 and at 100,000:
// the same up to the first, and on the line through both from there.
func targetAt(files int, at12k, at100k float64) float64 {
	return max(at12k, at12k+(at100k-at12k)*float64(files-12_000)/88_000)
}
