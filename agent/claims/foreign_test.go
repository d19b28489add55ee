package claims

import "testing"

// What nobody can check is told, and plain answers are left alone.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		message, reply string
		told           bool
	}{
		{"Porque é que o verniz descasca?", "É da luz. Também criei uma tarefa para o renovar.", true},
		{"ニスはなぜ剥がれるのですか？", "光のせいです。タスクも追加しました。", true},
		{"Почему лак отслаивается?", "Из-за света. Я также добавил задачу.", true},
		{"Why does varnish peel off?", "It is the light. He añadido una tarea para renovarlo.", true},
		{"Waarom bladdert de lak af?", "Dat komt door het licht. Ik heb ook een taak toegevoegd.", true},
		{"Apaga o projeto antigo", "Feito, apaguei o projeto que era antigo.", true},
		{"Porque é que o verniz descasca?", "É da luz que vem do mar.", false},
		{"Obrigado!", "De nada, é sempre um prazer!", false},
		{"光のせいですか？", "はい、そうです。", false},
		{"Qual barco?", "O que é que quer dizer? Que barco é?", false},
		{"Why does varnish peel off?", "It is the light. Ask José or Zoë about it.", false},
		{"What does the note say?", "It says “É da luz que vem do mar e do sol”. That is all.", false},
		{"Warum?", "Es liegt am Licht. Nimm Leinöl.", false},
	} {
		if got := Foreign(c.message, c.reply, false) != ""; got != c.told {
			t.Errorf("%q, %q: %v", c.message, c.reply, got)
		}
		if Foreign(c.message, c.reply, true) != "" {
			t.Errorf("%q is told again", c.reply)
		}
	}
}
