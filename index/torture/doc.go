/*
Command torture runs the vault's torture kit (package vault/torture) with a search
index in the daemon, and compares the index with the files after each kill.

	go run ./index/torture --minutes 1
	go run ./index/torture --kills 1000 --saves 1000000 --minutes 90

The index is killed with the daemon, at any moment of its commits, and opened again;
meanwhile it is searched, and in some rounds rebuilt. When the editors pause and the
vault has settled, the index is brought up to date. Besides all that the kit itself
finds, it is a fault then:

  - An entry, the manifest or a vector that is another one than an index made of the
    files at that moment has, or is missing, or belongs to no file ([index.Index.Check]).
  - A document that a search for a text of its own doesn't find, or a hit whose file
    doesn't hold the text.
  - A search that fails.
  - A notice: a kill must never make it necessary to set the index aside. An index that
    pauses because many files are gone is right to do so, and is rebuilt first.

The test runs the same for seconds, and then with an index that doesn't follow, which
must be found out.
*/
package main
