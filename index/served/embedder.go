package served

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"kist/index/vector"
	"kist/index/vectorcache"
	"math"
)

// An Embedder makes vectors of texts outside of this process, on a server as a rule.
// Its methods may be called concurrently.
//
// An error with a method Refused() bool that reports true may be about a text and not
// about the server: each text of the request is then tried alone. A method Hint()
// string gives words to add for the user.
type Embedder interface {
	// Model names what makes the vectors, such as "ollama/nomic-embed-text". Vectors
	// of one name are kept and compared with one another.
	Model() string
	// Prompts are put before a query and before a passage; they may be empty.
	Prompts() (query, passage string)
	// Embed returns a vector for each text, in order and all of one dimension. The
	// answer is checked by who calls.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// errAnswer: a server that answers with what can't be vectors of the texts.
var errAnswer = errors.New("the server's answer is not used")

// errDim: vectors of a model that can't be compared with those it made before.
var errDim = errors.New("is it another model under the same name?")

// checkVectors makes unit vectors of an answer. dim is what it has to be; 0: any. A
// vector without a direction becomes nil: there is nothing to compare.
func checkVectors(vectors [][]float32, texts, dim int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%w: it has %d vectors for %d texts", errAnswer, len(vectors), texts)
	}
	for i, v := range vectors {
		switch {
		case len(v) == 0 || len(v) > vectorcache.MaxDim:
			return fmt.Errorf("%w: a vector has %d dimensions", errAnswer, len(v))
		case dim != 0 && len(v) != dim:
			return fmt.Errorf("%w: a vector has %d dimensions where others have %d; %w", errAnswer, len(v), dim, errDim)
		}
		dim = len(v)
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("%w: a vector holds %v", errAnswer, x)
			}
		}
		vectors[i] = vector.Unit(v)
	}
	return nil
}

// refused reports whether an error may be about a text and not about the server.
func refused(err error) bool {
	e, ok := errors.AsType[interface {
		error
		Refused() bool
	}](err)
	return ok && e.Refused()
}

// hintOf is what the user can do about an error.
func hintOf(err error) string {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return "check free space and permissions of the vault's .kist folder"
	}
	if errors.Is(err, errDim) {
		return "if so, give it another name in the settings, or stop the daemon, remove .kist/embeddings and start it again"
	}
	if e, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return e.Hint()
	}
	return "check the server and the model's name"
}
