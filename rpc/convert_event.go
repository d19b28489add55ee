package rpc

import (
	"kist/agent"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/vault/entity"
)

// event converts one piece of a turn; nil for one that clients have no use for.
func event(e agent.Event) *kistv1.SendResponse {
	switch e := e.(type) {
	case agent.TextDelta:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_TextDelta{
			TextDelta: &kistv1.TextDelta{Text: text(e.Text)}}}
	case agent.Struck:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Struck{Struck: &kistv1.Struck{Text: text(e.Text), Thought: e.Thought}}}
	case agent.ToolCall:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ToolCall{
			ToolCall: &kistv1.ToolCall{Id: text(e.ID), Name: text(e.Name), Arguments: text(string(e.Arguments)), Error: text(e.Error), Repaired: texts(e.Repaired)}}}
	case agent.Operation:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Operation{
			Operation: operation(e.Operation)}}
	case agent.ApprovalRequest:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ApprovalRequest{
			ApprovalRequest: &kistv1.ApprovalRequest{Operation: operation(e.Operation), Digest: text(e.Digest)}}}
	case agent.SessionPhase:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_SessionPhase{
			SessionPhase: &kistv1.SessionPhase{Phase: text(e.Phase), Mode: text(e.Mode)}}}
	case agent.DraftUpdate:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_DraftUpdate{DraftUpdate: draftUpdate(e.Draft)}}
	case agent.DimensionUpdate:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_DimensionUpdate{
			DimensionUpdate: &kistv1.DimensionUpdate{Path: text(e.Path), Dimension: text(e.Dimension), Text: text(e.Text)}}}
	case agent.ContextSwitch:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_ContextSwitch{
			ContextSwitch: &kistv1.ContextSwitch{Project: text(e.Project), Name: text(e.Name), Previous: text(e.Previous)}}}
	case agent.Notice:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Notice{
			Notice: &kistv1.Notice{Text: text(e.Text)}}}
	case agent.Thinking:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Thinking{
			Thinking: &kistv1.Thinking{Text: text(e.Text)}}}
	case agent.AnsweredBy:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_AnsweredBy{
			AnsweredBy: &kistv1.AnsweredBy{Model: text(e.Model), Degraded: text(e.Degraded)}}}
	case agent.Usage:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Usage{
			Usage: &kistv1.Usage{
				InputTokens: int32s(e.Input), OutputTokens: int32s(e.Output),
				TurnTokens: int32s(e.Turn.Tokens), TurnLimit: int32s(int64(e.Limits.Tokens.Turn)), TurnCost: e.Turn.Cost, TurnCostLimit: e.Limits.Money.Turn,
				DayTokens: int32s(e.Today.Tokens), DayLimit: int32s(int64(e.Limits.Tokens.Day)), DayCost: e.Today.Cost, DayCostLimit: e.Limits.Money.Day,
				MonthTokens: int64(e.Month.Tokens), MonthLimit: int64(e.Limits.Tokens.Month), MonthCost: e.Month.Cost, MonthCostLimit: e.Limits.Money.Month,
			}}}
	case agent.Done:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Done{
			Done: &kistv1.Done{Session: text(e.Session), Turn: text(e.Turn), Project: text(e.Project), Seq: int32s(e.Seq)}}}
	case agent.Failed:
		return &kistv1.SendResponse{Event: &kistv1.SendResponse_Error{Error: fault.Turn(e.Err)}}
	}
	return nil
}

// draftUpdate is what clients hear of a draft in a conversation.
func draftUpdate(d entity.Draft) *kistv1.DraftUpdate {
	return &kistv1.DraftUpdate{
		Slug: text(d.Slug), Name: text(d.Name), Path: text(d.Path), Status: text(d.Status), Covered: texts(d.Covered),
		FollowUp: texts(d.FollowUp), Questions: int32s(d.Questions), Modified: timestamp(d.Modified),
	}
}
