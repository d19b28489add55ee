package tool

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"kist/agent/tool/tooltest"
)

// outputs is how many model outputs are tried; KIST_FUZZ_OUTPUTS asks for more.
func outputs(t testing.TB, n int) int {
	if s := os.Getenv("KIST_FUZZ_OUTPUTS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// spied is the registry with tools that only count how often they run.
func spied(t testing.TB) (r *Registry, ran *int) {
	r, err := NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	ran = new(int)
	r = &Registry{slices.Clone(r.tools), r.names} // the real one is everybody's
	for i := range r.tools {
		r.tools[i].run = func(_ context.Context, _ *Env, args []byte) (Result, error) {
			*ran++
			if !json.Valid(args) {
				t.Errorf("%s ran with %q", r.tools[i].Name, args)
			}
			return Result{Value: map[string]any{}}, nil
		}
	}
	return r, ran
}

// A call runs if, and only if, an oracle that shares no code with the registry finds
// it valid.
func TestOnlyValidCallsRun(t *testing.T) {
	r, ran := spied(t)
	args := Arguments()
	if len(args) != len(r.tools) {
		t.Fatalf("%d tools, %d known to the oracle", len(r.tools), len(args))
	}
	n := outputs(t, 10_000)
	g := tooltest.NewGenerator(rand.New(rand.NewPCG(20261120, 1)), args)
	env, valid, byName := &Env{}, 0, map[string]int{}
	for i := range n {
		name, text := g.Output()
		*ran = 0
		res, err := r.Call(context.Background(), env, name, text)
		if err != nil {
			t.Fatalf("output %d: %s %.300q: %v", i, name, text, err)
		}
		want := tooltest.Valid(args[name], text, MaxArguments)
		if want {
			valid++
			byName[name]++
		}
		if (*ran == 1) != want || *ran > 1 || (res.Fault == nil) != want || !want && (!res.Fault.Invalid || len(res.Fault.Error) > 2000) {
			t.Fatalf("output %d: %s %.200q: ran %d times, the oracle says valid: %v; %+v", i, name, text, *ran, want, res.Fault)
		}
	}
	if len(byName) != len(args) || valid < n/10 || valid > n*9/10 {
		t.Errorf("%d of %d valid, of %d tools: the generator is lopsided", valid, n, len(byName))
	}
	t.Logf("%d outputs, %d valid, %d invalid; no invalid one ran", n, valid, n-valid)
}

// The test above would see a registry that doesn't validate.
func TestOracleCatchesNaive(t *testing.T) {
	args := Arguments()
	g := tooltest.NewGenerator(rand.New(rand.NewPCG(1, 2)), args)
	wrong := 0
	for range 2000 {
		name, text := g.Output()
		if args[name] == nil {
			continue
		}
		into := reflect.New(reflect.TypeOf(args[name])).Interface()
		if ran := json.Unmarshal(text, into) == nil; ran != tooltest.Valid(args[name], text, MaxArguments) {
			wrong++
		}
	}
	if wrong < 100 {
		t.Errorf("encoding/json alone differs in %d of 2000", wrong)
	}
}

func FuzzOutputs(f *testing.F) {
	args := Arguments()
	g := tooltest.NewGenerator(rand.New(rand.NewPCG(3, 4)), args)
	for range 200 {
		name, text := g.Output()
		if len(text) < 4096 {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		r, ran := spied(t)
		if _, err := r.Call(context.Background(), &Env{}, name, text); err != nil {
			t.Fatal(err)
		}
		if want := tooltest.Valid(args[name], text, MaxArguments); (*ran == 1) != want {
			t.Fatalf("%s %q: ran %d times, the oracle says valid: %v", name, text, *ran, want)
		}
	})
}
