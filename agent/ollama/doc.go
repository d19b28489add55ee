/*
Package ollama speaks to an Ollama server, through Ollama's own client library, which
makes no promise to stay as it is and so is used here alone.

An [Embedder] makes vectors of texts, a [Chat] is a language model, and [Models] lists
what the server has. It has to have the model already; nothing is pulled.
*/
package ollama
