// SPDX-License-Identifier: Apache-2.0

// Command clientgo measures an informer of client-go as InformerRun measures those of the JVM: the first list of the process, the
// retained heap, a warm list, and bursts of events, against a CannedApiServer of another process.
//
//	clientgo URL PODS protobuf|json
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	warmLists = 12
	bursts    = 8
	burst     = 5000
)

var url, form string
var pods int

type started struct {
	stop    chan struct{}
	factory informers.SharedInformerFactory
	time    time.Duration
	updated *atomic.Int64
	done    chan struct{}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "clientgo:", err)
		os.Exit(1)
	}
}

func start() *started {
	s := &started{stop: make(chan struct{}), updated: &atomic.Int64{}, done: make(chan struct{}, bursts)}
	all := make(chan struct{})
	var added atomic.Int64
	begin := time.Now()
	config := &rest.Config{Host: url, QPS: -1} // without a content type: protocol buffers
	if form == "json" {
		config.ContentType = "application/json"
		config.AcceptContentTypes = "application/json"
	}
	client, err := kubernetes.NewForConfig(config)
	check(err)
	s.factory = informers.NewSharedInformerFactory(client, 0)
	informer := s.factory.Core().V1().Pods().Informer()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object interface{}) {
			_ = object.(*corev1.Pod)
			if added.Add(1) == int64(pods) {
				close(all)
			}
		},
		UpdateFunc: func(_, object interface{}) {
			_ = object.(*corev1.Pod)
			if s.updated.Add(1)%burst == 0 {
				s.done <- struct{}{}
			}
		},
	})
	check(err)
	s.factory.Start(s.stop)
	<-all
	s.time = time.Since(begin)
	return s
}

func (s *started) close() {
	close(s.stop)
	s.factory.Shutdown()
}

func heap() uint64 {
	var stats runtime.MemStats
	for i := 0; i < 4; i++ {
		runtime.GC()
		time.Sleep(50 * time.Millisecond)
	}
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func cpu() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func median(values []float64) float64 {
	sort.Float64s(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

func add(name string, value float64) {
	digits := 0
	if value < 100 {
		digits = 1
	}
	fmt.Printf("\t%s\t%.*f", name, digits, value)
}

func send(events int) {
	response, err := http.Get(url + "/send/" + strconv.Itoa(events))
	check(err)
	_, err = io.Copy(io.Discard, response.Body)
	check(err)
	check(response.Body.Close())
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: clientgo URL PODS protobuf|json")
		os.Exit(2)
	}
	url, form = os.Args[1], os.Args[3]
	count, err := strconv.Atoi(os.Args[2])
	check(err)
	pods = count
	name := "client-go"
	if form == "json" {
		name = "client-go-json"
	}
	fmt.Printf("%s\tpods\t%d", name, pods)

	cold := start()
	add("cold ms", float64(cold.time.Microseconds())/1e3)
	cold.close()
	before := heap()
	cached := start()
	add("retained B/pod", float64(heap()-before)/float64(pods))
	cached.close()
	var lists, listCpus []float64
	for i := 0; i < warmLists; i++ {
		cpuBefore := cpu()
		warm := start()
		listCpus = append(listCpus, float64((cpu()-cpuBefore).Microseconds())/1e3)
		lists = append(lists, float64(warm.time.Microseconds())/1e3)
		warm.close()
	}
	add("warm ms", median(lists[warmLists/2:]))
	add("warm CPU ms", median(listCpus[warmLists/2:]))

	watching := start()
	var rates, bytes, cpus []float64
	for i := 0; i < bursts; i++ {
		allocatedBefore, cpuBefore, begin := allocated(), cpu(), time.Now()
		send(burst)
		<-watching.done
		rates = append(rates, burst/time.Since(begin).Seconds())
		bytes = append(bytes, float64(allocated()-allocatedBefore)/burst)
		cpus = append(cpus, float64((cpu()-cpuBefore).Nanoseconds())/1e3/burst)
	}
	add("events/s", median(rates[bursts/2:]))
	add("B/event", median(bytes[bursts/2:]))
	add("CPU us/event", median(cpus[bursts/2:]))
	fmt.Println()
	watching.close()
}
