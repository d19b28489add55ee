package conversation

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/pattern"
)

// A conversation file holds one day's turns on one device:
//
//	## 10:15
//
//	<!-- turn 01J... session 01J... at 2026-11-20T10:15:03Z -->
//
//	> what the user said
//
//	what a language model replied
//
//	<!-- kist -->
//	what kist added to that
//	<!-- model -->
//
//	<!-- actions -->
//	- created projects/boat/tasks/call-bo.md: add the task, as you asked
//
//	<!-- operations 01J... 01J... -->
//	<!-- context projects/boat/project.md:12 -->
//
// The comments make it readable again by kist without showing in a rendering.

var (
	turnLine    = pattern.Lazy(`^<!-- turn (\S+) session (\S+) at (\S+) -->$`)
	actionsLine = pattern.Lazy(`^<!-- actions -->$`)
	opsLine     = pattern.Lazy(`^<!-- operations (.*) -->$`)
	contextLine = pattern.Lazy(`^<!-- context (.*) -->$`)
	addedLine   = pattern.Lazy(`^<!-- (kist|model) -->$`)
	timeLine    = pattern.Lazy(`^## \d\d:\d\d$`)
)

// AppendTurn adds a turn to today's conversation file of its project, or of the
// vault when it has none or the project's folder is gone, and returns its path.
func AppendTurn(ctx context.Context, v *vault.Vault, t Turn) (string, error) {
	p := turnPath(v, t)
	head := fmt.Appendf(nil, "---\ntype: conversation\ndate: %s\n---\n", t.At.Format(time.DateOnly))
	return p, v.AppendRecord(ctx, p, head, []byte(formatTurn(t)))
}

// turnPath is the conversation file that a turn belongs in.
func turnPath(v *vault.Vault, t Turn) string {
	dir := v.Layout().Conversations
	if v.HasProject(t.Project) {
		dir = v.ConversationDir(t.Project)
	}
	return path.Join(dir, t.At.Format(time.DateOnly)+"-"+v.Device()+".md")
}

func formatTurn(t Turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n<!-- turn %s session %s at %s -->\n\n", t.At.Format("15:04"), token(t.ID), token(t.Session), t.At.Format(time.RFC3339))
	for line := range strings.Lines(strings.TrimRight(vault.PlainText(t.User), "\n") + "\n") {
		b.WriteString(strings.TrimRight("> "+strings.TrimRight(line, "\n"), " ") + "\n")
	}
	if reply := strings.Trim(vault.PlainText(t.Reply), "\n"); reply != "" {
		b.WriteString("\n" + marked(reply, t.Added) + "\n")
	}
	if len(t.Actions) > 0 {
		b.WriteString("\n<!-- actions -->\n")
		for _, a := range t.Actions {
			b.WriteString("- " + vault.OneLine(strings.ReplaceAll(vault.PlainText(a), "\n", " ")) + "\n")
		}
	}
	if len(t.Operations)+len(t.Context) > 0 {
		b.WriteString("\n")
	}
	if len(t.Operations) > 0 {
		fmt.Fprintf(&b, "<!-- operations %s -->\n", strings.Join(t.Operations, " "))
	}
	if len(t.Context) > 0 {
		fmt.Fprintf(&b, "<!-- context %s -->\n", strings.ReplaceAll(strings.Join(t.Context, " | "), "--", "- -"))
	}
	return b.String()
}

// unknownID stands for an id that can't be written.
const unknownID = "unknown"

// token is an id as it may stand in a comment: one read from a file may be anything.
func token(id string) string {
	if !sessionID().MatchString(id) {
		return unknownID
	}
	return id
}

// marked is a reply between whose own words and those that were added stand comments.
func marked(reply string, added []string) string {
	var b strings.Builder
	for _, part := range added {
		part = strings.Trim(vault.PlainText(part), "\n")
		before, after, ok := strings.Cut(reply, part)
		if !ok || part == "" {
			continue
		}
		b.WriteString(guard(before) + "<!-- kist -->\n" + guard(part) + "\n<!-- model -->")
		reply = after
	}
	if b.Len() > 0 && reply == "" {
		return strings.TrimSuffix(b.String(), "\n<!-- model -->") // nothing of the model's comes
	}
	return b.String() + guard(reply)
}

// guard keeps a reply from looking like the file's own structure.
func guard(reply string) string {
	lines := strings.Split(reply, "\n")
	for i, l := range lines {
		if turnLine().MatchString(l) || actionsLine().MatchString(l) || opsLine().MatchString(l) || contextLine().MatchString(l) || addedLine().MatchString(l) || timeLine().MatchString(l) || strings.HasPrefix(l, ">") {
			lines[i] = `\` + l
		}
	}
	return strings.Join(lines, "\n")
}

func parseTurns(project, text string) []Turn {
	var out []Turn
	var user, reply, added []string
	acting, adding := false, false
	end := func() {
		if len(out) == 0 {
			return
		}
		t := &out[len(out)-1]
		t.User = strings.TrimSpace(strings.Join(user, "\n"))
		t.Reply = strings.TrimSpace(strings.Join(reply, "\n"))
		for _, part := range added {
			t.Added = append(t.Added, strings.TrimSpace(part))
		}
		user, reply, added = nil, nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		comment := strings.HasPrefix(line, "<!--") // most lines are none, and cost nothing more
		if m := submatch(comment, turnLine(), line); m != nil {
			end()
			acting, adding = false, false
			out = append(out, Turn{ID: m[1], Session: m[2], Project: project, At: vault.ParseTime(m[3])})
			continue
		}
		if len(out) == 0 {
			continue
		}
		t := &out[len(out)-1]
		ops, read := submatch(comment, opsLine(), line), submatch(comment, contextLine(), line)
		switch {
		case comment && actionsLine().MatchString(line):
			acting = true
		case comment && addedLine().MatchString(line):
			if adding = line == "<!-- kist -->"; adding {
				added = append(added, "")
			}
		case acting && strings.HasPrefix(line, "- "):
			t.Actions = append(t.Actions, strings.TrimPrefix(line, "- "))
		case ops != nil:
			t.Operations = strings.Fields(ops[1])
		case read != nil:
			t.Context = strings.Split(read[1], " | ")
		case strings.HasPrefix(line, "## ") && timeLine().MatchString(line):
		case strings.HasPrefix(line, ">") && len(reply) == 0:
			user = append(user, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
		case line != "" || len(reply) > 0:
			line = strings.TrimPrefix(line, `\`)
			if reply = append(reply, line); adding {
				added[len(added)-1] += line + "\n"
			}
		}
	}
	end()
	return out
}

func submatch(maybe bool, re *regexp.Regexp, line string) []string {
	if !maybe {
		return nil
	}
	return re.FindStringSubmatch(line)
}
