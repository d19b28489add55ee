/*
Package forecast says when a project will be done, from the project's own files
and history, with no model.

[Gather] reads an [Input] from the vault: the open tasks with their estimates and
dates, and how many tasks were done and came new in each past week, from the
tasks' front matter and the operation log. [Run] plays the rest of the project
many times and returns a [Result]: three dates, the likelihood of each deadline,
what moves the pessimistic date most, warning signs, decision points, and what
was assumed. [Format] writes it as short Markdown.

Run is a pure function. The same input and options give the same result, and an
input has its own seed, so that the same files give the same answer on the same
day. Days are whole days in UTC.

How a project is played: with enough history (see [MinDone], [MinWeeks]) each
coming week repeats a past one, drawn with weights that differ from run to run
(the Bayesian bootstrap, Rubin 1981), so that few weeks give wide forecasts.
Without, the estimates are worked off one after another, each with an error
around it. Draws depend on the seed, the run and what they are for, never on the
number of tasks: with one seed, more open tasks never end earlier.

The package doesn't write, doesn't guess what isn't in the files, and gives no
dates where there is neither history nor an estimate.
*/
package forecast
