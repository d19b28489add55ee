package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"kist/vault/torture"
)

func main() {
	if torture.Play(follow) {
		return
	}
	o := torture.Options{Out: os.Stdout}
	minutes := flag.Float64("minutes", 10, "how long to go on at most")
	flag.IntVar(&o.Kills, "kills", 0, "with --saves: stop after so many kills")
	flag.IntVar(&o.Saves, "saves", 0, "with --kills: stop after so many saves")
	flag.Uint64Var(&o.Seed, "seed", uint64(time.Now().UnixNano()), "repeats the choices of an earlier run")
	flag.StringVar(&o.Dir, "dir", "", "work in this folder and keep everything (else a temporary one)")
	lates := flag.String("late", "0s,1s,10s", "how late programs write that hold a file open, by folder; 1m,10m make the run as long")
	flag.BoolVar(&o.Still, "still", false, "without editors: all is kist's own doing")
	flag.Parse()
	o.Time = time.Duration(*minutes * float64(time.Minute))
	for s := range strings.SplitSeq(*lates, ",") {
		late, err := time.ParseDuration(s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "torture: --late:", err)
			os.Exit(2)
		}
		o.Late = append(o.Late, late)
	}
	r, err := torture.Run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
	r.Print(os.Stdout)
	if !r.Good(o) {
		os.Exit(1)
	}
}
