/*
Package openai speaks to servers with the HTTP interface of OpenAI, of which there
are many: llama.cpp, vLLM, LM Studio, LocalAI and OpenAI itself. They differ in
details, and what can be understood is accepted.

An [Embedder] makes vectors of texts, a [Chat] is a language model.
*/
package openai
