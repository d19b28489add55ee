package language

import "testing"

func TestIsForeign(t *testing.T) {
	for _, text := range []string{
		"nous avons décidé de vendre le bateau", "fais la liste des tâches de la maison", "je dois acheter du pain demain parce que les enfants arrivent",
		"tenemos que comprar la pintura para el barco", "dobbiamo comprare la vernice per la barca entro venerdì", "temos que comprar a tinta para o barco até sexta",
		"wij moeten het hek voor vrijdag schilderen", "vi måste köpa färg till båten och ringa hamnen", "musimy kupić farbę i zadzwonić do portu",
		"мы должны купить краску", "我们星期五去买油漆", "船のペンキを買う",
	} {
		if !IsForeign(text) {
			t.Errorf("%q isn't foreign", text)
		}
	}
	for _, text := range []string{
		"", "ok", "leads ordered, 40 from comms express", "quotes in. frosttech 2,150, sparky 840", "Denzil de la Rue quoted 9,400", "a trip to Los Angeles and La Paz",
		"die Farbe für das Boot bis Freitag kaufen", "merci, that's très kind of you", "crème brûlée for the dinner", "Tartine et Chocolat called",
	} {
		if IsForeign(text) {
			t.Errorf("%q is foreign", text)
		}
	}
}
