/*
Package tool is what a model may do with the vault: each [Tool] is a Go struct
of arguments, turned into a JSON Schema, with a class that policy judges by and
a function that carries it out.

A [Registry] holds them all. [Registry.Call] is the only way to run one: it
checks size, JSON and schema before the tool sees anything, so that an invalid
call cannot execute. What a model got wrong (an unknown tool or project, a bad
date) comes back as a [Fault] in the [Result], with a suggestion where there is
one; a Go error means that the machinery broke.

A tool that changes something doesn't write. It returns [vault.Step] values,
and whoever called it decides by policy to apply, propose or refuse them.
Targets are named by id, slug or exact path; a near miss is only ever a
suggestion.

The package keeps no state and doesn't know of sessions, turns or policy.
*/
package tool
