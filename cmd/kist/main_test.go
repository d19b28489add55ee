package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kist/testdata/clients"
	"kist/vault/vaulttest"
)

// TestMain makes this test binary act as kist when it is called by that name, by
// a script or by kist itself when it starts a daemon, and as the client in Go.
func TestMain(m *testing.M) {
	testscript.Main(vaulttest.InMemory(m), map[string]func(){"kist": kistOrShell, "goclient": clients.Main})
}

// TestScripts runs the end-to-end scripts through the real binary, daemon included.
func TestScripts(t *testing.T) {
	const dir = "../../testdata/script"
	if files, err := filepath.Glob(dir + "/*.txtar"); err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	kist, err := exec.LookPath("kist")
	if err != nil {
		t.Fatal(err)
	}
	// For what runs as another user.
	if err := os.Chmod(filepath.Dir(filepath.Dir(kist)), 0o755); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Setup:               setup,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands(),
		Condition:           condition,
	})
}

// commands are what scripts can say besides what testscript brings.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"do":           cmdDo,
		"up":           cmdUp,
		"dialogue":     cmdDialogue,
		"end":          cmdEnd,
		"killdaemon":   cmdKillDaemon,
		"daemons":      cmdDaemons,
		"atonce":       cmdAtOnce,
		"save":         cmdSave,
		"tree":         cmdTree,
		"json":         cmdJSON,
		"events":       cmdEvents,
		"jsonenv":      cmdJSONEnv,
		"nobody":       cmdNobody,
		"bytes":        cmdBytes,
		"terminal":     cmdTerminal,
		"http":         cmdHTTP,
		"event":        cmdEvent,
		"grepdir":      cmdGrepDir,
		"big":          cmdBig,
		"long":         cmdLong,
		"manytasks":    cmdManyTasks,
		"private":      cmdPrivate,
		"shortid":      cmdShortID,
		"journal":      cmdJournal,
		"stale":        cmdStale,
		"watch":        cmdWatch,
		"hammer":       cmdHammer,
		"doors":        cmdDoors,
		"midturn":      cmdMidTurn,
		"together":     cmdTogether,
		"conversation": cmdConversation,
		"exitcode":     cmdExitCode,
		"until":        cmdUntil,
		"gone":         cmdGone,
		"nothing":      cmdNothing,
		"hold":         cmdHold,
		"modelserver":  cmdModelServer,
		"githost":      cmdGitHost,
		"exchange":     cmdExchange,
	}
}

// setup gives a script a home of its own, so that it shares no socket, log or
// default vault with anything else, and ends what it leaves running.
func setup(env *testscript.Env) error {
	for name, dir := range map[string]string{
		"HOME":            "home",
		"XDG_RUNTIME_DIR": "run",
		"XDG_STATE_HOME":  "home/state",
		"XDG_DATA_HOME":   "home/data",
		"XDG_CONFIG_HOME": "home/config",
	} {
		dir = filepath.Join(env.WorkDir, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		env.Setenv(name, dir)
	}
	env.Setenv("NO_COLOR", "1")
	env.Setenv("GOGC", "400")                           // hundreds of processes begin, and need no garbage collected to do so
	env.Setenv("KIST_OLLAMA_URL", "http://127.0.0.1:1") // not one that happens to run here
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	running := &foreground{cmds: map[string]*upProcess{}}
	env.Values[foregroundKey{}] = running
	env.Defer(func() { endAll(env.WorkDir, running) })
	commands := &shell{}
	env.Values[shellKey{}] = commands
	env.Defer(func() {
		if err := commands.end(); err != nil {
			env.T().Fatal("the shell of the script: ", err)
		}
	})
	env.Values[modelServersKey{}] = map[string]*modelServer{}
	held := map[string]*os.File{}
	env.Values[heldKey{}] = held
	env.Defer(func() {
		for _, f := range held {
			f.Close()
		}
	})
	return nil
}
