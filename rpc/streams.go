package rpc

import (
	"kist/rpc/fault"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Streams stay open for as long as their clients want, so that one which forgets to close
// its own would take all memory in the end, and all connections.
const (
	maxStreamsEach = 256  // of one client, by the name that it gives itself
	maxStreams     = 2048 // of all
	// manyStreams at a time leave enough behind when they end to be worth a collection,
	// which comes once half are gone and no other has ended for streamsQuiet.
	manyStreams  = 64
	streamsQuiet = time.Second
)

// streams counts the streams that are open. Its zero value is ready.
type streams struct {
	mu      sync.Mutex
	open    map[string]int
	all     int
	most    int // that were open at a time since memory was given back
	collect *time.Timer
}

// begin counts a stream of a client; end is to be called once. It returns fault.ErrStreams.
func (s *streams) begin(client string) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[client] >= maxStreamsEach || s.all >= maxStreams {
		return nil, fault.ErrStreams
	}
	if s.open == nil {
		s.open = map[string]int{}
	}
	s.open[client]++
	s.all++
	s.most = max(s.most, s.all)
	return func() { s.end(client) }, nil
}

// end gives memory back after many: an idle process would keep it for minutes.
func (s *streams) end(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.open[client]--; s.open[client] == 0 {
		delete(s.open, client)
	}
	if s.most < manyStreams || s.all > s.most/2 {
		return
	}
	if s.collect != nil {
		s.collect.Stop()
	}
	s.collect = time.AfterFunc(streamsQuiet, func() {
		s.mu.Lock()
		s.most = s.all
		s.mu.Unlock()
		runtime.GC() // what is pooled outlives one collection
		debug.FreeOSMemory()
	})
}
