package forecast

import "math"

// A stream gives random numbers that depend on nothing but what it was made from,
// so that one thing more to draw for changes no other draw (splitmix64, Steele
// et al. 2014).
type stream uint64

// What streams are for.
const (
	forWeights = iota + 1
	forWeeks
	forErrors
	forWaits
	forPace
)

func newStream(seed uint64, run, purpose, item int) stream {
	s := stream(seed)
	for _, n := range [...]int{run, purpose, item} {
		s = stream(mix(uint64(s) + 0x9e3779b97f4a7c15*uint64(n+1)))
	}
	return s
}

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return mix(uint64(*s))
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform is above 0 and below 1.
func (s *stream) uniform() float64 { return (float64(s.next()>>11) + 0.5) / (1 << 53) }

// exponential has the mean 1.
func (s *stream) exponential() float64 { return -math.Log(s.uniform()) }

// normal has the mean 0 and the deviation 1 (Box and Muller 1958).
func (s *stream) normal() float64 {
	return math.Sqrt(2*s.exponential()) * math.Cos(2*math.Pi*s.uniform())
}
