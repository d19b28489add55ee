#!/bin/sh
# A client of kist that needs only sh, curl and kist itself: client.sh VAULT
# docs/clients.md explains what it does, and a test runs both.
set -eu
umask 077
tmp=$(mktemp -d)
trap '[ $? = 0 ] || cat "$tmp/last" >&2; rm -rf "$tmp"' EXIT
say() { printf '%s\n' "$1"; }
field() { grep -o "\"$1\": *[^,}]*" | head -n 1 | sed 's/^[^:]*: *//; s/"//g'; }

# Find, start, authenticate. The token is in no command line, where others could see it.
found=$(kist connect --json --vault "$1")
url=$(say "$found" | field url)
token=$(cat "$(say "$found" | field tokenFile)")
printf 'header = "%s"\n' "Authorization: Bearer $token" 'Kist-Client: shell' 'Content-Type: application/json' >"$tmp/curl"

# Call; and watch until a line has a word, then let go.
call() { curl -sS -K "$tmp/curl" -d "$2" "$url/kist.v1.$1" | tee "$tmp/last"; }
watch() {
	rm -f "$tmp/lines" && mkfifo "$tmp/lines" # its own: the last one's may not be let go of yet
	curl -sN -m 60 -K "$tmp/curl" -d "$2" "$url/kist.v1.$1" >"$tmp/lines" &
	grep -m 1 "$3" "$tmp/lines"
	kill $! 2>/dev/null || :
}

say "status: API $(call DaemonService/GetStatus '{}' | field apiVersion)"
seq=$(watch OperationService/WatchOperations '{}' seq | field seq)

# A write that is sent twice is carried out once; a stream begins with what was missed.
paint="{\"project\":\"boat\",\"title\":\"Buy paint\",\"request_id\":\"client-paint-$seq\"}"
first=$(call TaskService/CreateTask "$paint" | grep -o '"operation".*')
again=$(call TaskService/CreateTask "$paint" | grep -o '"operation".*')
path=$(say "$first" | field path)
[ "$(say "$first" | field id)" != "$(say "$again" | field id)" ] || say "created once: $path"
missed=$(watch OperationService/WatchOperations "{\"after_seq\":$seq}" operation)
say "watched: $(say "$missed" | field type) $(say "$missed" | field path)"
# Search, with what was just written.
say "found: $(call SearchService/Search "{\"query\":\"paint\",\"wait_seq\":$(say "$first" | field seq)}" | field path)"

# Pages, until there is no token for a next one.
call TaskService/CreateTask "{\"project\":\"boat\",\"title\":\"Sand the deck\",\"request_id\":\"client-sand-$seq\"}" >"$tmp/answer"
pages=0 next=
while [ $pages = 0 ] || [ -n "$next" ]; do
	page=$(call TaskService/ListTasks "{\"project\":\"boat\",\"page_size\":1,\"page_token\":\"$next\"}")
	pages=$((pages + 1)) next=$(say "$page" | field nextPageToken)
done
say "listed: $(say "$page" | field totalSize) tasks in $pages pages"

# Guard a write by the hash of what was seen; propose one, and approve it by its digest.
refused=$(call TaskService/UpdateTask "{\"task\":\"$path\",\"due\":\"2027-05-01\",\"expect\":\"$(printf %064d 0)\"}")
say "refused: $(say "$refused" | field code), $(say "$refused" | grep -ow CONFLICT)"
proposed=$(call TaskService/CompleteTask "{\"task\":\"$path\",\"propose\":true}" | grep -o '"operation".*')
approval="{\"id\":\"$(say "$proposed" | field id)\",\"digest\":\"$(say "$proposed" | field digest)\"}"
approved=$(call OperationService/ApproveOperation "$approval")
say "approved: $(say "$proposed" | field status), then $(say "$approved" | field status)"

# Talk: the events of a turn, one a line; it goes on when the client lets go, and is taken up again.
turn=$(watch SessionService/Send "{\"session\":\"new\",\"text\":\"what is open?\",\"request_id\":\"client-turn-$seq\"}" turnBegun)
session=$(say "$turn" | field session)
call SessionService/WatchTurn "{\"session\":\"$session\",\"turn\":\"client-turn-$seq\",\"after_event\":1}" | grep -q '"done"' && say 'turn: done'
