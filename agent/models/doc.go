/*
Package models puts the language models together that this machine's settings name, tells
about them, tries them out and changes the choice.

A model is named by the kind of its server and its name there: ollama/qwen3:8b,
openai/gpt-5, anthropic/claude-sonnet-5, or offline for none. What is built of it is the
server's client, kept within its window (package window), with its calls read (package
ladder); package route chooses between it and the offline partner.

Settings are of the machine and not of a vault: what comes with a vault must not say where
its text is sent. A server that isn't on this machine gets text only where the settings
name it.
*/
package models
