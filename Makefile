# The handful of commands that a day's work needs; `make help` explains them.
# .ci/run is the one list of checks, here and in continuous integration.

TOOL = go tool -modfile=$(CURDIR)/tools/go.mod

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

build: ## build ./kist, one static binary
	CGO_ENABLED=0 go build -trimpath -o kist ./cmd/kist

kistbench: build ## build ./kistbench, which measures ./kist beside it
	CGO_ENABLED=0 go build -C cmd/kistbench -trimpath -o ../../kistbench .

test: ## run all tests: offline, some four minutes
	go test ./...

ci: ## run everything that must hold before a merge
	.ci/run

generate: ## write the Go code of proto/ anew
	cd proto && $(TOOL) buf lint && $(TOOL) buf generate

fuzz: ## fuzz each target for a minute (FUZZTIME=10m: longer)
	FUZZTIME=$${FUZZTIME:-1m} .ci/run fuzz

torture: ## 1,000 kills and 1,000,000 saves: an hour or two
	go run ./index/torture --kills 1000 --saves 1000000 --minutes 120 --late 0s,1s,10s,1m,10m

mutants: ## show that the tests notice what they are there for: some minutes
	go run ./mutants

bench: ## run all benchmarks; BENCHMARKS.md says how to read them
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: help build kistbench test ci generate fuzz torture mutants bench
