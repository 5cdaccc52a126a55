// Prints made-up rollouts with the numbers that Kubernetes' own functions compute for them, as JSON: the limits of a rolling update,
// the size to which the new ReplicaSet may grow, and the proportions of a scale.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/deployment/util"
)

type set struct {
	Replicas int32 `json:"replicas"`
	Max      int32 `json:"max"` // the annotation; 0 for none
}

type vector struct {
	Replicas       int32  `json:"replicas"`
	StatusReplicas int32  `json:"statusReplicas"`
	MaxSurge       string `json:"maxSurge"`
	MaxUnavailable string `json:"maxUnavailable"`
	New            set    `json:"new"`
	Old            []set  `json:"old"`
	ToAdd          int32  `json:"toAdd"`
	Added          int32  `json:"added"`

	Surge       int32 `json:"surge"`
	Unavailable int32 `json:"unavailable"`
	Grown       int32 `json:"grown"`
	Proportion  int32 `json:"proportion"`
}

func limit(r *rand.Rand) intstr.IntOrString {
	if r.Intn(2) == 0 {
		return intstr.FromInt32(int32(r.Intn(4)))
	}
	return intstr.FromString(fmt.Sprintf("%d%%", r.Intn(101)))
}

func replicaSet(s set) *apps.ReplicaSet {
	rs := &apps.ReplicaSet{Spec: apps.ReplicaSetSpec{Replicas: &s.Replicas}}
	if s.Max > 0 {
		rs.Annotations = map[string]string{util.MaxReplicasAnnotation: fmt.Sprint(s.Max)}
	}
	return rs
}

func main() {
	klog.SetOutput(os.Stderr)
	r := rand.New(rand.NewSource(1))
	var vectors []vector
	for i := 0; i < 200; i++ {
		surge, unavailable := limit(r), limit(r)
		v := vector{
			Replicas: int32(r.Intn(20)), StatusReplicas: int32(r.Intn(20)), MaxSurge: surge.String(), MaxUnavailable: unavailable.String(),
			New: set{int32(r.Intn(10)), int32(r.Intn(25))}, ToAdd: int32(r.Intn(21) - 10),
		}
		if v.ToAdd != 0 {
			v.Added = v.ToAdd * int32(r.Intn(4)) / 4
		}
		for j := r.Intn(3); j >= 0; j-- {
			v.Old = append(v.Old, set{int32(r.Intn(10)), 0})
		}
		d := apps.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "d"},
			Spec: apps.DeploymentSpec{Replicas: &v.Replicas, Strategy: apps.DeploymentStrategy{
				Type:          apps.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: &surge, MaxUnavailable: &unavailable},
			}},
			Status: apps.DeploymentStatus{Replicas: v.StatusReplicas},
		}
		newSet := replicaSet(v.New)
		all := []*apps.ReplicaSet{newSet}
		for _, old := range v.Old {
			all = append(all, replicaSet(old))
		}
		v.Surge = util.MaxSurge(d)
		v.Unavailable = util.MaxUnavailable(d)
		grown, err := util.NewRSNewReplicas(&d, all, newSet)
		if err != nil {
			panic(err)
		}
		v.Grown = grown
		v.Proportion = util.GetReplicaSetProportion(klog.FromContext(context.Background()), newSet, d, v.ToAdd, v.Added)
		vectors = append(vectors, v)
	}
	if err := json.NewEncoder(os.Stdout).Encode(vectors); err != nil {
		panic(err)
	}
}
