package torture

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"path"
	"strconv"
	"strings"
)

// This file is the text of a document, made so that damage shows.

// Who may have a line of their own in a document: editors, and the operations of
// the daemon, which take turns on two lines.
const (
	editors  = 4
	opLines  = 2
	fillings = 18 // lines that nobody changes, so that a document has some length
)

// seal returns a line with its checksum and its end.
func seal(line string) string {
	return fmt.Sprintf("%s %08x\n", line, crc32.ChecksumIEEE([]byte(line)))
}

// unseal returns a line without its checksum, and whether that was right.
func unseal(line string) (string, bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return "", false
	}
	sum, err := strconv.ParseUint(line[i+1:], 16, 32)
	return line[:i], err == nil && len(line)-i == 9 && uint32(sum) == crc32.ChecksumIEEE([]byte(line[:i]))
}

// stem is how a document calls itself in its lines.
func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

func editorName(i int) string { return fmt.Sprintf("e%d", i) }
func opLine(i int) string     { return fmt.Sprintf("k%d", i) }

// slot is the line of who as it is after save n, without its end. It is the
// marker of that save.
func slot(who, file string, n int) string {
	return strings.TrimSuffix(seal(fmt.Sprintf("%s %s s%08d", who, stem(file), n)), "\n")
}

// addition is an appended line, without its end, and the marker of its save.
func addition(who, file string, n int) string {
	return strings.TrimSuffix(seal(fmt.Sprintf("%s %s a%08d", who, stem(file), n)), "\n")
}

// document returns the text of a new document.
func document(file string) []byte {
	var b strings.Builder
	b.WriteString(seal("# " + stem(file)))
	parts, filling := 0, 0
	fill := func(n int) {
		parts++
		b.WriteString("\n" + seal(fmt.Sprintf("## %s part %d", stem(file), parts)) + "\n")
		for range n {
			filling++
			b.WriteString(seal(fmt.Sprintf("%s filling %s %d", stem(file), prose(stem(file), filling), filling)))
		}
		b.WriteString("\n")
	}
	for i := range editors + opLines {
		who := editorName(i)
		if i >= editors {
			who = opLine(i - editors)
		}
		fill(fillings / (editors + opLines))
		b.WriteString(slot(who, file, 0) + "\n")
	}
	fill(1)
	b.WriteString(seal("end " + stem(file)))
	return []byte(b.String())
}

// topics are what documents are about, two each.
var topics = [...]string{
	"boat engine harbour mast rope sail", "bread oven flour dough yeast crust", "garden rose soil spade seed rain",
	"piano chord violin tune choir note", "winter snow ice frost sledge wind", "train rail ticket bridge tunnel coach",
}

// prose returns some words and a link, the same for each document and line, so that
// a follower has something to learn from and to point at.
func prose(stem string, line int) string {
	h := int(crc32.ChecksumIEEE([]byte(stem)))
	words := strings.Fields(topics[(h+line%2)%len(topics)])
	linked := (h/7 + line) % (hotFiles + quietFiles + editors*ownFiles)
	return fmt.Sprintf("%s %s [[f%02d]]", words[line%len(words)], words[(h+line/2)%len(words)], linked)
}

// setSlot puts a new marker into the line of who; false: there is no such line.
func setSlot(text []byte, who, file, marker string) ([]byte, bool) {
	prefix := fmt.Appendf(nil, "%s %s s", who, stem(file))
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return nil, false
		}
		if bytes.HasPrefix(text[at:], prefix) {
			out := append(bytes.Clone(text[:at]), marker...)
			return append(out, text[at+end:]...), true
		}
		at += end + 1
	}
	return nil, false
}

// dropAdditions returns text without the appended lines of who.
func dropAdditions(text []byte, who, file string) []byte {
	prefix := fmt.Sprintf("%s %s a", who, stem(file))
	var out []byte
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, prefix) {
			out = append(out, line...)
		}
	}
	return out
}

// hasLine reports whether text has the whole line.
func hasLine(text []byte, line string) bool {
	return bytes.Contains(text, []byte("\n"+line+"\n"))
}

// shape is what a document's lines are apart from numbers, one after another.
func shape(file string) []string {
	var keys []string
	for line := range strings.Lines(string(document(file))) {
		if body, ok := unseal(strings.TrimSuffix(line, "\n")); ok {
			keys = append(keys, key(body))
		}
	}
	return keys
}

// key is a line without the number of a save.
func key(body string) string {
	i := strings.LastIndexByte(body, ' ')
	if i > 0 && len(body)-i == 10 && (body[i+1] == 's' || body[i+1] == 'a') {
		return body[:i+2]
	}
	return body
}

// torn says what is wrong with the text of a document; empty: nothing.
func torn(text []byte, file string) string {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return "cut off"
	}
	want := shape(file)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		body, ok := unseal(line)
		switch k := key(body); {
		case !ok:
			return fmt.Sprintf("half a line: %q", line)
		case len(want) > 0 && k == want[0]:
			want = want[1:]
		case len(want) > 0:
			return fmt.Sprintf("%q where %q belongs", line, want[0])
		case !strings.HasSuffix(k, " "+stem(file)+" a"):
			return fmt.Sprintf("%q after the end", line)
		}
	}
	if len(want) > 0 {
		return fmt.Sprintf("%q and what follows is missing", want[0])
	}
	return ""
}
