package rpc

import (
	"context"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/describe"
	"kist/rpc/features"
	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/obsidian"
)

type daemonService struct{ Deps }

// mostListed is how many files of a kind a status names.
const mostListed = 100

func (s *daemonService) GetStatus(ctx context.Context, _ *kistv1.GetStatusRequest) (*kistv1.GetStatusResponse, error) {
	d, i, settling := s.Status(), indexStatus(s.Index.Status()), s.Vault.Settling()
	unreadable, err := vault.UnreadableRecords(s.Vault)
	if err != nil { // a status says what is wrong, and doesn't fail of it
		unreadable = []vault.Problem{{Path: s.Vault.Layout().Operations, Message: err.Error()}}
	}
	roles := s.Models.Known() // that of chat is the first
	return &kistv1.GetStatusResponse{
		Version: text(d.Version),
		Pid:     int32s(d.PID),
		Started: timestamp(d.Started),
		Vault:   text(s.Vault.Dir()),
		Folders: s.Vault.Layout().Names(),
		Url:     text(d.URL),
		Socket:  text(d.Socket),
		Model:   text(s.Agent.Model()),
		Memory: &kistv1.MemoryUsage{
			AnonymousBytes: decimal(d.Anonymous),
			HeapBytes:      decimal(d.Heap),
		},
		Index:     i,
		ReadOnly:  text(s.Vault.ReadOnly()),
		Device:    text(s.Vault.Device()),
		Watcher:   text(s.Vault.Watcher()),
		Freshness: i.Freshness,
		Vanished:  text(s.Vault.Vanished()),
		Compared:  s.Vault.Compared(),
		Policy:    policyState(s.Policy.Report()),

		SettingsProblems: each(catalog.Settings(s.Vault).Unread, func(u obsidian.Unread) *kistv1.Problem {
			return &kistv1.Problem{Path: text(obsidian.Folder + "/" + u.File), Message: text(u.What), Hint: "what it would say doesn't count; put it right in Obsidian's settings"}
		}),
		LogProblems:    each(unreadable, problem),
		HeldOpen:       each(settling.Held[:min(len(settling.Held), mostListed)], heldOpen),
		ConflictCopies: texts(settling.Copies[:min(len(settling.Copies), mostListed)]),
		ModelError:     text(roles[0].Error),
		ModelHint:      text(roles[0].Hint),
		Models:         each(roles, modelRole),
		Sync:           syncStatus(ctx, s.Sync),
		ApiVersion:     features.APIVersion,
		Features:       features.Words(),

		HeldOpenCount: int32s(len(settling.Held)), ConflictCopyCount: int32s(len(settling.Copies)),
	}, nil
}

func heldOpen(h vault.HeldOpen) *kistv1.HeldOpen {
	return &kistv1.HeldOpen{Path: text(h.Path), Since: timestamp(h.Since), Saves: int32s(h.Saves), Programs: texts(h.Programs)}
}

func (s *daemonService) Stop(context.Context, *kistv1.StopRequest) (*kistv1.StopResponse, error) {
	s.Deps.Stop() // the server answers what it has begun before it closes
	return &kistv1.StopResponse{}, nil
}

func (s *daemonService) Describe(context.Context, *kistv1.DescribeRequest) (*kistv1.DescribeResponse, error) {
	value := func(v describe.Value) *kistv1.EnumerationValue {
		return &kistv1.EnumerationValue{Value: v.Value, Meaning: v.Meaning}
	}
	return &kistv1.DescribeResponse{Enumerations: each(describe.All(), func(e describe.Enumeration) *kistv1.Enumeration {
		return &kistv1.Enumeration{Name: e.Name, Fields: e.Fields, Values: each(e.Values, value)}
	})}, nil
}
