// Command train makes the weights that agent/intent embeds, from the labelled sets of a folder:
//
//	go run ./agent/train -o agent/intent/weights.bin testdata/dialogues
//
// It first leaves out some of the sets at a time and reads them with what the others
// teach: from that come the temperature of the probabilities and the thresholds. -report
// prints these figures, -wrong what was read wrongly, and nothing is written.
package main
