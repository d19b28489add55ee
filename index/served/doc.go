// Package served has vectors made by an [Embedder], which is outside of this process as a rule. A
// [Server] remembers which documents lack vectors, asks for them in batches ([Server.Ask]), keeps
// what was answered, and follows what there is to do with pauses where that fails
// ([Server.Follow]); and it has queries embedded, if that can be done in a moment
// ([Server.Query]). Who keeps the vectors of an index, and when they count, it doesn't know.
package served
