package main

import (
	"flag"
	"fmt"
	"os"
	"sync"

	"kist/agent/intent"
	"kist/agent/intent/linear"
	"kist/agent/train/learn"
)

// options of training were chosen by leaving sets out.
var options = learn.Options{Rounds: 8, Again: 6, Rate: 0.5, Decay: 2e-4, Seen: 2, Keep: 200000, Drop: 0.4}

// thrice is how the weights that are written are trained; for what leaving out shows, once
// is enough.
var thrice = func() learn.Options {
	o := options
	o.Times = 3
	return o
}()

func main() {
	out := flag.String("o", "", "write the weights to this file")
	report := flag.Bool("report", false, "print what leaving sets out shows")
	wrong := flag.Bool("wrong", false, "print what is read wrongly when its set is left out")
	folds := flag.Int("folds", 8, "into how many parts the sets are divided")
	flag.Parse()
	if err := run(flag.Arg(0), *out, *folds, *report, *wrong); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(folder, out string, folds int, report, wrong bool) error {
	lines, err := readSets(folder)
	if err != nil {
		return err
	}
	messages, err := readActs(folder)
	if err != nil {
		return err
	}
	lines = append(lines, linesOf(messages)...)
	slots, places := slotSequences(messages), placesOf(messages)
	if report {
		fmt.Print(tagging("slots", taggingOf(slots)), tagging("parts", dividingOf(places)))
	}
	examples := examplesOf(lines)
	outcomes, misspelt := leaveOut(lines, folds)
	c := calibrate(outcomes)
	if report {
		fmt.Print(table(outcomes, c))
		fmt.Printf("with typing errors in 5%% of the letters:\n%s", tallyOf(misspelt, c))
	}
	if wrong {
		for _, o := range outcomes {
			if string(o.best(c.Temperature).Intent) != o.line.intent {
				fmt.Println(o.describe(c.Temperature))
			}
		}
	}
	if out == "" {
		return nil
	}
	m := trainAll(examples, slots, places)
	data := m.Encode(intent.Calibration{Fingerprint: fingerprint(lines, messages), Temperature: c.Temperature})
	for _, each := range []*linear.Model{m.Intents, m.Slots, m.Parts} {
		features, weights := each.Size()
		fmt.Printf("%d classes, %d features, %d weights, %d bytes\n", len(each.Classes), features, weights, len(each.Encode()))
	}
	fmt.Printf("%d examples, %d bytes\n", len(examples), len(data))
	return os.WriteFile(out, data, 0o644)
}

// trainAll trains the three models at a time.
func trainAll(examples []learn.Example, slots []tagged, places []place) intent.Models {
	var m intent.Models
	var wait sync.WaitGroup
	wait.Go(func() { m.Intents = learn.Train(examples, thrice) })
	wait.Go(func() { m.Slots = trainTagger(slots) })
	wait.Go(func() { m.Parts = trainDivider(places) })
	wait.Wait()
	return m
}
