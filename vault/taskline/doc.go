/*
Package taskline reads and edits the text behind a checkbox: a title, and the fields that
people write beside it. [Parse] knows both forms that are in use, the emoji of the Obsidian
plugin Tasks ("📅 2026-12-01", "⏫", "🔁 every week") and the inline fields of Dataview
("[due:: 2026-12-01]", also in parentheses). [Line.Set] changes one field and leaves every other byte;
[Line.Next] is the task that follows a recurring one.

What isn't a value that a field can have stays in the title, and so does what stands in code.
It knows nothing of documents: package markdown finds the checkboxes.
*/
package taskline
