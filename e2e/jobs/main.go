// Prints schedules, missed starts, delays, index lists, names and success rules with what Kubernetes' own functions and its cron library
// make of them, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"
	"time"
	_ "time/tzdata"

	"github.com/robfig/cron/v3"
	batch "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"kubeloop/jobs/cronjob"
	"kubeloop/jobs/job"
)

type schedule struct {
	Text  string   `json:"text"`
	From  string   `json:"from"`
	Next  []string `json:"next"`
	Error string   `json:"error"`
}

type starts struct {
	Schedule string `json:"schedule"`
	Created  string `json:"created"`
	Last     string `json:"last"`
	Deadline int64  `json:"deadline"` // -1 for none
	Now      string `json:"now"`

	Earliest string `json:"earliest"`
	Latest   string `json:"latest"`
	Many     bool   `json:"many"`
	Error    string `json:"error"`
	Until    int64  `json:"until"` // milliseconds
}

type intervals struct {
	Text        string `json:"text"`
	Completions int    `json:"completions"`
	Added       []int  `json:"added"`

	Result string `json:"result"`
	Total  int    `json:"total"`
	Index  int    `json:"index"`
	Has    bool   `json:"has"`
}

type backoff struct {
	Failures int32 `json:"failures"`
	Ago      int64 `json:"ago"`  // seconds
	Left     int64 `json:"left"` // seconds
}

type name struct {
	Job    string `json:"job"`
	Index  int    `json:"index"`
	Prefix string `json:"prefix"`
}

type success struct {
	Rules       []batch.SuccessPolicyRule `json:"rules"`
	Completions int32                     `json:"completions"`
	Succeeded   string                    `json:"succeeded"`
	Message     string                    `json:"message"`
}

type output struct {
	Schedules []schedule  `json:"schedules"`
	Starts    []starts    `json:"starts"`
	Intervals []intervals `json:"intervals"`
	Backoffs  []backoff   `json:"backoffs"`
	Names     []name      `json:"names"`
	Successes []success   `json:"successes"`
}

var fixed = []string{
	"* * * * *", "0 3 * * *", "30 6-16/4 * * 1-5", "0 0 31 * *", "59 23 31 2 *", "0 0 29 2 *", "*/15 0-6,22 1,15 * 1-5",
	"0 0 13 * 5", "0 0 13 * ?", "5/20 * * jan,JUL mon-fri", "0 12 1 */3 *", "*/7 */5 */10 */2 */3", "@hourly", "@daily", "@midnight",
	"@weekly", "@monthly", "@yearly", "@annually", "@every 1h30m", "@every 90s", "@every 500ms", "@every 1.5s", "@every 1m1.9s",
	"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7", "5-1 * * * *", "*/0 * * * *",
	"1-2-3 * * * *", "1/2/3 * * * *", "a * * * *", "-1 * * * *", "@fortnightly", "@every x", "TZ=Nowhere/Land * * * * *", "TZ=UTC 0 5 * * *",
	"CRON_TZ=Asia/Tokyo 0 5 * * *", ",5 * * * *", "1,,2 * * * *",
}

var zones = []string{"Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe", "Europe/London",
	"Asia/Kolkata", "America/Havana", "Africa/Casablanca"}

var zoned = []string{"30 2 * * *", "0 * * * *", "15,45 1-3 * * *", "0 0 * * *", "30 0 * * 0", "0 0 1 * *", "59 23 * * *", "0 1 29 3 *"}

var froms = []string{"2018-11-03T12:00:00Z", "2020-03-28T12:34:56Z", "2020-03-28T21:30:00Z", "2020-10-24T22:10:00Z", "2021-03-27T20:00:00Z",
	"2021-10-31T00:30:00Z", "2011-12-29T08:00:00Z", "2024-02-28T23:59:59Z", "2023-12-31T23:59:30Z"}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func text(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func next(spec, from string) schedule {
	s := schedule{Text: spec, From: from, Next: []string{}}
	defer func() {
		if r := recover(); r != nil {
			s.Error = fmt.Sprintf("invalid schedule format: %v", r)
		}
	}()
	parsed, err := cron.ParseStandard(spec)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	t := at(from)
	for i := 0; i < 4; i++ {
		if t = parsed.Next(t); t.IsZero() {
			s.Next = append(s.Next, "")
			break
		}
		s.Next = append(s.Next, text(t))
	}
	return s
}

func missed(r *rand.Rand) starts {
	specs := []string{"* * * * *", "0 * * * *", "30 6-16/4 * * 1-5", "@every 7m", "@daily", "59 23 31 2 *", "*/10 * * * *", "0 0 29 2 *"}
	s := starts{Schedule: specs[r.Intn(len(specs))], Deadline: -1}
	created := at("2024-05-01T10:00:00Z").Add(time.Duration(r.Intn(100000)) * time.Second)
	now := created.Add(time.Duration(r.Intn([]int{120, 7200, 500000}[r.Intn(3)])) * time.Second).Add(time.Duration(r.Intn(1000)) * time.Millisecond)
	cj := &batch.CronJob{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created)}}
	if r.Intn(2) == 0 {
		last := metav1.NewTime(created.Add(time.Duration(r.Int63n(int64(now.Sub(created))+1)) / time.Second * time.Second))
		cj.Status.LastScheduleTime = &last
		s.Last = text(last.Time)
	}
	if r.Intn(3) == 0 {
		s.Deadline = int64(r.Intn(3000))
		cj.Spec.StartingDeadlineSeconds = &s.Deadline
	}
	s.Created, s.Now = text(created), text(now)
	parsed, err := cron.ParseStandard(s.Schedule)
	if err != nil {
		panic(err)
	}
	earliest, latest, missed, err := cronjob.ExportStarts(cj, now, parsed, true)
	s.Earliest, s.Many = text(earliest), missed == "many"
	if latest != nil {
		s.Latest = text(*latest)
	}
	if err != nil {
		s.Error = err.Error()
	} else {
		s.Until = cronjob.ExportUntilNext(cj, now, parsed).Milliseconds()
	}
	return s
}

func indexes(r *rand.Rand, most, count int) []int {
	set := map[int]bool{}
	for i := 0; i < count; i++ {
		set[r.Intn(most)] = true
	}
	result := []int{}
	for i := range set {
		result = append(result, i)
	}
	sort.Ints(result)
	return result
}

func main() {
	klog.SetOutput(os.Stderr)
	r := rand.New(rand.NewSource(1))
	time.Local = time.UTC
	var out output
	for _, spec := range fixed {
		out.Schedules = append(out.Schedules, next(spec, "2024-01-30T22:59:30Z"), next(spec, "2023-02-28T23:59:59.5Z"))
	}
	for _, zone := range zones {
		for _, spec := range zoned {
			for _, from := range froms {
				out.Schedules = append(out.Schedules, next("TZ="+zone+" "+spec, from))
			}
		}
	}
	for i := 0; i < 200; i++ {
		out.Starts = append(out.Starts, missed(r))
	}
	for i := 0; i < 100; i++ {
		completions := 1 + r.Intn(30)
		text, _ := job.ExportIntervals("", 30, indexes(r, 30, r.Intn(12)))
		if r.Intn(8) == 0 {
			text = []string{"x,3", "1-,4", "0-2,3-5", "7", "2-40", "1,2,3", ""}[r.Intn(7)]
		}
		v := intervals{Text: text, Completions: completions, Added: indexes(r, completions, r.Intn(6)), Index: r.Intn(30)}
		v.Result, v.Total = job.ExportIntervals(text, completions, v.Added)
		v.Has = job.ExportHas(text, completions, v.Index)
		out.Intervals = append(out.Intervals, v)
	}
	for failures := int32(0); failures < 10; failures++ {
		for _, ago := range []int64{0, 5, 10, 11, 100, 700} {
			left := job.ExportRemaining(failures, time.Duration(ago)*time.Second)
			out.Backoffs = append(out.Backoffs, backoff{failures, ago, int64(left / time.Second)})
		}
	}
	for i := 0; i < 30; i++ {
		v := name{Job: strings.Repeat("j", 1+r.Intn(63)), Index: r.Intn(100000)}
		v.Prefix = job.ExportName(v.Job, v.Index)
		out.Names = append(out.Names, v)
	}
	for i := 0; i < 100; i++ {
		v := success{Completions: 20}
		for n := 1 + r.Intn(3); n > 0; n-- {
			var rule batch.SuccessPolicyRule
			if r.Intn(3) > 0 {
				text, _ := job.ExportIntervals("", 20, indexes(r, 20, 1+r.Intn(6)))
				rule.SucceededIndexes = &text
			}
			if rule.SucceededIndexes == nil || r.Intn(2) == 0 {
				count := int32(1 + r.Intn(6))
				rule.SucceededCount = &count
			}
			v.Rules = append(v.Rules, rule)
		}
		v.Succeeded, _ = job.ExportIntervals("", 20, indexes(r, 20, r.Intn(14)))
		v.Message = job.ExportSuccess(v.Rules, v.Completions, v.Succeeded)
		out.Successes = append(out.Successes, v)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}
