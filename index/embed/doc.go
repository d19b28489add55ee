/*
Package embed makes vectors of texts such that texts about the same things are
near each other. It needs no download and no network: a [Model] is learned from
the vault itself, by latent semantic analysis (Deerwester et al.: Indexing by
Latent Semantic Analysis, 1990).

A [Corpus] is filled with how often each term occurs in each text, [Train] learns
a Model of it, and [Model.Text] gives the vector of a text, also of one that the
model hasn't seen. [Model.Bytes] and [Load] store a model.

Training gives the same bytes for the same corpus, however many processors there
are. Other architectures may round differently, so models and vectors are for the
machine that made them.

The package doesn't analyse text (terms come from the index), and doesn't store
or compare vectors (package vector does).
*/
package embed
