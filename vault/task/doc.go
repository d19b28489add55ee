/*
Package task is what a task is, wherever it stands, and which ones are asked for: a [Query]
narrows and orders a list. A task is a file of its own or a checkbox in any document;
packages catalog and entity find and change them.
*/
package task
