// Prints made-up objects with the usage that the evaluators of Kubernetes' quotas compute for them, and whether quotas with scopes apply
// to them, as JSON. record-quota.sh runs it; the seed and the time are fixed, so that the output is.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	dra "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	quota "k8s.io/apiserver/pkg/quota/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/klog/v2"
	evaluator "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	clock "k8s.io/utils/clock/testing"
)

type scoped struct {
	Spec    core.ResourceQuotaSpec `json:"spec"`
	Applies bool                   `json:"applies"`
}

type vector struct {
	Resource string         `json:"resource"`
	Object   runtime.Object `json:"object"`
	// The pod that owns a device claim, and all device claims that it owns.
	Pod    *core.Pod            `json:"pod,omitempty"`
	Claims []*dra.ResourceClaim `json:"claims,omitempty"`
	Usage  map[string]string    `json:"usage"`
	Scopes []scoped             `json:"scopes"`
}

var (
	r   = rand.New(rand.NewSource(31))
	now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

func pick[T any](values ...T) T { return values[r.Intn(len(values))] }

func maybe(percent int) bool { return r.Intn(100) < percent }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func amounts(percent int) core.ResourceList {
	list := core.ResourceList{}
	for _, entry := range []struct {
		name   core.ResourceName
		values []string
	}{
		{"cpu", []string{"100m", "1", "1500m", "0.25", "1m"}}, {"memory", []string{"1Gi", "500M", "64Mi", "1.5Gi", "100m"}},
		{"ephemeral-storage", []string{"1Gi", "2G"}}, {"hugepages-2Mi", []string{"4Mi", "8Mi"}}, {"example.com/gpu", []string{"1", "2"}},
	} {
		if maybe(percent) {
			list[entry.name] = resource.MustParse(pick(entry.values...))
		}
	}
	return list
}

func container(name string) core.Container {
	c := core.Container{Name: name, Image: "i"}
	if maybe(80) {
		c.Resources.Requests = amounts(50)
	}
	if maybe(60) {
		c.Resources.Limits = amounts(50)
	}
	return c
}

func status(c core.Container) core.ContainerStatus {
	s := core.ContainerStatus{Name: c.Name}
	if maybe(50) {
		s.AllocatedResources = amounts(50)
	}
	if maybe(70) {
		s.Resources = &core.ResourceRequirements{Requests: amounts(60), Limits: amounts(60)}
	}
	return s
}

func pod() *core.Pod {
	p := &core.Pod{}
	always := core.ContainerRestartPolicyAlways
	for i := 0; i < 1+r.Intn(3); i++ {
		p.Spec.Containers = append(p.Spec.Containers, container(fmt.Sprintf("c%d", i)))
	}
	for i := 0; i < r.Intn(3); i++ {
		c := container(fmt.Sprintf("i%d", i))
		if maybe(50) {
			c.RestartPolicy = &always
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	if maybe(20) {
		p.Spec.Overhead = amounts(40)
	}
	if maybe(20) {
		p.Spec.Resources = &core.ResourceRequirements{Requests: amounts(50), Limits: amounts(50)}
		for _, list := range []core.ResourceList{p.Spec.Resources.Requests, p.Spec.Resources.Limits} {
			delete(list, "ephemeral-storage")
			delete(list, "example.com/gpu")
		}
	}
	if maybe(30) {
		deadline := int64(r.Intn(3) * 100)
		p.Spec.ActiveDeadlineSeconds = &deadline
	}
	p.Spec.PriorityClassName = pick("", "", "high", "low")
	if maybe(25) {
		term := core.PodAffinityTerm{TopologyKey: "zone"}
		switch r.Intn(3) {
		case 0:
			term.Namespaces = []string{"other"}
		case 1:
			term.NamespaceSelector = &metav1.LabelSelector{}
		}
		p.Spec.Affinity = &core.Affinity{}
		switch r.Intn(4) {
		case 0:
			p.Spec.Affinity.PodAffinity = &core.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []core.PodAffinityTerm{term}}
		case 1:
			p.Spec.Affinity.PodAffinity = &core.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []core.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: term}}}
		case 2:
			p.Spec.Affinity.PodAntiAffinity = &core.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []core.PodAffinityTerm{term}}
		default:
			p.Spec.Affinity.PodAntiAffinity = &core.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []core.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: term}}}
		}
	}
	p.Status.Phase = pick(core.PodPending, core.PodRunning, core.PodRunning, core.PodRunning, core.PodSucceeded, core.PodFailed)
	if maybe(20) {
		// Before, at and after the end of the grace period.
		grace := int64(30)
		deleted := metav1.NewTime(now.Add(pick[time.Duration](-40, -31, -30, -29, 0) * time.Second))
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &deleted, &grace
	}
	if maybe(30) {
		for _, c := range p.Spec.Containers {
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, status(c))
		}
		for _, c := range p.Spec.InitContainers {
			p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, status(c))
		}
		if maybe(30) {
			p.Status.Conditions = []core.PodCondition{{Type: core.PodResizePending, Status: core.ConditionTrue, Reason: core.PodReasonInfeasible}}
		}
	}
	return p
}

func service() *core.Service {
	s := &core.Service{}
	s.Spec.Type = pick(core.ServiceTypeClusterIP, core.ServiceTypeNodePort, core.ServiceTypeLoadBalancer, core.ServiceTypeExternalName)
	for i := 0; i < r.Intn(4); i++ {
		port := core.ServicePort{Name: fmt.Sprintf("p%d", i), Port: 80}
		if maybe(40) {
			port.NodePort = 30000
		}
		s.Spec.Ports = append(s.Spec.Ports, port)
	}
	if maybe(50) {
		allocate := maybe(50)
		s.Spec.AllocateLoadBalancerNodePorts = &allocate
	}
	return s
}

func claim() *core.PersistentVolumeClaim {
	c := &core.PersistentVolumeClaim{}
	storage := func() core.ResourceList {
		return core.ResourceList{"storage": resource.MustParse(pick("1Gi", "1.5Gi", "100m", "7G", "3"))}
	}
	if maybe(90) {
		c.Spec.Resources.Requests = storage()
	}
	if maybe(40) {
		c.Status.AllocatedResources = storage()
	}
	if maybe(50) {
		class := pick("gold", "")
		c.Spec.StorageClassName = &class
	}
	if maybe(20) {
		c.Annotations = map[string]string{"volume.beta.kubernetes.io/storage-class": pick("old", "")}
	}
	if maybe(40) {
		name := pick("high", "low", "")
		c.Spec.VolumeAttributesClassName = &name
	}
	if maybe(30) {
		name := pick("high", "low")
		c.Status.CurrentVolumeAttributesClassName = &name
	}
	if maybe(20) {
		c.Status.ModifyVolumeStatus = &core.ModifyVolumeStatus{TargetVolumeAttributesClassName: pick("high", "low"), Status: core.PersistentVolumeClaimModifyVolumePending}
	}
	return c
}

func devices() *dra.ResourceClaim {
	c := &dra.ResourceClaim{}
	for i := 0; i < 1+r.Intn(3); i++ {
		request := dra.DeviceRequest{Name: fmt.Sprintf("r%d", i)}
		if maybe(50) {
			request.Exactly = &dra.ExactDeviceRequest{DeviceClassName: pick("a", "b"), AllocationMode: pick(dra.DeviceAllocationModeAll, dra.DeviceAllocationModeExactCount), Count: int64(r.Intn(4))}
		} else {
			for j := 0; j < 1+r.Intn(3); j++ {
				request.FirstAvailable = append(request.FirstAvailable, dra.DeviceSubRequest{Name: fmt.Sprintf("s%d", j), DeviceClassName: pick("a", "b"), AllocationMode: pick(dra.DeviceAllocationModeAll, dra.DeviceAllocationModeExactCount), Count: int64(r.Intn(40))})
			}
		}
		c.Spec.Devices.Requests = append(c.Spec.Devices.Requests, request)
	}
	return c
}

// extended returns a device claim for the extended resources of a pod, or one that looks like it, its pod, and all claims of the pod.
func extended() (*dra.ResourceClaim, *core.Pod, []*dra.ResourceClaim) {
	p := &core.Pod{}
	p.Namespace, p.Name, p.UID = "n", "p", "u"
	requests := core.ResourceList{}
	for _, name := range []core.ResourceName{"example.com/gpu", "deviceclass.resource.kubernetes.io/a", "deviceclass.resource.kubernetes.io/b"} {
		if maybe(60) {
			requests[name] = resource.MustParse(pick("1", "2", "7"))
		}
	}
	p.Spec.Containers = []core.Container{{Name: "c", Image: "i", Resources: core.ResourceRequirements{Requests: requests}}}
	p.Status.Phase = pick(core.PodRunning, core.PodRunning, core.PodPending, core.PodSucceeded)
	var claims []*dra.ResourceClaim
	for i := 0; i < 1+r.Intn(3); i++ {
		c := devices()
		controller := true
		c.Namespace, c.Name, c.CreationTimestamp = "n", fmt.Sprintf("c%d", i), metav1.NewTime(now.Add(time.Duration(r.Intn(2))*time.Second))
		c.Annotations = map[string]string{dra.ExtendedResourceClaimAnnotation: "true"}
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "u", Controller: &controller}}
		claims = append(claims, c)
	}
	claim := claims[r.Intn(len(claims))].DeepCopy()
	if maybe(50) {
		p.Status.ExtendedResourceClaimStatus = &core.PodExtendedResourceClaimStatus{ResourceClaimName: pick(claim.Name, claim.Name, "other")}
	}
	if maybe(30) {
		other, owner := false, &claim.OwnerReferences[0]
		switch r.Intn(6) {
		case 0:
			claim.Annotations[dra.ExtendedResourceClaimAnnotation] = "yes"
		case 1:
			owner.UID = "v"
		case 2:
			owner.Kind = "Deployment"
		case 3:
			owner.APIVersion = "apps/v1"
		case 4:
			owner.Controller = &other
		case 5:
			owner.Name = "q"
		}
	}
	return claim, p, claims
}

func deviceClass(name string, extended string) *dra.DeviceClass {
	c := &dra.DeviceClass{}
	c.Name = name
	if extended != "" {
		c.Spec.ExtendedResourceName = &extended
	}
	return c
}

func selector(scope core.ResourceQuotaScope, operator core.ScopeSelectorOperator, values ...string) core.ResourceQuotaSpec {
	return core.ResourceQuotaSpec{ScopeSelector: &core.ScopeSelector{MatchExpressions: []core.ScopedResourceSelectorRequirement{{ScopeName: scope, Operator: operator, Values: values}}}}
}

func quotas(resourceName string) []core.ResourceQuotaSpec {
	specs := []core.ResourceQuotaSpec{{}}
	classes := core.ResourceQuotaScopeVolumeAttributesClass
	if resourceName == "pods" {
		classes = core.ResourceQuotaScopePriorityClass
		for _, scope := range []core.ResourceQuotaScope{core.ResourceQuotaScopeTerminating, core.ResourceQuotaScopeNotTerminating, core.ResourceQuotaScopeBestEffort,
			core.ResourceQuotaScopeNotBestEffort, core.ResourceQuotaScopePriorityClass, core.ResourceQuotaScopeCrossNamespacePodAffinity} {
			specs = append(specs, core.ResourceQuotaSpec{Scopes: []core.ResourceQuotaScope{scope}})
		}
		specs = append(specs, core.ResourceQuotaSpec{Scopes: []core.ResourceQuotaScope{core.ResourceQuotaScopeNotTerminating, core.ResourceQuotaScopeNotBestEffort}})
	}
	return append(specs, selector(classes, core.ScopeSelectorOpIn, "high"), selector(classes, core.ScopeSelectorOpNotIn, "high"),
		selector(classes, core.ScopeSelectorOpExists), selector(classes, core.ScopeSelectorOpDoesNotExist))
}

func main() {
	klog.SetOutput(os.Stderr)
	classes := []*dra.DeviceClass{deviceClass("a", "example.com/gpu"), deviceClass("b", "")}
	mapping := extendedresourcecache.NewExtendedResourceCache(klog.Background())
	for _, class := range classes {
		mapping.OnAdd(class, true)
	}
	pods := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	var claims []*dra.ResourceClaim
	evaluators := map[string]quota.Evaluator{
		"pods": evaluator.NewPodEvaluator(nil, clock.NewFakeClock(now)), "services": evaluator.NewServiceEvaluator(nil),
		"persistentvolumeclaims": evaluator.NewPersistentVolumeClaimEvaluator(nil),
		"resourceclaims.resource.k8s.io": evaluator.NewResourceClaimEvaluator(
			nil, mapping, listers.NewPodLister(pods), func(string, types.UID) ([]*dra.ResourceClaim, error) { return claims, nil }),
	}
	var vectors []vector
	add := func(name string, object runtime.Object) *vector {
		e := evaluators[name]
		used := must(e.Usage(object))
		v := vector{Resource: name, Object: object, Usage: map[string]string{}}
		hard := core.ResourceList{}
		for _, matched := range e.MatchingResources(quota.ResourceNames(used)) {
			amount := used[matched]
			v.Usage[string(matched)] = amount.String()
			hard[matched] = resource.MustParse("1")
		}
		if name == "pods" || name == "persistentvolumeclaims" {
			for _, spec := range quotas(name) {
				applies := must(e.Matches(&core.ResourceQuota{Spec: spec, Status: core.ResourceQuotaStatus{Hard: hard}}, object))
				v.Scopes = append(v.Scopes, scoped{spec, applies})
			}
		}
		vectors = append(vectors, v)
		return &vectors[len(vectors)-1]
	}
	for i := 0; i < 120; i++ {
		add("pods", pod())
	}
	for i := 0; i < 30; i++ {
		add("services", service())
		add("persistentvolumeclaims", claim())
		add("resourceclaims.resource.k8s.io", devices())
	}
	for i := 0; i < 60; i++ {
		claim, pod, all := extended()
		must("", pods.Replace([]interface{}{pod}, ""))
		claims = all
		v := add("resourceclaims.resource.k8s.io", claim)
		v.Pod, v.Claims = pod, all
		add("pods", pod)
	}
	// A line for each vector, so that a change shows what it changes.
	lines := make([]string, len(vectors))
	for i, v := range vectors {
		lines[i] = string(must(json.Marshal(v)))
	}
	fmt.Printf("{\"now\": %s, \"classes\": %s, \"vectors\": [\n%s\n]}\n", must(json.Marshal(now)), must(json.Marshal(classes)), strings.Join(lines, ",\n"))
}
