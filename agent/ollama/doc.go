/*
Package ollama speaks to an Ollama server, through Ollama's own client library, which
makes no promise to stay as it is and so is used here alone.

An [Embedder] makes vectors of texts. The server has to have the model already;
nothing is pulled.
*/
package ollama
