/*
Package reflection answers gRPC's server reflection, by which tools such as grpcurl list the
services and describe them. [Handlers] serves both of its versions, which differ in their names
alone. What it tells is read when it is asked for: a program that asks nothing pays nothing.
*/
package reflection

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	reflectionv1 "kist/proto/grpc/reflection/v1"
)

type stream = connect.BidiStream[reflectionv1.ServerReflectionRequest, reflectionv1.ServerReflectionResponse]

// Handlers returns the handlers of both versions by their paths; services are the full names
// that they list, and what the program has is described.
func Handlers(services []string, opts ...connect.HandlerOption) map[string]http.Handler {
	answer := func(_ context.Context, s *stream) error { return serve(s, services) }
	handlers := map[string]http.Handler{}
	for _, version := range []string{"v1", "v1alpha"} {
		path := "/grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo"
		handlers[path] = connect.NewBidiStreamHandler(path, answer, opts...)
	}
	return handlers
}

// serve answers the questions of one stream. A file is told once in it, unless it is what is asked for.
func serve(s *stream, services []string) error {
	told := map[string]bool{}
	for {
		req, err := s.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		res := &reflectionv1.ServerReflectionResponse{ValidHost: req.Host, OriginalRequest: req}
		if err := answer(req, res, services, told); connect.CodeOf(err) == connect.CodeInvalidArgument {
			return err
		} else if err != nil {
			res.MessageResponse = &reflectionv1.ServerReflectionResponse_ErrorResponse{ErrorResponse: &reflectionv1.ErrorResponse{
				ErrorCode: int32(connect.CodeNotFound), ErrorMessage: err.Error(),
			}}
		}
		if err := s.Send(res); err != nil {
			return err
		}
	}
}

// answer fills in the response to one question. Errors but those of a question that isn't
// understood (InvalidArgument) say that something isn't known.
func answer(req *reflectionv1.ServerReflectionRequest, res *reflectionv1.ServerReflectionResponse, services []string, told map[string]bool) error {
	var file protoreflect.FileDescriptor
	switch q := req.MessageRequest.(type) {
	case *reflectionv1.ServerReflectionRequest_ListServices:
		list := &reflectionv1.ListServiceResponse{}
		for _, name := range services {
			list.Service = append(list.Service, &reflectionv1.ServiceResponse{Name: name})
		}
		res.MessageResponse = &reflectionv1.ServerReflectionResponse_ListServicesResponse{ListServicesResponse: list}
		return nil
	case *reflectionv1.ServerReflectionRequest_AllExtensionNumbersOfType:
		numbers, err := extensions(protoreflect.FullName(q.AllExtensionNumbersOfType))
		res.MessageResponse = &reflectionv1.ServerReflectionResponse_AllExtensionNumbersResponse{
			AllExtensionNumbersResponse: &reflectionv1.ExtensionNumberResponse{BaseTypeName: q.AllExtensionNumbersOfType, ExtensionNumber: numbers},
		}
		return err
	case *reflectionv1.ServerReflectionRequest_FileByFilename:
		f, err := protoregistry.GlobalFiles.FindFileByPath(q.FileByFilename)
		if err != nil {
			return err
		}
		file = f
	case *reflectionv1.ServerReflectionRequest_FileContainingSymbol:
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(q.FileContainingSymbol))
		if err != nil {
			return err
		}
		file = d.ParentFile()
	case *reflectionv1.ServerReflectionRequest_FileContainingExtension:
		of, number := q.FileContainingExtension.GetContainingType(), q.FileContainingExtension.GetExtensionNumber()
		x, err := protoregistry.GlobalTypes.FindExtensionByNumber(protoreflect.FullName(of), protoreflect.FieldNumber(number))
		if err != nil {
			return err
		}
		file = x.TypeDescriptor().ParentFile()
	default:
		return connect.NewError(connect.CodeInvalidArgument, errors.New("the question is none of reflection's"))
	}
	delete(told, file.Path())
	raw, err := described(file, told)
	res.MessageResponse = &reflectionv1.ServerReflectionResponse_FileDescriptorResponse{
		FileDescriptorResponse: &reflectionv1.FileDescriptorResponse{FileDescriptorProto: raw},
	}
	return err
}

// extensions are the numbers of a message's extensions.
func extensions(of protoreflect.FullName) (numbers []int32, err error) {
	protoregistry.GlobalTypes.RangeExtensionsByMessage(of, func(x protoreflect.ExtensionType) bool {
		numbers = append(numbers, int32(x.TypeDescriptor().Number()))
		return true
	})
	slices.Sort(numbers)
	if len(numbers) == 0 {
		_, err = protoregistry.GlobalFiles.FindDescriptorByName(of)
	}
	return numbers, err
}

// described are a file's descriptor and, behind it, those of all that it imports, but for what was told.
func described(file protoreflect.FileDescriptor, told map[string]bool) (all [][]byte, err error) {
	if told[file.Path()] || file.IsPlaceholder() {
		return nil, nil
	}
	told[file.Path()] = true
	raw, err := proto.Marshal(protodesc.ToFileDescriptorProto(file))
	if err != nil {
		return nil, err
	}
	all = append(all, raw)
	for i := range file.Imports().Len() {
		more, err := described(file.Imports().Get(i).FileDescriptor, told)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}
