// A client of kist with Connect's library, which knows only docs/clients.md and the protos:
// node client.js VAULT
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "./gen/kist/v1/common_pb.js";
import { DaemonService } from "./gen/kist/v1/daemon_pb.js";
import { OperationService, type WatchOperationsResponse } from "./gen/kist/v1/operation_pb.js";
import { SearchService } from "./gen/kist/v1/search_pb.js";
import { TaskService } from "./gen/kist/v1/task_pb.js";

// Find, start, authenticate.
const found = JSON.parse(execFileSync("kist", ["connect", "--json", "--vault", process.argv[2]], { encoding: "utf8" }));
const secret = readFileSync(found.tokenFile, "utf8").trim();
const authenticate: Interceptor = (next) => (req) => {
  req.header.set("Authorization", `Bearer ${secret}`);
  req.header.set("Kist-Client", "typescript");
  return next(req);
};
const transport = createConnectTransport({ baseUrl: found.url, httpVersion: "1.1", useHttpGet: true, interceptors: [authenticate] });
const [operations, tasks] = [createClient(OperationService, transport), createClient(TaskService, transport)];

// watch returns the first message that will do, and lets go.
async function watch(afterSeq: number | undefined, enough: (m: WatchOperationsResponse) => boolean) {
  const letGo = new AbortController();
  for await (const m of operations.watchOperations({ afterSeq }, { signal: letGo.signal })) {
    if (enough(m)) {
      letGo.abort();
      return m;
    }
  }
  throw new Error("the stream ended");
}

console.log("status: API", (await createClient(DaemonService, transport).getStatus({})).apiVersion);
const { seq } = await watch(undefined, () => true);

// A write that is sent twice is carried out once; what was missed comes first.
const paint = { project: "boat", title: "Buy paint", requestId: `client-paint-${seq}` };
const [first, again] = [(await tasks.createTask(paint)).operation!, (await tasks.createTask(paint)).operation!];
const path = first.entity!.path;
console.log("created once:", path, first.id === again.id);
const seen = (await watch(seq, (m) => m.operation !== undefined)).operation!;
console.log("watched:", seen.type, seen.entity!.path);
const hit = (await createClient(SearchService, transport).search({ query: "paint", waitSeq: first.seq })).results[0];
const marked = hit.highlightRanges.map((r) => hit.excerpt.split("\n")[r.start!.line].slice(r.start!.utf16Column, r.end!.utf16Column));
console.log("found:", hit.path, marked[0]);

// Pages, until there is no token for a next one.
await tasks.createTask({ project: "boat", title: "Sand the deck", requestId: `client-sand-${seq}` });
let [page, pages] = [await tasks.listTasks({ project: "boat", pageSize: 1 }), 1];
for (; page.nextPageToken !== ""; pages++) {
  page = await tasks.listTasks({ project: "boat", pageSize: 1, pageToken: page.nextPageToken });
}
console.log("listed:", page.totalSize, "tasks in", pages, "pages");

// What a document became since it was seen is a conflict.
const refused = ConnectError.from(await tasks.updateTask({ task: path, due: "2027-05-01", expect: "0".repeat(64) }).catch((err) => err));
console.log("refused:", Code[refused.code].toLowerCase(), refused.findDetails(ErrorInfoSchema)[0].reason);
