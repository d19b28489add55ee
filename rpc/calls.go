package rpc

import (
	"fmt"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"kist/rpc/fault"
)

// calls maps the procedures of kist's own services to whether they only read.
func calls() map[string]bool {
	all := map[string]bool{}
	for _, name := range ServiceNames() {
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
		service, ok := d.(protoreflect.ServiceDescriptor)
		if err != nil || !ok {
			continue // the test of all services would show it
		}
		for i := range service.Methods().Len() {
			m := service.Methods().Get(i)
			options, _ := m.Options().(*descriptorpb.MethodOptions)
			all[fmt.Sprintf("/%s/%s", name, m.Name())] = options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
		}
	}
	return all
}

// knownCalls answers calls of kist's that there aren't in the caller's protocol: whoever makes
// one is newer than this daemon.
func knownCalls(next http.Handler) http.Handler {
	known, errors := calls(), connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := known[r.URL.Path]; !ok && strings.HasPrefix(r.URL.Path, "/kist.v1.") && errors.IsSupported(r) {
			_ = errors.Write(w, r, fault.Connect(fmt.Errorf("%w: %s", fault.ErrUnknown, r.URL.Path))) // the client is gone
			return
		}
		next.ServeHTTP(w, r)
	})
}
