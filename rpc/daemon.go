package rpc

import (
	"context"

	kistv1 "kist/proto/kist/v1"
)

type daemonService struct{ Deps }

func (s *daemonService) GetStatus(context.Context, *kistv1.GetStatusRequest) (*kistv1.GetStatusResponse, error) {
	d, i := s.Status(), indexStatus(s.Index.Status())
	return &kistv1.GetStatusResponse{
		Version: text(d.Version),
		Pid:     int32s(d.PID),
		Started: timestamp(d.Started),
		Vault:   text(s.Vault.Dir()),
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
	}, nil
}

func (s *daemonService) Stop(context.Context, *kistv1.StopRequest) (*kistv1.StopResponse, error) {
	s.Deps.Stop() // the server answers what it has begun before it closes
	return &kistv1.StopResponse{}, nil
}
