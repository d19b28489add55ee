package daemon

import (
	"net"
	"testing"
	"time"
)

func TestLimit(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit(inner, 2)
	accepted := make(chan net.Conn, 3)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first, second := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Fatal("a third connection was accepted")
	case <-time.After(20 * time.Millisecond):
	}
	first.Close()
	first.Close() // counts once
	third := <-accepted
	l.Close() // while Accept waits for a slot
	if c, more := <-accepted; more {
		t.Errorf("%v was accepted after the end", c)
	}
	second.Close()
	third.Close()
}
