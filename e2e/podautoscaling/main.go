// Prints made-up metrics, pods and histories with the numbers of pods that the functions of Kubernetes' horizontal pod autoscaler
// compute for them, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"

	"kubeloop/podautoscaling/podautoscaler"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

const (
	cpuPeriod = 300
	readiness = 30
)

// pod is a pod in words; times are seconds before now, -1 for none.
type pod struct {
	Phase      string            `json:"phase"`
	Ready      string            `json:"ready"` // a status, or empty for no condition
	Started    int               `json:"started"`
	Transition int               `json:"transition"`
	Deleting   bool              `json:"deleting"`
	Requests   map[string]string `json:"requests"`
	Usage      string            `json:"usage"` // empty for no value
	Measured   int               `json:"measured"`
	Window     int               `json:"window"`
}

type calculation struct {
	Kind           string   `json:"kind"`
	Resource       string   `json:"resource"`
	Container      string   `json:"container"`
	SpecReplicas   int32    `json:"specReplicas"`
	StatusReplicas int32    `json:"statusReplicas"`
	Target         int64    `json:"target"` // percent, or thousandths
	Down           float64  `json:"down"`
	Up             float64  `json:"up"`
	Pods           []pod    `json:"pods"`
	Values         []string `json:"values"` // of an object or external metric

	Replicas    int32  `json:"replicas"`
	Utilization int32  `json:"utilization"`
	Usage       int64  `json:"usage"`
	Error       string `json:"error"`
}

// source serves the metrics of a calculation.
type source struct{ c *calculation }

var now = time.Now()

func ago(seconds int) time.Time { return now.Add(-time.Duration(seconds) * time.Second) }

func name(i int) string { return fmt.Sprintf("p%d", i) }

func milli(text string) int64 {
	q := resource.MustParse(text)
	return q.MilliValue()
}

func (s source) pods() (metrics.PodMetricsInfo, time.Time, error) {
	info := metrics.PodMetricsInfo{}
	for i, p := range s.c.Pods {
		if p.Usage != "" {
			info[name(i)] = metrics.PodMetric{Timestamp: ago(p.Measured), Window: time.Duration(p.Window) * time.Second, Value: milli(p.Usage)}
		}
	}
	return info, now, nil
}

func (s source) GetResourceMetric(_ context.Context, _ v1.ResourceName, _ string, _ labels.Selector, _ string) (metrics.PodMetricsInfo, time.Time, error) {
	return s.pods()
}

func (s source) GetRawMetric(_, _ string, _, _ labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return s.pods()
}

func (s source) GetObjectMetric(_, _ string, _ *autoscaling.CrossVersionObjectReference, _ labels.Selector) (int64, time.Time, error) {
	return milli(s.c.Values[0]), now, nil
}

func (s source) GetExternalMetric(_, _ string, _ labels.Selector) ([]int64, time.Time, error) {
	var values []int64
	for _, v := range s.c.Values {
		values = append(values, milli(v))
	}
	return values, now, nil
}

func object(i int, p pod) *v1.Pod {
	o := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name(i), Namespace: "ns"}, Status: v1.PodStatus{Phase: v1.PodPhase(p.Phase)}}
	if p.Deleting {
		t := metav1.NewTime(now)
		o.DeletionTimestamp = &t
	}
	if p.Started >= 0 {
		t := metav1.NewTime(ago(p.Started))
		o.Status.StartTime = &t
	}
	if p.Ready != "" {
		condition := v1.PodCondition{Type: v1.PodReady, Status: v1.ConditionStatus(p.Ready)}
		if p.Transition >= 0 {
			condition.LastTransitionTime = metav1.NewTime(ago(p.Transition))
		}
		o.Status.Conditions = append(o.Status.Conditions, condition)
	}
	requests := v1.ResourceList{}
	for r, q := range p.Requests {
		requests[v1.ResourceName(r)] = resource.MustParse(q)
	}
	o.Spec.Containers = []v1.Container{{Name: "app", Resources: v1.ResourceRequirements{Requests: requests}}}
	return o
}

func compute(c *calculation) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for i, p := range c.Pods {
		_ = indexer.Add(object(i, p))
	}
	calc := podautoscaler.NewReplicaCalculator(source{c}, corelisters.NewPodLister(indexer), cpuPeriod*time.Second, readiness*time.Second)
	t := podautoscaler.ExportTolerances(c.Down, c.Up)
	all := labels.Everything()
	ref := &autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "web", APIVersion: "v1"}
	var err error
	switch c.Kind {
	case "utilization":
		c.Replicas, c.Utilization, c.Usage, _, err = calc.GetResourceReplicas(context.TODO(), c.SpecReplicas, int32(c.Target), v1.ResourceName(c.Resource), t, "ns", all, c.Container)
	case "raw":
		c.Replicas, c.Usage, _, err = calc.GetRawResourceReplicas(context.TODO(), c.SpecReplicas, c.Target, v1.ResourceName(c.Resource), t, "ns", all, c.Container)
	case "pods":
		c.Replicas, c.Usage, _, err = calc.GetMetricReplicas(c.SpecReplicas, c.Target, "m", t, "ns", all, all)
	case "object":
		c.Replicas, c.Usage, _, err = calc.GetObjectMetricReplicas(c.SpecReplicas, c.Target, "m", t, "ns", ref, all, all)
	case "objectPerPod":
		c.Replicas, c.Usage, _, err = calc.GetObjectPerPodMetricReplicas(c.StatusReplicas, c.Target, "m", t, "ns", ref, all)
	case "external":
		c.Replicas, c.Usage, _, err = calc.GetExternalMetricReplicas(c.SpecReplicas, c.Target, "m", t, "ns", nil, all)
	case "externalPerPod":
		c.Replicas, c.Usage, _, err = calc.GetExternalPerPodMetricReplicas(c.StatusReplicas, c.Target, "m", t, "ns", nil)
	}
	if err != nil {
		// The pods come in no order, so that which one is named first is left out.
		c.Error, _, _ = strings.Cut(err.Error(), " of Pod")
		c.Replicas, c.Utilization, c.Usage = 0, 0, 0
	}
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.Intn(len(values))] }

func randomPod(r *rand.Rand, c *calculation) pod {
	p := pod{
		Phase: pick(r, "Running", "Running", "Running", "Running", "Running", "Pending", "Failed"), Ready: pick(r, "True", "True", "True", "True", "False", ""),
		Started: pick(r, 10, 100, 290, 310, 1000, 5000, -1), Transition: pick(r, -1, 5, 95, 285, 305, 990, 4985),
		Deleting: r.Intn(12) == 0, Measured: pick(r, 0, 20, 60), Window: pick(r, 15, 60),
		Requests: map[string]string{},
	}
	if r.Intn(25) > 0 {
		p.Requests["cpu"] = fmt.Sprintf("%dm", 50+r.Intn(1000))
		p.Requests["memory"] = fmt.Sprintf("%dMi", 16+r.Intn(500))
	}
	if r.Intn(6) > 0 {
		if c.Resource == "memory" {
			p.Usage = fmt.Sprintf("%dKi", r.Intn(600000))
		} else {
			p.Usage = fmt.Sprintf("%dm", r.Intn(1500))
		}
	}
	return p
}

func steady(p *pod) {
	p.Phase, p.Ready, p.Started, p.Transition, p.Deleting = "Running", "True", 5000, 4985, false
}

func randomCalculation(r *rand.Rand, kind string) *calculation {
	c := &calculation{Kind: kind, Resource: pick(r, "cpu", "cpu", "memory"), Container: pick(r, "", "", "app"), Down: pick(r, 0.1, 0.1, 0, 0.05, 0.5), Up: pick(r, 0.1, 0.1, 0, 0.25)}
	if kind == "pods" {
		c.Resource = ""
	}
	n := r.Intn(8)
	allSteady := r.Intn(3) == 0
	for i := 0; i < n; i++ {
		p := randomPod(r, c)
		if allSteady {
			steady(&p)
		}
		c.Pods = append(c.Pods, p)
	}
	if kind == "pods" && n > 0 && c.Pods[0].Usage == "" {
		c.Pods[0].Usage = "100m" // the client rejects an empty list before the calculation
	}
	c.SpecReplicas, c.StatusReplicas = int32(n+r.Intn(3)-1), int32(n)
	if c.SpecReplicas < 0 {
		c.SpecReplicas = 0
	}
	switch kind {
	case "utilization":
		c.Target = int64(20 + r.Intn(150))
	case "raw":
		if c.Resource == "memory" {
			c.Target = int64(20+r.Intn(300)) << 20 * 1000
		} else {
			c.Target = int64(20 + r.Intn(1000))
		}
	default:
		c.Target = int64(1 + r.Intn(5000))
		for i := 0; i <= r.Intn(4); i++ {
			c.Values = append(c.Values, pick(r, "0", fmt.Sprintf("%dm", r.Intn(20000)), fmt.Sprintf("%d", r.Intn(50)), "9P", "2P", "3G"))
		}
	}
	compute(c)
	return c
}

type normalization struct {
	Behavior        *autoscaling.HorizontalPodAutoscalerBehavior `json:"behavior"`
	Recommendations []podautoscaler.Entry                        `json:"recommendations"`
	Increases       []podautoscaler.Entry                        `json:"increases"`
	Decreases       []podautoscaler.Entry                        `json:"decreases"`
	Current         int32                                        `json:"current"`
	Desired         int32                                        `json:"desired"`
	Min             int32                                        `json:"min"`
	Max             int32                                        `json:"max"`
	Window          int                                          `json:"window"`

	Replicas   int32               `json:"replicas"`
	Conditions []map[string]string `json:"conditions"`
}

func entries(r *rand.Rand, n, most int) []podautoscaler.Entry {
	list := []podautoscaler.Entry{}
	for i := 0; i < n; i++ {
		// Half seconds keep the entries away from the ends of periods.
		list = append(list, podautoscaler.Entry{Replicas: int32(r.Intn(most)), Ago: float64(r.Intn(400)) + 0.5})
	}
	return list
}

func rules(r *rand.Rand) *autoscaling.HPAScalingRules {
	result := &autoscaling.HPAScalingRules{}
	if r.Intn(3) > 0 {
		window := int32(pick(r, 0, 0, 60, 300))
		result.StabilizationWindowSeconds = &window
	}
	policy := pick(r, autoscaling.MaxChangePolicySelect, autoscaling.MaxChangePolicySelect, autoscaling.MinChangePolicySelect, autoscaling.DisabledPolicySelect)
	result.SelectPolicy = &policy
	for i := 0; i <= r.Intn(3); i++ {
		p := autoscaling.HPAScalingPolicy{Type: pick(r, autoscaling.PodsScalingPolicy, autoscaling.PercentScalingPolicy), PeriodSeconds: int32(pick(r, 15, 60, 180))}
		if p.Type == autoscaling.PodsScalingPolicy {
			p.Value = int32(1 + r.Intn(8))
		} else {
			p.Value = int32(1 + r.Intn(200))
			if r.Intn(2) == 0 {
				p.Value = int32(1 + r.Intn(40))
			}
		}
		result.Policies = append(result.Policies, p)
	}
	return result
}

func randomNormalization(r *rand.Rand, withBehavior bool) *normalization {
	n := &normalization{Min: int32(1 + r.Intn(4)), Window: pick(r, 0, 60, 300)}
	n.Max = n.Min + int32(r.Intn(40))
	n.Current = n.Min + int32(r.Intn(int(n.Max-n.Min)+1))
	n.Desired = int32(r.Intn(60))
	if r.Intn(3) == 0 {
		n.Desired = n.Current + int32(r.Intn(5)) - 2
		if n.Desired < 0 {
			n.Desired = 0
		}
	}
	n.Recommendations, n.Increases, n.Decreases = entries(r, r.Intn(4), 40), []podautoscaler.Entry{}, []podautoscaler.Entry{}
	hpa := &autoscaling.HorizontalPodAutoscaler{Spec: autoscaling.HorizontalPodAutoscalerSpec{MaxReplicas: n.Max}}
	if withBehavior {
		n.Increases, n.Decreases = entries(r, r.Intn(3), 10), entries(r, r.Intn(3), 10)
		n.Behavior = &autoscaling.HorizontalPodAutoscalerBehavior{ScaleUp: rules(r), ScaleDown: rules(r)}
		if n.Behavior.ScaleUp.StabilizationWindowSeconds == nil {
			zero := int32(0)
			n.Behavior.ScaleUp.StabilizationWindowSeconds = &zero
		}
		hpa.Spec.Behavior = n.Behavior.DeepCopy()
	}
	var conditions []autoscaling.HorizontalPodAutoscalerCondition
	n.Replicas, conditions = podautoscaler.ExportNormalize(hpa, n.Recommendations, n.Increases, n.Decreases, n.Current, n.Desired, n.Min, time.Duration(n.Window)*time.Second)
	for _, c := range conditions {
		n.Conditions = append(n.Conditions, map[string]string{"type": string(c.Type), "status": string(c.Status), "reason": c.Reason, "message": c.Message})
	}
	return n
}

type requests struct {
	Pod       *v1.Pod `json:"pod"`
	Container string  `json:"container"`
	Resource  string  `json:"resource"`
	Request   int64   `json:"request"`
	Error     string  `json:"error"`
}

func resources(r *rand.Rand) v1.ResourceList {
	list := v1.ResourceList{}
	if r.Intn(5) > 0 {
		list["cpu"] = resource.MustParse(pick(r, "100m", "1", "250m", "1500u", "0"))
	}
	if r.Intn(3) > 0 {
		list["memory"] = resource.MustParse(pick(r, "64Mi", "1G", "100"))
	}
	if r.Intn(6) == 0 {
		list["hugepages-2Mi"] = resource.MustParse("4Mi")
	}
	return list
}

func randomRequests(r *rand.Rand) *requests {
	p := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ns"}}
	always := v1.ContainerRestartPolicyAlways
	for i := 0; i <= r.Intn(2); i++ {
		p.Spec.Containers = append(p.Spec.Containers, v1.Container{Name: pick(r, "app", "a", "b") + fmt.Sprint(i), Resources: v1.ResourceRequirements{Requests: resources(r)}})
	}
	for i := 0; i < r.Intn(3); i++ {
		c := v1.Container{Name: fmt.Sprintf("init%d", i), Resources: v1.ResourceRequirements{Requests: resources(r)}}
		if r.Intn(2) == 0 {
			c.RestartPolicy = &always
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	if r.Intn(2) == 0 {
		p.Spec.Resources = &v1.ResourceRequirements{Requests: resources(r)}
	}
	if r.Intn(4) == 0 {
		p.Spec.Overhead = v1.ResourceList{"cpu": resource.MustParse("10m")}
	}
	v := &requests{Pod: p, Container: pick(r, "", "", "", "app0", "init0"), Resource: pick(r, "cpu", "memory", "hugepages-2Mi")}
	list, err := podautoscaler.ExportRequests([]*v1.Pod{p}, v.Container, v1.ResourceName(v.Resource))
	if err != nil {
		v.Error = err.Error()
	} else {
		v.Request = list["p"]
	}
	return v
}

func main() {
	klog.SetOutput(os.Stderr)
	r := rand.New(rand.NewSource(1))
	out := struct {
		Calculations   []*calculation   `json:"calculations"`
		Normalizations []*normalization `json:"normalizations"`
		Requests       []*requests      `json:"requests"`
	}{}
	for i := 0; i < 80; i++ {
		out.Calculations = append(out.Calculations, randomCalculation(r, "utilization"), randomCalculation(r, "raw"))
	}
	for i := 0; i < 40; i++ {
		for _, kind := range []string{"pods", "object", "objectPerPod", "external", "externalPerPod"} {
			out.Calculations = append(out.Calculations, randomCalculation(r, kind))
		}
	}
	for i := 0; i < 80; i++ {
		out.Normalizations = append(out.Normalizations, randomNormalization(r, false), randomNormalization(r, true), randomNormalization(r, true))
	}
	for i := 0; i < 60; i++ {
		out.Requests = append(out.Requests, randomRequests(r))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "")
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}
