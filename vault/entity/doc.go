/*
Package entity knows what the documents of a vault are about: projects, tasks, drafts,
memories, notes, and the links between them.

It reads them from their files at each call, so that nothing can be stale, and plans
changes of them: each function whose name begins with Plan returns a [vault.Step], or
several, and touches nothing. [vault.Vault.Apply] carries a step out,
[vault.Vault.Propose] lets it wait for approval. Where an entity lies, and what its front
matter means, is described in vault/FORMAT.md.

[Heads] lists the projects for callers that do so at each turn. Documents that are no
entity are edited by the same kind of plans ([PlanSetProperty], [PlanEditSection], ...).
*/
package entity
