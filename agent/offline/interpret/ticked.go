package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
)

// ticked takes an order to tick something off for one, rather than to delete it, where nothing
// in the clause says that it isn't wanted: "cross off the tickets".
func ticked(body, all []language.Token, readings []intent.Reading) []intent.Reading {
	if !language.Begins(body, "cross|check|tick|strike") || !language.Has(all, "off|out|through") || language.Has(all, "<gone>|<deleteverb>|no|not|never|nobody|longer|without|instead|as|after") {
		return readings
	}
	sum := 0.0
	readings = slices.DeleteFunc(slices.Clone(readings), func(each intent.Reading) bool {
		if each.Intent == intent.DeleteTask {
			sum += each.P
		}
		return each.Intent == intent.DeleteTask
	})
	for i := range readings {
		if readings[i].Intent == intent.CompleteTask {
			readings[i].P += sum
		}
	}
	return readings
}
