// Package clients holds a client of kist that knows nothing of its code, only docs/clients.md.
package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

type object = map[string]any

type client struct{ URL, TokenFile, token string }

// Main is the program: client VAULT. What can't go on panics.
func Main() {
	c := find(os.Args[1])
	fmt.Println("status: API", c.call("DaemonService/GetStatus", object{})["apiVersion"])
	start := c.watch(object{}, func(m object) bool { return true })["seq"]
	paint := object{"project": "boat", "title": "Buy paint", "request_id": "client-paint-1"}
	first, again := c.call("TaskService/CreateTask", paint)["operation"].(object), c.call("TaskService/CreateTask", paint)["operation"].(object)
	path := first["entity"].(object)["path"]
	fmt.Println("created once:", path, first["id"] == again["id"])
	seen := c.watch(object{"after_seq": start}, func(m object) bool { return m["operation"] != nil })["operation"].(object)
	fmt.Println("watched:", seen["type"], seen["entity"].(object)["path"])
	hits := c.call("SearchService/Search", object{"query": "paint", "wait_seq": first["seq"]})["results"].([]any)
	fmt.Println("found:", hits[0].(object)["path"])
	c.call("TaskService/CreateTask", object{"project": "boat", "title": "Sand the deck", "request_id": "client-sand-1"})
	pages, page := 1, c.call("TaskService/ListTasks", object{"project": "boat", "page_size": 1})
	for ; page["nextPageToken"] != nil; pages++ {
		page = c.call("TaskService/ListTasks", object{"project": "boat", "page_size": 1, "page_token": page["nextPageToken"]})
	}
	fmt.Println("listed:", page["totalSize"], "tasks in", pages, "pages")
	refused := c.call("TaskService/UpdateTask", object{"task": path, "due": "2027-05-01", "expect": strings.Repeat("0", 64)})
	fmt.Println("refused:", refused["code"], refused["details"].([]any)[0].(object)["debug"].(object)["reason"])
}

func find(vault string) (c client) {
	found := must(exec.Command("kist", "connect", "--json", "--vault", vault).Output())
	must(0, json.Unmarshal(found, &c))
	c.token = strings.TrimSpace(string(must(os.ReadFile(c.TokenFile))))
	return c
}

func (c client) post(procedure, kind, body string) *http.Response {
	req := must(http.NewRequest("POST", c.URL+"/kist.v1."+procedure, strings.NewReader(body)))
	req.Header = http.Header{"Content-Type": {kind}, "Authorization": {"Bearer " + c.token}, "Kist-Client": {"sixty"}}
	return must(http.DefaultClient.Do(req))
}

// call returns the answer; one with a code is an error.
func (c client) call(procedure string, in object) (out object) {
	res := c.post(procedure, "application/json", string(must(json.Marshal(in))))
	defer res.Body.Close()
	must(0, json.NewDecoder(res.Body).Decode(&out))
	return out
}

// watch returns the first message that will do, and lets go.
func (c client) watch(in object, enough func(object) bool) (m object) {
	body := string(must(json.Marshal(in)))
	res := c.post("OperationService/WatchOperations", "application/connect+json", "\x00\x00\x00\x00"+string(rune(len(body)))+body) // below 128 bytes
	defer res.Body.Close()
	for frame := make([]byte, 5); m == nil || !enough(m); {
		must(io.ReadFull(res.Body, frame)) // a flag, 2 for the end of the stream, and the length
		m = nil
		must(0, json.NewDecoder(io.LimitReader(res.Body, int64(frame[1])<<24+int64(frame[2])<<16+int64(frame[3])<<8+int64(frame[4]))).Decode(&m))
		if frame[0]&2 != 0 {
			panic(m)
		}
	}
	return m
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
