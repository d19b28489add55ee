package export

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A question, an answer that was made anew, and what nobody saw.
const gptText = `[{"title":"Bilge pumps","create_time":1700000000.5,"id":"c-1","current_node":"d","mapping":{
"root":{"id":"root","message":null,"parent":null,"children":["s"]},
"s":{"message":{"author":{"role":"system"},"content":{"content_type":"text","parts":["be kind"]}},"parent":"root","children":["a"]},
"a":{"message":{"author":{"role":"user"},"content":{"content_type":"multimodal_text","parts":[{"asset_pointer":"file-service://x"},"Which pump?\r\n- [ ] not a task"]}},"parent":"s","children":["b","c"]},
"b":{"message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["first try"]}},"parent":"a","children":[]},
"t":{"message":{"author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"1+1"}},"parent":"a","children":["d"]},
"d":{"message":{"author":{"role":"assistant"},"recipient":"all","content":{"content_type":"text","parts":["# The big one\u0007"]}},"parent":"t","children":[]}}}]`

const claudeText = `[{"uuid":"u-1","name":"Paint","created_at":"2024-05-06T07:08:09.123456Z","chat_messages":[
{"sender":"human","text":"old","content":[{"type":"text","text":"Which paint?"}],"attachments":[{"file_name":"a.pdf"}],"files":[]},
{"sender":"assistant","text":"Epoxy.","content":[]}]},
{"uuid":"u-2","name":"","created_at":"","chat_messages":[]}]`

func write(t testing.TB, name string, text []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(s Source, file string) (all []Conversation, err error) {
	err = Read(context.Background(), s, file, func(c Conversation) error {
		all = append(all, c)
		return nil
	})
	return all, err
}

func TestRead(t *testing.T) {
	pumps := Conversation{ID: "c-1", Title: "Bilge pumps", Created: time.Unix(1700000000, 0).UTC(), Messages: []Message{
		{User: true, Text: "Which pump?\n- [ ] not a task", Left: 1}, {Text: "# The big one"},
	}}
	paint := Conversation{ID: "u-1", Title: "Paint", Created: time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC), Messages: []Message{
		{User: true, Text: "Which paint?", Left: 1}, {Text: "Epoxy."},
	}}
	second := strings.Replace(gptText, "c-1", "c-2", 1)
	pumps2 := pumps
	pumps2.ID = "c-2"
	for name, c := range map[string]struct {
		source Source
		text   []byte
		want   []Conversation
	}{
		"chatgpt": {ChatGPT, []byte(gptText), []Conversation{pumps}},
		"a mark":  {ChatGPT, []byte("\xef\xbb\xbf" + gptText), []Conversation{pumps}},
		"no current node": {ChatGPT, []byte(strings.NewReplacer(`"current_node":"d"`, `"current_node":null`,
			`"recipient":"all"`, `"create_time":3`).Replace(gptText)), []Conversation{pumps}},
		"zip":          {ChatGPT, zipped(t, "../../x", "y", "export/conversations.json", gptText), []Conversation{pumps}},
		"several":      {ChatGPT, zipped(t, "conversations-001.json", second, "conversations-000.json", gptText), []Conversation{pumps, pumps2}},
		"claude":       {Claude, []byte(claudeText), []Conversation{paint, {ID: "u-2"}}},
		"nothing said": {Claude, []byte("[]"), nil},
	} {
		got, err := readAll(c.source, write(t, "f", c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestWhatIsNoExport(t *testing.T) {
	whole := zipped(t, "conversations.json", gptText)
	for name, c := range map[string]struct {
		source Source
		text   []byte
		says   string
	}{
		"empty":            {ChatGPT, nil, "cut off"},
		"half":             {ChatGPT, []byte(gptText[:200]), "cut off after 0"},
		"broken":           {ChatGPT, []byte(`[{"a":}]`), "broken JSON"},
		"text":             {Claude, []byte("hello"), "broken JSON"},
		"object":           {Claude, []byte(`{"conversations":[]}`), "no list"},
		"more":             {Claude, []byte(`[] []`), "behind the list"},
		"Claude's":         {ChatGPT, []byte(claudeText), "import it as claude"},
		"ChatGPT's":        {Claude, []byte(gptText), "import it as chatgpt"},
		"other shape":      {ChatGPT, []byte(`[{"id":"x","nodes":{}}]`), "newer kind"},
		"another shape":    {Claude, []byte(`[{"uuid":"x"}]`), "newer kind"},
		"other field":      {Claude, []byte(`[{"uuid":"x","chat_messages":{"a":1}}]`), "another kind"},
		"other speaker":    {Claude, []byte(`[{"uuid":"x","chat_messages":[{"sender":"robot","text":"x"}]}]`), "neither"},
		"no id":            {Claude, []byte(`[{"chat_messages":[]}]`), "no id"},
		"id of two lines":  {Claude, []byte(`[{"uuid":"a\nb","chat_messages":[]}]`), "no id"},
		"zip of others":    {ChatGPT, zipped(t, "user.json", "{}"), "no conversations.json"},
		"half a zip":       {ChatGPT, whole[:len(whole)/2], "damaged or cut off"},
		"deep":             {ChatGPT, []byte(strings.Repeat("[", 20000)), "broken JSON"},
		"one of something": {ChatGPT, []byte(`[1]`), "another kind"},
	} {
		_, err := readAll(c.source, write(t, "f", c.text))
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, p := range map[string]string{"none": filepath.Join(t.TempDir(), "none"), "folder": t.TempDir()} {
		if _, err := readAll(ChatGPT, p); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A zip may unpack to a thousand times its size: it is read up to a bound.
func TestBombs(t *testing.T) {
	bomb := zipped(t, "conversations.json", `[{"id":"`+strings.Repeat("a", 1<<20)+`"}]`)
	r := &reader{source: ChatGPT, left: 1 << 16, each: func(Conversation) error { return nil }}
	err := r.zip(t.Context(), bytes.NewReader(bomb), int64(len(bomb)))
	if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "unpacks to more than") || r.left != 0 {
		t.Errorf("%v, %d left", err, r.left)
	}
	b := &bounded{from: strings.NewReader("abc"), all: new(int64), one: 0}
	if _, err := b.Read(make([]byte, 1)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "a conversation is larger") {
		t.Error(err)
	}
}

// A tree that leads to itself ends.
func TestARoundTree(t *testing.T) {
	c, err := readChatGPT([]byte(`{"id":"x","current_node":"a","mapping":{"a":{"parent":"b"},"b":{"parent":"a"}}}`))
	if err != nil || len(c.Messages) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestABreak(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Read(ctx, Claude, write(t, "f", []byte(claudeText)), func(Conversation) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzList(f *testing.F) {
	for _, s := range []string{gptText, claudeText, "[]", "{", `[{"id":1e999}]`, "2" + strings.Repeat("0", 400)} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, gpt bool) {
		source := Claude
		if gpt {
			source = ChatGPT
		}
		r := &reader{source: source, left: 1 << 20, each: func(c Conversation) error {
			for _, m := range c.Messages {
				if c.ID == "" || m.Text == "" && m.Left == 0 || strings.ContainsAny(m.Text, "\r\x00\x1b") {
					t.Errorf("%+v", c)
				}
			}
			return nil
		}}
		if err := r.list(t.Context(), "f", bytes.NewReader(text)); err != nil && !errors.Is(err, ErrFile) {
			t.Error(err)
		}
	})
}
