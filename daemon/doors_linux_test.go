package daemon

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	healthv1 "kist/proto/grpc/health/v1"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/vault/vaulttest"
)

// BenchmarkDoors asks a daemon, a process of its own, over its socket what doors ask most, in
// a vault of 12,000 notes (or KIST_FILES), 5 of 12 with an open task, and a tenth as many
// projects. For each it says what a call took on the clock (p50, p95), and what of the
// daemon's processor time; "page-cpu-ms" is what it takes to write and read that answer
// alone. With KIST_DOORS=DIR the vault is kept there for the next run, of another program, say.
//
//	KIST_DOORS=/tmp/doors go test ./daemon -run '^$' -bench Doors -benchtime 100x
func BenchmarkDoors(b *testing.B) {
	paths := isolate(b)
	files := 12_000
	fmt.Sscan(os.Getenv("KIST_FILES"), &files)
	if dir := os.Getenv("KIST_DOORS"); dir != "" {
		paths = keptVault(b, filepath.Join(dir, fmt.Sprint(files)))
	}
	if _, err := os.Stat(filepath.Join(paths.Vault, "Folder 0")); err != nil {
		if _, err := Init(paths.Vault); err != nil {
			b.Fatal(err)
		}
		vaulttest.Many(b, paths.Vault, files)
	}
	k := starting(b, paths)
	b.Cleanup(func() { down(b, paths) })
	ctx := b.Context()
	if _, err := k.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		b.Fatal(err)
	}
	for s, err := k.Daemon.GetStatus(ctx, &kistv1.GetStatusRequest{}); !s.GetCompared(); s, err = k.Daemon.GetStatus(ctx, &kistv1.GetStatusRequest{}) {
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	for v, err := k.Index.GetIndexStatus(ctx, &kistv1.GetIndexStatusRequest{}); v.GetVectors().GetState() != "ready" || v.Vectors.Training || v.Vectors.Pending > 0; v, err = k.Index.GetIndexStatus(ctx, &kistv1.GetIndexStatusRequest{}) {
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	prefixes := []string{"", "b", "note 1", "boat 11", "nothing", "note 11999"}
	notes := func(i int) string { return fmt.Sprintf("Folder %d/%s.md", i%40, vaulttest.ManyName(i)) }
	for _, ask := range []struct {
		name string
		call func(i int) (proto.Message, error)
	}{
		{"nothing", func(int) (proto.Message, error) { return k.Health.Check(ctx, &healthv1.HealthCheckRequest{}) }},
		{"status", func(int) (proto.Message, error) { return k.Daemon.GetStatus(ctx, &kistv1.GetStatusRequest{}) }},
		{"tasks", func(int) (proto.Message, error) { return k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{}) }},
		{"tasks-100", func(int) (proto.Message, error) {
			return k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{PageSize: 100})
		}},
		{"tasks-due", func(int) (proto.Message, error) {
			return k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{DueFrom: "2026-12-03", DueTo: "2026-12-05"})
		}},
		{"tasks-title", func(int) (proto.Message, error) {
			return k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{OrderBy: "title desc"})
		}},
		{"tasks-project", func(i int) (proto.Message, error) {
			return k.Task.ListTasks(ctx, &kistv1.ListTasksRequest{Project: fmt.Sprintf("project-%d", i%(files/10))})
		}},
		{"documents", func(int) (proto.Message, error) { return k.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{}) }},
		{"documents-new", func(int) (proto.Message, error) {
			return k.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{OrderBy: "modified desc"})
		}},
		{"projects", func(int) (proto.Message, error) { return k.Project.ListProjects(ctx, &kistv1.ListProjectsRequest{}) }},
		{"complete-note", func(i int) (proto.Message, error) {
			return k.Language.Complete(ctx, &kistv1.CompleteRequest{Kind: "note", Prefix: prefixes[i%len(prefixes)]})
		}},
		{"complete-tag", func(int) (proto.Message, error) {
			return k.Language.Complete(ctx, &kistv1.CompleteRequest{Kind: "tag", Prefix: "t1"})
		}},
		{"definition", func(i int) (proto.Message, error) {
			return k.Language.ResolveLink(ctx, &kistv1.ResolveLinkRequest{Path: notes(i), Target: vaulttest.ManyName(i * 7 % files)})
		}},
		{"check", func(i int) (proto.Message, error) {
			return k.Language.CheckDocument(ctx, &kistv1.CheckDocumentRequest{Path: notes(i % files)})
		}},
	} {
		b.Run(ask.name, func(b *testing.B) {
			last, err := ask.call(0)
			if err != nil {
				b.Fatal(err)
			}
			var took []time.Duration
			before := vaulttest.Processor(b, k.Info.PID)
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if last, err = ask.call(i); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			spent := vaulttest.Processor(b, k.Info.PID) - before
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
			b.ReportMetric(ms(spent)/float64(len(took)), "cpu-ms")
			b.ReportMetric(ms(writing(b, last)), "page-cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("rename", func(b *testing.B) { doorsRename(b, k, paths.Vault) })
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", k.Info.PID))
			if err != nil {
				b.Fatal(err)
			}
			anon, _ := field(data, "Anonymous:")
			b.ReportMetric(float64(anon)/(1<<20), "MB-anonymous")
		}
	})
}

func keptVault(b *testing.B, dir string) dial.Paths {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	paths, err := dial.PathsFor(dir)
	if err != nil {
		b.Fatal(err)
	}
	return paths
}

// doorsRename renames the heading in one operation and takes that back; the floor is to
// write as many texts, sixteen at a time, and make them durable.
func doorsRename(b *testing.B, k *dial.Client, dir string) {
	before := vaulttest.Tree(b, dir, "operations", ".kist")
	var renamed, undone, floor []time.Duration
	spent := vaulttest.Processor(b, k.Info.PID)
	for b.Loop() {
		began := time.Now()
		res, err := k.Language.Rename(b.Context(), &kistv1.RenameRequest{Path: "Hub.md", Position: &kistv1.Position{Line: 2, Column: 4}, NewName: "Portion"})
		if err != nil || res.Operation == nil {
			b.Fatal(res, err)
		}
		renamed = append(renamed, time.Since(began))
		if n := len(res.Operation.Changes); n != vaulttest.ManyLinks+1 {
			b.Fatalf("%d changes", n)
		}
		began = time.Now()
		if _, err = k.Operation.UndoOperation(b.Context(), &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: res.Operation.Id}}); err != nil {
			b.Fatal(err)
		}
		undone = append(undone, time.Since(began))
		spent -= vaulttest.Processor(b, k.Info.PID)
		if !maps.Equal(before, vaulttest.Tree(b, dir, "operations", ".kist")) {
			b.Fatal("undone, the vault isn't what it was")
		}
		floor = append(floor, manyFiles(b, filepath.Join(dir, ".kist")))
		spent += vaulttest.Processor(b, k.Info.PID)
	}
	spent = vaulttest.Processor(b, k.Info.PID) - spent
	for name, list := range map[string][]time.Duration{"rename": renamed, "undo": undone, "floor": floor} {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Milliseconds()), "p50-ms-"+name)
		b.ReportMetric(float64(list[len(list)*95/100].Milliseconds()), "p95-ms-"+name)
	}
	b.ReportMetric(float64(spent.Milliseconds())/float64(len(renamed)), "cpu-ms-both")
	b.ReportMetric(0, "ns/op")
}

func manyFiles(b *testing.B, parent string) time.Duration {
	b.Helper()
	dir, err := os.MkdirTemp(parent, "floor")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	var writing errgroup.Group
	writing.SetLimit(16)
	for i := range vaulttest.ManyLinks {
		writing.Go(func() error {
			f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
			if err != nil {
				return err
			}
			_, err = f.WriteString(strings.Repeat("Some words of a note.\n", 50))
			return errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), f.Name()+".md"))
		})
	}
	d, err := os.Open(dir)
	if err := errors.Join(err, writing.Wait(), d.Sync(), d.Close()); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// writing is what it takes to write an answer and to read it again.
func writing(b *testing.B, m proto.Message) time.Duration {
	b.Helper()
	const rounds = 20
	before := vaulttest.Processor(b, os.Getpid())
	for range rounds {
		data, err := proto.Marshal(m)
		if err == nil {
			err = proto.Unmarshal(data, m.ProtoReflect().New().Interface())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return (vaulttest.Processor(b, os.Getpid()) - before) / rounds
}
