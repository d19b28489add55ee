package reflection_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"google.golang.org/protobuf/reflect/protoreflect"

	healthv1 "kist/proto/grpc/health/v1"
	_ "kist/proto/kist/v1"
	"kist/rpc/reflection"
)

// A client that others made asks both versions for all that it can ask for.
func TestWhatAClientAsksFor(t *testing.T) {
	for _, version := range []string{"v1", "v1alpha"} {
		mux := http.NewServeMux()
		for path, h := range reflection.Handlers([]string{"grpc.health.v1.Health", "kist.v1.TaskService"}) {
			if strings.Contains(path, "."+version+".") {
				mux.Handle(path, h)
			}
		}
		server := httptest.NewUnstartedServer(mux)
		server.EnableHTTP2 = true
		server.StartTLS()
		defer server.Close()
		stream := grpcreflect.NewClient(server.Client(), server.URL, connect.WithGRPC()).NewStream(t.Context())

		names, err := stream.ListServices()
		if want := []protoreflect.FullName{"grpc.health.v1.Health", "kist.v1.TaskService"}; err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: services %v, %v", version, names, err)
		}
		files, err := stream.FileContainingSymbol("kist.v1.TaskService.ListTasks")
		if err != nil || len(files) < 2 || files[0].GetName() != "kist/v1/task.proto" {
			t.Errorf("%s: %d files, %v", version, len(files), err)
		}
		// What was told isn't told again, but for what is asked for.
		files, err = stream.FileByFilename("kist/v1/task.proto")
		if err != nil || len(files) != 1 {
			t.Errorf("%s: %d files again, %v", version, len(files), err)
		}
		files, err = stream.FileByFilename(healthv1.File_grpc_health_v1_health_proto.Path())
		if err != nil || len(files) != 1 || files[0].GetPackage() != "grpc.health.v1" {
			t.Errorf("%s: %v, %v", version, files, err)
		}
		numbers, err := stream.AllExtensionNumbers("google.protobuf.FieldOptions")
		if err != nil || len(numbers) == 0 {
			t.Fatalf("%s: extensions %v, %v", version, numbers, err)
		}
		files, err = stream.FileContainingExtension("google.protobuf.FieldOptions", numbers[0])
		if err != nil || len(files) == 0 || files[0].GetName() != "buf/validate/validate.proto" {
			t.Errorf("%s: %d files of an extension, %v", version, len(files), err)
		}
		_, unknown := stream.FileContainingSymbol("kist.v1.Nothing")
		_, file := stream.FileByFilename("nothing.proto")
		_, extension := stream.FileContainingExtension("google.protobuf.FieldOptions", 1)
		_, message := stream.AllExtensionNumbers("kist.v1.Nothing")
		for what, err := range map[string]error{"symbol": unknown, "file": file, "extension": extension, "message": message} {
			if !grpcreflect.IsReflectionStreamBroken(err) && connect.CodeOf(err) == connect.CodeNotFound {
				continue
			}
			t.Errorf("%s: a %s that isn't there: %v", version, what, err)
		}
		if _, err := stream.Close(); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}
