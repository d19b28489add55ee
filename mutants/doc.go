/*
Command mutants shows that tests notice what they are there for: it makes the changes of
table.txt, one after another, in copies of the files, has go build with these, and runs
the tests that must fail then. The tree itself isn't touched.

	go run ./mutants                 all of them; some minutes
	go run ./mutants -run settle     those whose name matches

A [mutant] that no test notices is a failure, unless the table says why nothing can; so
is one that doesn't build, and a test that fails without it. The table of docs/promises.md
names the mutant for each; the test of this package holds the one to the code and to the
other, so that neither is about lines that aren't there any more.

The table is for what must stay killed. To find new candidates, gremlins
(github.com/go-gremlins/gremlins) works here where the tests of a package are quick:
GOFLAGS=-count=1 gremlins unleash ./vault/fsys --timeout-coefficient 30.
*/
package main
