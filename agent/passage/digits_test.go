package passage

import "testing"

// What is spelt out is an amount as well, where money is spoken of.
func TestInDigits(t *testing.T) {
	for said, want := range map[string]string{
		"it was thirty-two pounds fifty and blue":                                      "it was 32.50 pounds and blue",
		"sixty pounds for pies and another twenty-five for wine, I gave her the sixty": "60 pounds for pies and another 25 for wine, I gave her the sixty",
		"a hundred and ninety euros":                                                   "190 euros",
		"two thousand five hundred dollars":                                            "2500 dollars",
		"the soil is 4 euro 50 the bag, 20 bags":                                       "the soil is 4.50 euro the bag, 20 bags",
		"thirty chairs":                                                                "thirty chairs",
	} {
		if got := inDigits(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
