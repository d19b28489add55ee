package tool

// Arguments are the structs of the tools' arguments, by the tools' names. They are
// written down beside the registry, for tests that don't take its word.
func Arguments() map[string]any {
	return map[string]any{
		"list_projects": listProjectsArgs{}, "show_project": showProjectArgs{}, "create_project": createProjectArgs{}, "switch_project": switchProjectArgs{}, "go_back": noArgs{},
		"update_project": updateProjectArgs{}, "rename_project": renameProjectArgs{}, "archive_project": oneProjectArgs{}, "merge_projects": mergeProjectsArgs{}, "delete_project": oneProjectArgs{},
		"link": linkArgs{}, "undo": undoArgs{}, "unlink": unlinkArgs{}, "start_session": startSessionArgs{}, "update_draft_dimension": draftDimensionArgs{}, "show_draft": oneDraftArgs{},
		"finalize_draft": oneDraftArgs{}, "abandon_draft": oneDraftArgs{}, "update_project_dimension": projectDimensionArgs{}, "project_completeness": showProjectArgs{},
		"list_tasks": listTasksArgs{}, "create_task": createTaskArgs{}, "complete_task": completeTaskArgs{}, "update_task": updateTaskArgs{}, "change_tasks": changeTasksArgs{}, "sweep_tasks": sweepTasksArgs{}, "build_subtree": buildSubtreeArgs{}, "delete_task": deleteTaskArgs{}, "move_task": moveTaskArgs{},
		"move_note": moveNoteArgs{}, "delete_note": deleteNoteArgs{}, "create_note": createNoteArgs{}, "append_note": appendNoteArgs{}, "add_decision": addDecisionArgs{}, "read_document": readDocumentArgs{},
		"remember": rememberArgs{}, "list_memories": listMemoriesArgs{}, "search_memories": searchMemoriesArgs{}, "suggest_project_for_memory": suggestProjectArgs{}, "move_memory": moveMemoryArgs{}, "forget_memory": forgetMemoryArgs{},
		"search": searchArgs{}, "audit": auditArgs{}, "forecast": forecastArgs{}, "propose_action": proposeActionArgs{},
		"list_waiting": noArgs{}, "show_sync": noArgs{},
	}
}
