// Package clients holds a client of kist that knows nothing of its code, only docs/clients.md.
package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

type object = map[string]any
type client struct{ URL, TokenFile, token string }

// Main is the program: client VAULT. What can't go on panics.
func Main() {
	var c client
	must(0, json.Unmarshal(must(exec.Command("kist", "connect", "--json", "--vault", os.Args[1]).Output()), &c))
	c.token = strings.TrimSpace(string(must(os.ReadFile(c.TokenFile))))
	fmt.Println("status: API", c.call("DaemonService/GetStatus", object{})["apiVersion"])
	start := c.call("OperationService/WatchOperations", object{})["seq"]
	paint := object{"project": "boat", "title": "Buy paint", "request_id": fmt.Sprint("client-paint-", start)}
	first, again := c.call("TaskService/CreateTask", paint)["operation"].(object), c.call("TaskService/CreateTask", paint)["operation"].(object)
	path := first["entity"].(object)["path"]
	fmt.Println("created once:", path, first["id"] == again["id"])
	missed := c.call("OperationService/WatchOperations", object{"after_seq": start}, "operation")["operation"].(object)
	fmt.Println("watched:", missed["type"], missed["entity"].(object)["path"])
	found := c.call("SearchService/Search", object{"query": "paint", "wait_seq": first["seq"]})
	fmt.Println("found:", found["results"].([]any)[0].(object)["path"])
	c.call("TaskService/CreateTask", object{"project": "boat", "title": "Sand the deck", "request_id": fmt.Sprint("client-sand-", start)})
	pages, page := 1, c.call("TaskService/ListTasks", object{"project": "boat", "page_size": 1})
	for ; page["nextPageToken"] != nil; pages++ {
		page = c.call("TaskService/ListTasks", object{"project": "boat", "page_size": 1, "page_token": page["nextPageToken"]})
	}
	fmt.Println("listed:", page["totalSize"], "tasks in", pages, "pages")
	refused := c.call("TaskService/UpdateTask", object{"task": path, "due": "2027-05-01", "expect": strings.Repeat("0", 64)})
	fmt.Println("refused:", refused["code"], refused["details"].([]any)[0].(object)["debug"].(object)["reason"])
}

// call returns the answer; of a stream the first, or the first that has the field, or the end.
func (c client) call(procedure string, request object, field ...string) (answer object) {
	req := must(http.NewRequest("POST", c.URL+"/kist.v1."+procedure, strings.NewReader(string(must(json.Marshal(request))))))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.token}, "Kist-Client": {"sixty"}}
	res := must(http.DefaultClient.Do(req))
	defer res.Body.Close()
	for lines := json.NewDecoder(res.Body); ; answer = nil {
		must(0, lines.Decode(&answer))
		if answer["end"] != nil || len(field) == 0 || answer[field[0]] != nil {
			return answer
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
