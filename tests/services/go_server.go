// A program that serves its own profiles, by net/http/pprof: go_server PORT_FILE
package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
)

var kept [][]byte

//go:noinline
func keepOnPurpose() {
	for i := 0; i < 64; i++ {
		kept = append(kept, make([]byte, 1<<20))
	}
}

//go:noinline
func busyOnPurpose() {
	x := 0
	for i := 0; ; i++ {
		x += i * i
		if x == 1 {
			fmt.Println(x)
		}
	}
}

//go:noinline
func waitOnPurpose(lock *sync.Mutex) {
	lock.Lock()
}

func main() {
	var lock sync.Mutex
	lock.Lock()
	keepOnPurpose()
	go busyOnPurpose()
	go waitOnPurpose(&lock)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	os.WriteFile(os.Args[1]+".new", []byte(fmt.Sprint(port)), 0o644)
	os.Rename(os.Args[1]+".new", os.Args[1])
	http.Serve(listener, nil)
}
