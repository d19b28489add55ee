// Package live tries the whole of kist's agent with a real language model, behind any
// server with OpenAI's interface, its address in KIST_LIVE_URL and, where it has several,
// the model's name there in KIST_LIVE_MODEL:
//
//	KIST_LIVE_URL=http://127.0.0.1:8080/v1 go test -tags live -v ./agent/live
//
// The model may be as weak as it likes. What is tested is what stands around it: that the
// stack holds to its promises, that nothing runs which wasn't validated, that each turn
// ends in words, that requests fit, that a connection which breaks is no harm. How often
// the model does what was wanted is printed and judged by nobody.
package live
