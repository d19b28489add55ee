/*
Package draft makes a project in a conversation: it listens, asks, shows and makes. It is
what the offline partner does in sessions of the mode project_create.

A [Session] is a turn of such a session. [Session.Converse] deals with a message: it lays out
what is told among the dimensions of package guide (lay.go), finds what the project is called
(name.go), asks what is open (answer.go), corrects what was wrong (correct.go), and shows the
draft and has the project made of it (preview.go). What is asked for in between it leaves to
its caller, by Plan. [Session.GiveUp] puts a draft away from anywhere.

It keeps nothing: the draft, the questions asked and the phase stand in the situation.
*/
package draft
