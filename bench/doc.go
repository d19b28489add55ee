/*
Package bench measures kist and, in the same run, the floors that its figures
are read beside: what walking, reading, the text library alone, a bare rename and
a bare call cost on this machine at this moment.

[SideBySide] draws a vault from a source of real documents and puts kist beside other
ways to search, each an [Engine].

[Run] makes a [Corpus] or copies a folder, measures, and returns a [Report] of
[Row] values, one for each target. [Growth] does so at three sizes and reports
exponents. [Quality] ranks the queries of a test collection by each [Ranker] and
returns the usual [graded.Scores].

What has to start from nothing, or be weighed alone, runs in a child process:
the program of Options.Self again, which hands its command line to [Child]. The daemon that is
measured is the real one, started by "up".

Everything happens in a temporary folder, which is removed at the end and on an
interrupt. A folder that is measured is copied and never written to. The package
decides nothing about a figure but whether it meets its target.
*/
package bench
