package rpc

import (
	"kist/agent"
	kistv1 "kist/proto/kist/v1"
)

// event converts one piece of a turn; nil for one that clients have no use for.
func event(e agent.Event) *kistv1.SendResponse {
	switch e := e.(type) {
	case agent.TextDelta:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_TextDelta{
			TextDelta: &kistv1.TextDelta{Text: text(e.Text)}}}
	case agent.ToolCall:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ToolCall{
			ToolCall: &kistv1.ToolCall{Id: text(e.ID), Name: text(e.Name), Arguments: text(string(e.Arguments)), Error: text(e.Error)}}}
	case agent.Operation:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Operation{
			Operation: operation(e.Operation)}}
	case agent.ApprovalRequest:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ApprovalRequest{
			ApprovalRequest: &kistv1.ApprovalRequest{Operation: operation(e.Operation), Digest: text(e.Digest)}}}
	case agent.SessionPhase:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_SessionPhase{
			SessionPhase: &kistv1.SessionPhase{Phase: text(e.Phase)}}}
	case agent.ContextSwitch:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ContextSwitch{
			ContextSwitch: &kistv1.ContextSwitch{Project: text(e.Project), Name: text(e.Name), Previous: text(e.Previous)}}}
	case agent.Notice:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Notice{
			Notice: &kistv1.Notice{Text: text(e.Text)}}}
	case agent.Usage:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Usage{
			Usage: &kistv1.Usage{InputTokens: int32s(e.Input), OutputTokens: int32s(e.Output)}}}
	case agent.Done:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Done{
			Done: &kistv1.Done{Session: text(e.Session), Turn: text(e.Turn), Project: text(e.Project), Seq: int32s(e.Seq)}}}
	case agent.Failed:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Error{Error: turnError(e.Err)}}
	}
	return nil
}
