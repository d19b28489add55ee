package rpc

import (
	"kist/proto/grpc/health/v1/healthv1connect"
	"kist/proto/kist/v1/kistv1connect"
)

// ServiceNames returns the full names of the services that a client can call and
// list, reflection aside.
func ServiceNames() []string {
	return []string{
		kistv1connect.VaultServiceName,
		kistv1connect.ProjectServiceName,
		kistv1connect.TaskServiceName,
		kistv1connect.DraftServiceName,
		kistv1connect.MemoryServiceName,
		kistv1connect.SessionServiceName,
		kistv1connect.OperationServiceName,
		kistv1connect.SearchServiceName,
		kistv1connect.IndexServiceName,
		kistv1connect.PolicyServiceName,
		kistv1connect.ModelServiceName,
		kistv1connect.SyncServiceName,
		kistv1connect.TokenServiceName,
		kistv1connect.LanguageServiceName,
		kistv1connect.DaemonServiceName,
		healthv1connect.HealthName,
	}
}
