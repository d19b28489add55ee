package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/private"
	"kist/agent/route"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

var canaries = regexp.MustCompile(`canary\d`)

// away is a model that isn't on this machine.
type away struct{ *agenttest.Script }

func (away) Remote(context.Context) bool { return true }

// privateVault has 200 words that no remote model may see: in folders, tags and projects
// that are marked, in front matter, headings, names of files, tasks, memories and drafts.
// Beside each lies something public.
func privateVault() (archive string, marks private.Marks) {
	n := 0
	canary := func() string { n++; return fmt.Sprintf("canary%03d", n) }
	var b strings.Builder
	file := func(path, text string) { fmt.Fprintf(&b, "-- %s --\n%s\n", path, text) }
	for range 10 {
		file("journal/"+canary()+".md", "# "+canary()+"\n\nThe heron told me "+canary()+".")
		file("notes/"+canary()+".md", "---\ntags: [Private/health]\ntitle: "+canary()+"\n---\n\nThe heron "+canary()+".")
		file("notes/x"+canary()+".md", "The heron is "+canary()+", and that is #private.")
		file("notes/y"+canary()+".md", "---\nprivate: true\nname: "+canary()+"\n---\n# "+canary()+"\n\nheron")
		file("projects/divorce/tasks/"+canary()+".md", "---\ntype: task\ntitle: Call "+canary()+"\nstatus: todo\ndue: 2026-11-21\n---\n")
		file("projects/clinic/tasks/"+canary()+".md", "---\ntype: task\ntitle: Heron "+canary()+"\nstatus: todo\n---\n")
		file("projects/clinic/memories/"+canary()+".md", "---\ntype: memory\nscope: project\n---\n\nThe heron likes "+canary()+".")
		file("projects/boat/tasks/"+canary()+".md", "---\ntype: task\ntitle: Paint "+canary()+"\nstatus: todo\ntags: [private]\n---\n")
		file("memories/"+canary()+".md", "---\ntype: memory\nscope: user\nprivate: yes\n---\n\nMy heron is "+canary()+".")
	}
	file("projects/divorce/project.md", "---\ntype: project\nname: Big "+canary()+"\nstatus: active\ncreated_by: agent\n---\n\n# "+canary()+"\n\nheron "+canary())
	file("projects/clinic/project.md", "---\ntype: project\nname: Small "+canary()+"\nstatus: active\nprivate: true\n---\n\n"+canary())
	file("drafts/draft-"+canary()+".md", "---\ntype: draft\nname: Draft "+canary()+"\nstatus: in_progress\nprivate: true\n---\n\n"+canary())
	for n < 200 {
		file("journal/more/"+canary()+".md", "heron")
	}
	file("notes/heron.md", "# Heron\n\nThe heron stands on the breakwater. See [[journal/canary]].")
	file("projects/boat/project.md", "---\ntype: project\nname: Boat\nstatus: active\ncreated_by: agent\n---\n\n# Boat\n")
	file("projects/boat/tasks/paint.md", "---\ntype: task\ntitle: Paint the hull\nstatus: todo\n---\n")
	file("memories/tea.md", "---\ntype: memory\nscope: user\n---\n\nMy tea is green.")
	return strings.ReplaceAll(b.String(), "See [[journal/canary]].", ""), private.Marks{Folders: []string{"Journal"}, Tags: []string{"private"}, Projects: []string{"divorce"}}
}

// TestPrivate: what is private reaches no model that isn't on this machine: not by the
// instructions, the history, a search, a tool's result or its error, whatever is called.
// KIST_INJECTIONS=all has three times as many turns. So it is where the model takes over from one on this
// machine that was to have all of it.
func TestPrivate(t *testing.T) {
	for name, here := range map[string]*agenttest.Script{"alone": nil, "behind one that is here": agenttest.Answer(func(req model.Request) agenttest.Step {
		req.Prompt()
		return agenttest.Break("no route")
	})} {
		t.Run(name, func(t *testing.T) { testPrivate(t, here) })
	}
}

func testPrivate(t *testing.T, first *agenttest.Script) {
	archive, marks := privateVault()
	s := newStage(t, archive, agenttest.NewScript(), agent.Options{})
	with := func(m model.Model) *stage {
		other := &stage{vault: s.vault, index: s.index, now: s.now, dated: s.dated}
		other.agent = s.newAgent(t, m, agent.Options{Preset: "auto", Tools: map[string]string{"delete_project": "never", "merge_projects": "never", "archive_project": "never"}, Now: s.agentNow, Private: private.Fixed(marks)})
		return other
	}
	ctx := context.Background()
	// Changes of private things, and a conversation about them with a model that is here.
	for _, project := range []string{"divorce", "clinic"} {
		step, err := entity.PlanAddToInbox(ctx, s.vault, project, []string{"The heron is a canary, too."}, vaulttest.Now)
		if err != nil {
			t.Fatal(err)
		}
		step.Reason = "keep canary in the inbox"
		if _, err := s.vault.Apply(ctx, vault.Batch{Steps: []vault.Step{step}, Origin: vault.Origin{Actor: vault.ActorAgent}}); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := entity.PlanDeleteTask(ctx, s.vault, "projects/boat/tasks/"+taskWith(t, s.vault.Dir()))
	if err != nil {
		t.Fatal(err)
	}
	gone.Reason = "delete the canary"
	if _, err := s.vault.Apply(ctx, vault.Batch{Steps: []vault.Step{gone}, Origin: vault.Origin{Actor: vault.ActorAgent}}); err != nil {
		t.Fatal(err)
	}
	here := with(route.New(offline.New()))
	for _, text := range []string{"list all tasks in all projects", "search heron", "what do you remember about my heron?", "which projects are there?", "what changed today?"} {
		here.send(t, agent.Message{Text: text})
	}
	if said := vaulttest.Tree(t, s.vault.Dir()); !strings.Contains(conversationOf(said), "canary") {
		t.Fatal("the conversation so far tells nothing private")
	}

	var sent strings.Builder
	rng := rand.New(rand.NewPCG(7, 7))
	// Each call is made before one is made again, in an order that is another one each time.
	var deck [][2]string
	step, drawn, public := 0, 0, false
	script := agenttest.Answer(func(req model.Request) agenttest.Step {
		instructions, messages := req.Prompt()
		sent.WriteString(instructions)
		for _, m := range messages {
			fmt.Fprintf(&sent, "%s %s %s\n", m.Role, m.Text, m.Tool)
		}
		text := sent.String()
		public = public || strings.Contains(text, "breakwater")
		step++
		if req.Choice == model.None || step%6 == 0 {
			return agenttest.Say("That is all, thank you very much for listening to me.")
		}
		var some []string
		for range 4 {
			if len(deck) == 0 {
				deck = allCalls()
				rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
			}
			some = append(some, deck[0][0], deck[0][1])
			deck, drawn = deck[1:], drawn+1
		}
		return agenttest.Call(some...)
	})
	router := route.New(offline.New())
	use := func() {
		if router.Use(away{script}, false); first != nil {
			router.Use(first, false, away{script})
		}
	}
	use()
	there := with(router)
	turns := 20
	if os.Getenv("KIST_INJECTIONS") == "all" {
		turns = 60
	}
	for i := range turns {
		text := []string{"what about the heron?", "and the tasks?", "go", "what do I remember?", "what changed today?", "tell me of the hull"}[i%6]
		project := ""
		if i%10 == 0 {
			project = "boat"
		}
		if i%3 > 0 { // else one that has just failed isn't asked
			use()
		}
		there.send(t, agent.Message{Text: text, Project: project})
	}
	leak := func() {
		t.Helper()
		text := strings.ToLower(sent.String())
		for _, own := range []string{"journal/canary001", "notes/canary004", "memories/canary018"} { // what it asked for itself
			text = strings.ReplaceAll(text, own, "")
		}
		if at := canaries.FindStringIndex(text); at != nil {
			t.Errorf("a remote model was sent ...%s...", text[max(0, at[0]-300):min(len(text), at[1]+100)])
		}
	}
	leak()
	if !public || drawn < len(allCalls()) {
		t.Errorf("%d calls of %d, what is public was shown: %v", drawn, len(allCalls()), public)
	}

	// A conversation in a private project, or about one, isn't for a remote model.
	n := len(script.Requests())
	clinic, err := entity.FindProject(ctx, s.vault, "clinic")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []agent.Message{{Text: "and the tasks?", Project: "divorce"}, {Text: "go on"}, {Text: "tell me of " + strings.ToUpper(clinic.Name), Session: "new"}} {
		events := fmt.Sprintf("%+v", there.send(t, m))
		if !strings.Contains(events, "is private, so I do what I can without ") {
			t.Errorf("%q: %s", m.Text, events)
		}
	}
	if len(script.Requests()) > n {
		t.Errorf("%d requests more", len(script.Requests())-n)
	}
	leak()
	if first == nil {
		return
	}
	all := ""
	for _, req := range first.Requests() {
		rules, messages := req.Prompt()
		all += fmt.Sprint(rules, messages)
	}
	if !canaries.MatchString(all) {
		t.Error("the first model was shown nothing private")
	}
}

// TestPrivateProposals: what a proposal about something private says is no more for a remote
// model where a later turn tells of it, whatever the user says to it.
func TestPrivateProposals(t *testing.T) {
	const archive = "-- projects/boat/project.md --\n---\ntype: project\nname: Boat\nstatus: active\n---\n" +
		"-- projects/zorbdivorce/project.md --\n---\ntype: project\nname: Zorbdivorce\nstatus: active\nprivate: true\n---\n"
	for _, say := range []string{"undo", "no", "go", "what is waiting?", "yes and buy milk", "hm, I don't know", "really?", "what changed today?"} {
		script := agenttest.Answer(func(model.Request) agenttest.Step {
			return agenttest.Say("That is all, thank you very much for listening to me.")
		})
		router := route.New(offline.New())
		router.Use(away{script}, true)
		s := newStage(t, archive, router, agent.Options{})
		events := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "add a task to zorbdivorce: SECR1 call lawyer", Project: "boat"}))
		if !strings.Contains(events, "SECR1") || len(script.Requests()) > 0 {
			t.Fatalf("nothing was proposed: %s", events)
		}
		for _, text := range []string{say, "what changed today?", "undo", "what is waiting?"} {
			s.send(t, agent.Message{Text: text})
			s.send(t, agent.Message{Text: "what do you think of the colour of the hull?"})
		}
		var sent strings.Builder
		for _, req := range script.Requests() {
			instructions, messages := req.Prompt()
			fmt.Fprintf(&sent, "%s %+v\n", instructions, messages)
		}
		if text := sent.String(); !strings.Contains(text, "the colour") || strings.Contains(text, "SECR1") {
			t.Errorf("%q: a remote model was sent %s", say, text[max(0, strings.Index(text, "SECR1")-200):])
		}
	}
}

// What a model on this machine makes of something private stays private: a document of its own says
// so, and into one that isn't private it goes with the user's word alone. A turn that has seen
// nothing private writes as ever.
func TestMadeOfSomethingPrivate(t *testing.T) {
	const archive = "-- notes/secret.md --\n---\nprivate: true\n---\n# Secret\n\nThe sauna paint costs 900.\n-- notes/open.md --\n# Open\n\nThe hull is dry.\n" +
		"-- projects/boat/project.md --\n---\ntype: project\nname: Boat\nstatus: active\ncreated_by: agent\n---\n"
	create := agenttest.Call("create_task", `{"title":"Pay the sauna paint","project":"boat"}`)
	describe := agenttest.Call("update_task", `{"task":"projects/boat/tasks/pay-the-sauna-paint.md","priority":"high"}`)
	for _, read := range []string{"secret", "open"} {
		look := agenttest.Call("read_document", `{"path":"notes/`+read+`.md"}`)
		archive := archive
		if read == "open" {
			archive = strings.Replace(archive, "private: true", "private: false", 1) // else a passage of it may be in the prompt
		}
		s := newStage(t, archive, agenttest.NewScript(look, create, agenttest.Say("It is there now, in the list of the boat."), look, describe, agenttest.Say("Fine.")), agent.Options{Preset: "auto"})
		sight := private.New(s.vault, func() *private.Marks { return &private.Marks{} })
		s.send(t, agent.Message{Text: "make a task of that note", Project: "boat"})
		if got := sight.Hides("projects/boat/tasks/pay-the-sauna-paint.md"); got != (read == "secret") || !strings.Contains(s.files(t), "Pay the sauna paint") {
			t.Errorf("of %s: the task is private: %v\n%s", read, got, s.files(t))
		}
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "it is urgent"}))
		if strings.Contains(got, "Proposed: ") {
			t.Errorf("of %s: what is private can be changed: %s", read, got)
		}
	}
	decide := agenttest.Call("add_decision", `{"project":"boat","text":"Pay 900 for the paint","reason":"it lasts"}`)
	s := newStage(t, archive, agenttest.NewScript(agenttest.Call("read_document", `{"path":"notes/secret.md"}`), decide, agenttest.Say("It waits.")), agent.Options{Preset: "auto"})
	if got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "we take that paint", Project: "boat"})); !strings.Contains(got, "projects/boat/project.md is not private") || strings.Contains(s.files(t), "Pay 900") {
		t.Error(got)
	}
}

// What the partner does with a message that a model elsewhere must not see stays private too.
func TestKeptFromAModelElsewhere(t *testing.T) {
	s := newStage(t, "-- projects/divorce/project.md --\n---\ntype: project\nname: Divorce\nstatus: active\ncreated_by: agent\n---\n", agenttest.NewScript(), agent.Options{})
	router := route.New(offline.New())
	router.Use(away{agenttest.NewScript()}, false)
	marks := private.Marks{Projects: []string{"divorce"}}
	s.agent = s.newAgent(t, router, agent.Options{Preset: "auto", Now: s.agentNow, Private: private.Fixed(marks)})
	s.send(t, agent.Message{Text: "Remember that my sister in the Divorce is called Ann"})
	kept, err := filepath.Glob(filepath.Join(s.vault.Dir(), "memories/*.md"))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err, s.files(t))
	}
	if !private.New(s.vault, func() *private.Marks { return &marks }).Hides("memories/" + filepath.Base(kept[0])) {
		t.Error(s.files(t))
	}
}

func taskWith(t *testing.T, dir string) string {
	t.Helper()
	tasks, err := filepath.Glob(filepath.Join(dir, "projects/boat/tasks/canary*.md"))
	if err != nil || len(tasks) == 0 {
		t.Fatal(tasks, err)
	}
	return filepath.Base(tasks[0])
}

func conversationOf(tree map[string]string) (all string) {
	for path, text := range tree {
		if strings.HasPrefix(path, "conversations/") {
			all += text
		}
	}
	return all
}

// allCalls are calls of all tools that tell something, with arguments that are about what is
// private, and some that almost are.
func allCalls() (calls [][2]string) {
	add := func(name string, args map[string]any) {
		text, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		calls = append(calls, [2]string{name, string(text)})
	}
	for _, slug := range []string{"divorce", "clinic", "boat", "divorc", "projects/divorce/project.md", "Big canary", "small"} {
		for _, tool := range []string{"show_project", "list_memories", "audit", "forecast", "project_completeness", "list_tasks", "switch_project", "rename_project", "archive_project", "delete_project"} {
			args := map[string]any{"project": slug}
			if tool == "rename_project" {
				args["name"] = "Other"
			}
			add(tool, args)
		}
		add("list_memories", map[string]any{"project": slug, "told": true})
		add("search", map[string]any{"query": "heron", "project": slug})
		add("merge_projects", map[string]any{"from": slug, "into": "boat", "reason": "x"})
		add("create_task", map[string]any{"project": slug, "title": "Call"})
	}
	add("list_projects", map[string]any{"status": "all"})
	add("list_projects", map[string]any{})
	add("list_waiting", map[string]any{})
	add("go_back", map[string]any{})
	add("show_draft", map[string]any{})
	add("list_memories", map[string]any{})
	add("list_memories", map[string]any{"told": true})
	add("list_memories", map[string]any{"days": "2020-01-01/"})
	for _, q := range []string{"heron", "canary", "canary*", "canari", "journal", "tag:private", "path:journal", "type:task", "paint call", "private"} {
		add("search", map[string]any{"query": q, "limit": 20})
		for _, kind := range []string{"project", "task", "memory", "note", "conversation", "draft"} {
			add("search", map[string]any{"query": q, "limit": 20, "type": kind})
		}
		add("search_memories", map[string]any{"query": q})
		add("suggest_project_for_memory", map[string]any{"content": "The " + q + " is here"})
		for _, tool := range []string{"complete_task", "update_task", "delete_task"} {
			add(tool, map[string]any{"task": q})
		}
		add("forget_memory", map[string]any{"memory": q})
		add("undo", map[string]any{"about": q})
	}
	add("undo", map[string]any{"today": true})
	add("undo", map[string]any{"last": 9})
	add("list_tasks", map[string]any{"everywhere": true, "status": "all", "limit": 200})
	for _, path := range []string{"journal", "journal/canary001.md", "JOURNAL/canary001.md", "notes/canary004.md", "projects/divorce/project.md", "projects/clinic/project.md", "memories/canary018.md", "sessions", "notes/heron.md", "operations", "notes/../journal/canary001.md"} {
		add("read_document", map[string]any{"path": path})
		add("append_note", map[string]any{"path": path, "text": "x"})
		add("link", map[string]any{"project": "boat", "type": "document", "ref": path})
	}
	return calls
}
