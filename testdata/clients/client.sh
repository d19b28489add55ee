#!/bin/sh
# A client of kist that needs only sh, curl and kist itself: client.sh VAULT
# docs/clients.md is made of its lines, and a test runs it.
set -eu
umask 077
tmp=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill $pid 2>/dev/null || true; rm -rf "$tmp"' EXIT
fail() { printf 'client.sh: %s\n' "$1" >&2; exit 1; }
say() { printf '%s\n' "$1"; }

# The first string, or number, of a name in some JSON; a client with jq does better.
field() { grep -ao "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
number() { grep -ao "\"$1\": *[0-9]*" | head -n 1 | grep -o '[0-9]*$'; }

# Find, start, authenticate. The token is in no command line, where others could see it.
found=$(kist connect --json --vault "$1")
url=$(say "$found" | field url)
socket=$(say "$found" | field socket)
token=$(say "$found" | field tokenFile)
printf 'Authorization: Bearer %s\nKist-Client: shell\n' "$(cat "$token")" >"$tmp/headers"

# Call.
call() { curl -sS -H "@$tmp/headers" -H 'Content-Type: application/json' -d "$2" "$url/kist.v1.$1"; }
ask() { curl -sS -H "@$tmp/headers" -G -d connect=v1 -d encoding=json --data-urlencode "message=$2" "$url/kist.v1.$1"; }
at_socket() { curl -sS -H "@$tmp/headers" -H 'Content-Type: application/json' -d "$2" --unix-socket "$socket" "http://localhost/kist.v1.$1"; }

# Stream. A request, and each answer, has five bytes before it: a flag and its length.
stream() {
	printf "\\0\\0\\0\\0\\$(printf %03o ${#2})%s" "$2" >"$tmp/request"
	: >"$tmp/events"
	curl -sSN -H "@$tmp/headers" -H 'Content-Type: application/connect+json' --data-binary "@$tmp/request" "$url/kist.v1.$1" >"$tmp/events" &
	pid=$!
}
# Wait until a stream says something, and let go of it.
await() {
	tries=0
	until grep -aq "$1" "$tmp/events"; do
		tries=$((tries + 1))
		[ $tries -lt 400 ] || fail "no $1 in $(tr -d '\0' <"$tmp/events")"
		sleep 0.05
	done
	kill $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
	pid=
}

api=$(ask DaemonService/GetStatus '{}' | number apiVersion)
[ "$api" = 1 ] || fail "this client is for API 1, not $api"
at_socket DaemonService/GetStatus '{}' | grep -q '"request_id"' || fail 'the daemon has no request_id'
say "status: API $api"

# Watch, let go, and miss something.
stream OperationService/WatchOperations '{}'
await '"seq"'
seq=$(number seq <"$tmp/events")

# A write that is sent twice is carried out once.
paint='{"project":"boat","title":"Buy paint","request_id":"client-paint-1"}'
first=$(call TaskService/CreateTask "$paint" | grep -o '"operation".*')
again=$(call TaskService/CreateTask "$paint" | grep -o '"operation".*')
[ "$(say "$first" | field id)" = "$(say "$again" | field id)" ] || fail "two operations: $first $again"
path=$(say "$first" | field path)
say "created once: $path"

# Reconnect: what was missed comes first.
stream OperationService/WatchOperations "{\"after_seq\":$seq}"
await "\"path\": *\"$path\""
say "watched: $(field type <"$tmp/events") $path"

# Search, with what was just written.
hits=$(call SearchService/Search "{\"query\":\"paint\",\"wait_seq\":$(say "$first" | number seq)}")
say "found: $(say "$hits" | field path)"

# Replace a range of a text, of the document as it was seen.
call VaultService/CreateDocument '{"path":"colours.md","text":"red hull\n"}' >"$tmp/answer"
hash=$(call VaultService/GetDocument '{"path":"colours.md"}' | field hash)
edit='{"range":{"start":{"line":0,"column":0},"end":{"line":0,"column":3}},"text":"blue"}'
call VaultService/EditDocument "{\"path\":\"colours.md\",\"expect\":\"$hash\",\"edits\":[$edit]}" >"$tmp/answer"
call VaultService/GetDocument '{"path":"colours.md"}' | grep -q '"content": *"blue hull' || fail "not edited: $(cat "$tmp/answer")"
call VaultService/EditDocument "{\"path\":\"colours.md\",\"expect\":\"$hash\",\"edits\":[$edit]}" | grep -q CONFLICT || fail 'edited twice'
say 'edited: once'

# Pages, until there is no token for a next one.
call TaskService/CreateTask '{"project":"boat","title":"Sand the deck","request_id":"client-sand-1"}' >"$tmp/answer"
pages=0 next=
while :; do
	page=$(call TaskService/ListTasks "{\"project\":\"boat\",\"page_size\":1,\"page_token\":\"$next\"}")
	pages=$((pages + 1))
	next=$(say "$page" | field nextPageToken)
	[ -n "$next" ] || break
done
say "listed: $(say "$page" | number totalSize) tasks in $pages pages"

# Guard a write by the hash of what was seen; this one was never seen.
stale=0000000000000000000000000000000000000000000000000000000000000000
hash=$(call VaultService/GetDocument "{\"path\":\"$path\"}" | field hash)
refused=$(call TaskService/UpdateTask "{\"task\":\"$path\",\"due\":\"2027-05-01\",\"expect\":\"$stale\"}")
say "refused: $(say "$refused" | field code), $(say "$refused" | grep -o '"reason": *"[A-Z_]*"' | cut -d '"' -f 4)"
call TaskService/UpdateTask "{\"task\":\"$path\",\"due\":\"2027-05-01\",\"expect\":\"$hash\"}" | grep -q '"due": *"2027' || fail 'the right hash was refused'

# Propose, show, approve. A second approval of the same digest returns the operation again.
proposed=$(call TaskService/CompleteTask "{\"task\":\"$path\",\"propose\":true}" | grep -o '"operation".*')
approval="{\"id\":\"$(say "$proposed" | field id)\",\"digest\":\"$(say "$proposed" | field digest)\"}"
call OperationService/ApproveOperation "$approval" >"$tmp/answer"
status=$(call OperationService/ApproveOperation "$approval" | field status)
say "approved: $(say "$proposed" | field status), then $status"

# Talk. The turn goes on when the client lets go, and is taken up again.
stream SessionService/Send '{"session":"new","text":"what is open?","request_id":"client-turn-1"}'
await '"turnBegun"'
session=$(field session <"$tmp/events")
stream SessionService/WatchTurn "{\"session\":\"$session\",\"turn\":\"client-turn-1\",\"after_event\":1}"
await '"done"'
call SessionService/CancelTurn '{"turn":"client-turn-1"}' | grep -q '"ended": *true' || fail 'the turn still runs'
say "turn: ended"
