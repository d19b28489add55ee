/*
Package git runs the git command line for kist, so that neither a repository nor a remote
can have anything executed.

[Open] finds the user's [Repo] around a folder. Its config is listed before any other
command runs in it, every key of it that names a program is overridden on the command line,
and only a handful of commands run there at all: those that read HEAD and config, and
those that move a branch and bring the user's index up to date behind it ([Repo.Advance]).

All else (looking for changes, committing, comparing, fetching, pushing) runs in a [Store]:
a git directory of kist's own, outside of the vault, with a config that kist writes, an
index of kist's own, and the repository's objects. What the repository's own config says
is not read there, so that filters, drivers, hooks, helpers, aliases, redirections of URLs and
whatever comes with a later git can't count. Commands in the user's repository get no transport:
of a partial clone the store alone asks the synced remote for texts that are missing. The user's global config does count: his
identity, credential helpers, proxies, hooks path and ssh command are his.

The caller's GIT_ variables are dropped, nothing ever prompts ([exec.Cmd] without a
terminal, GIT_TERMINAL_PROMPT=0, ssh in batch mode), every command has a time limit and a
limit of output, and what git says is freed of secrets of URLs before it becomes an [Error].

The package decides nothing about documents, and doesn't merge.
*/
package git
