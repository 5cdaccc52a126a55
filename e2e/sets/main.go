// Writes vectors of StatefulSets and DaemonSets, computed by Kubernetes' own functions, as JSON files into a directory: the data and names
// of revisions, the owners of claims, the nodes that fit a DaemonSet, the form of its pods, and the limits of its rolling update.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	_ "unsafe" // for go:linkname

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/pkg/controller/history"
	_ "k8s.io/kubernetes/pkg/controller/statefulset"
)

//go:linkname newRevision k8s.io/kubernetes/pkg/controller/statefulset.newRevision
func newRevision(set *apps.StatefulSet, revision int64, collisionCount *int32) (*apps.ControllerRevision, error)

//go:linkname isClaimOwnerUpToDate k8s.io/kubernetes/pkg/controller/statefulset.isClaimOwnerUpToDate
func isClaimOwnerUpToDate(logger klog.Logger, claim *v1.PersistentVolumeClaim, set *apps.StatefulSet, pod *v1.Pod) bool

//go:linkname updateClaimOwnerRefForSetAndPod k8s.io/kubernetes/pkg/controller/statefulset.updateClaimOwnerRefForSetAndPod
func updateClaimOwnerRefForSetAndPod(logger klog.Logger, claim *v1.PersistentVolumeClaim, set *apps.StatefulSet, pod *v1.Pod)

//go:linkname hasUnexpectedController k8s.io/kubernetes/pkg/controller/statefulset.hasUnexpectedController
func hasUnexpectedController(claim *v1.PersistentVolumeClaim, set *apps.StatefulSet, pod *v1.Pod) bool

//go:linkname hasStaleOwnerRef k8s.io/kubernetes/pkg/controller/statefulset.hasStaleOwnerRef
func hasStaleOwnerRef(target *v1.PersistentVolumeClaim, obj metav1.Object, gvk schema.GroupVersionKind) bool

var (
	logger = klog.FromContext(context.Background())
	random = rand.New(rand.NewSource(1))
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func write(name string, vectors any) {
	check(os.MkdirAll(filepath.Dir(name), 0o755))
	file, err := os.Create(name)
	check(err)
	check(json.NewEncoder(file).Encode(vectors))
	check(file.Close())
}

type revision struct {
	Template       json.RawMessage `json:"template"`
	CollisionCount int32           `json:"collisionCount"`
	Data           string          `json:"data"`
	Name           string          `json:"name"`
	BareHash       string          `json:"bareHash"` // without a collision count
}

func revisions(templates string) []revision {
	text, err := os.ReadFile(templates)
	check(err)
	var named []struct {
		Template v1.PodTemplateSpec `json:"template"`
	}
	check(json.Unmarshal(text, &named))
	var vectors []revision
	for i, n := range named {
		count := int32(i % 3)
		template, err := json.Marshal(n.Template)
		check(err)
		set := &apps.StatefulSet{
			ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: apps.StatefulSetSpec{Template: n.Template},
		}
		r, err := newRevision(set, 1, &count)
		check(err)
		vectors = append(vectors, revision{template, count, string(r.Data.Raw), r.Name, history.HashControllerRevision(r, nil)})
	}
	return vectors
}

type claimOwners struct {
	WhenScaled  string                  `json:"whenScaled"`
	WhenDeleted string                  `json:"whenDeleted"`
	Replicas    int32                   `json:"replicas"`
	Start       int32                   `json:"start"`
	Owners      []metav1.OwnerReference `json:"owners"`
	PodUid      string                  `json:"podUid"`

	UpToDate        bool                    `json:"upToDate"`
	OtherController bool                    `json:"otherController"`
	EarlierPod      bool                    `json:"earlierPod"`
	Updated         []metav1.OwnerReference `json:"updated"`
}

func claims() []claimOwners {
	policies := []string{"Retain", "Delete"}
	yes := true
	var vectors []claimOwners
	for i := 0; i < 300; i++ {
		c := claimOwners{
			WhenScaled: policies[random.Intn(2)], WhenDeleted: policies[random.Intn(2)],
			Replicas: int32(random.Intn(4)), Start: int32(random.Intn(2)), PodUid: []string{"p1", "p1", "p1", ""}[random.Intn(4)],
		}
		pool := []metav1.OwnerReference{
			{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "db", UID: "s1"},
			{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "db", UID: "s0"},
			{APIVersion: "v1", Kind: "Pod", Name: "db-1", UID: "p1"},
			{APIVersion: "v1", Kind: "Pod", Name: "db-1", UID: "p0"},
			{APIVersion: "v1", Kind: "Pod", Name: "other", UID: "o1"},
			{APIVersion: "apps/v1beta1", Kind: "StatefulSet", Name: "db", UID: "s1"},
		}
		weights := []int{0, 0, 0, 1, 2, 2, 2, 3, 4, 5}
		c.Owners = []metav1.OwnerReference{}
		for used := map[int]bool{}; random.Intn(3) > 0; {
			k := weights[random.Intn(len(weights))]
			if used[k] {
				break
			}
			used[k] = true
			owner := pool[k]
			if random.Intn(4) > 0 {
				owner.Controller = &yes
				owner.BlockOwnerDeletion = &yes
			}
			c.Owners = append(c.Owners, owner)
		}
		set := &apps.StatefulSet{
			ObjectMeta: metav1.ObjectMeta{Name: "db", UID: "s1"},
			Spec: apps.StatefulSetSpec{
				Replicas: &c.Replicas, Ordinals: &apps.StatefulSetOrdinals{Start: c.Start},
				PersistentVolumeClaimRetentionPolicy: &apps.StatefulSetPersistentVolumeClaimRetentionPolicy{
					WhenScaled:  apps.PersistentVolumeClaimRetentionPolicyType(c.WhenScaled),
					WhenDeleted: apps.PersistentVolumeClaimRetentionPolicyType(c.WhenDeleted),
				},
			},
		}
		pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "db-1", UID: types.UID(c.PodUid)}}
		claim := &v1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data-db-1", OwnerReferences: c.Owners}}
		c.UpToDate = isClaimOwnerUpToDate(logger, claim, set, pod)
		c.OtherController = hasUnexpectedController(claim, set, pod)
		c.EarlierPod = hasStaleOwnerRef(claim, pod, v1.SchemeGroupVersion.WithKind("Pod"))
		updated := claim.DeepCopy()
		updateClaimOwnerRefForSetAndPod(logger, updated, set, pod)
		c.Updated = append([]metav1.OwnerReference{}, updated.OwnerReferences...)
		vectors = append(vectors, c)
	}
	return vectors
}

type eligibility struct {
	Template json.RawMessage `json:"template"`
	Node     json.RawMessage `json:"node"`

	ShouldRun             bool `json:"shouldRun"`
	ShouldContinueRunning bool `json:"shouldContinueRunning"`
}

func some[T any](chance int, make func() T) []T {
	var list []T
	for random.Intn(100) < chance {
		list = append(list, make())
		chance -= 25
	}
	return list
}

func one(texts ...string) string { return texts[random.Intn(len(texts))] }

func requirement() v1.NodeSelectorRequirement {
	operator := one("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Like")
	r := v1.NodeSelectorRequirement{Key: one("a", "b", "n"), Operator: v1.NodeSelectorOperator(operator)}
	switch operator {
	case "In", "NotIn":
		r.Values = some(150, func() string { return one("1", "2", "3", "x") })
	case "Gt", "Lt":
		r.Values = []string{one("1", "2", "3", "x")}
	}
	return r
}

func fieldRequirement() v1.NodeSelectorRequirement {
	return v1.NodeSelectorRequirement{
		Key: "metadata.name", Operator: v1.NodeSelectorOperator(one("In", "In", "NotIn", "Exists")),
		Values: some(110, func() string { return one("n1", "n1", "n2") }),
	}
}

func affinity() *v1.Affinity {
	switch random.Intn(8) {
	case 0:
		return &v1.Affinity{}
	case 1:
		return &v1.Affinity{NodeAffinity: &v1.NodeAffinity{}}
	}
	if random.Intn(2) == 0 {
		return nil
	}
	return &v1.Affinity{NodeAffinity: &v1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{
			NodeSelectorTerms: some(150, func() v1.NodeSelectorTerm {
				return v1.NodeSelectorTerm{MatchExpressions: some(80, requirement), MatchFields: some(30, fieldRequirement)}
			}),
		},
	}}
}

func toleration() v1.Toleration {
	t := v1.Toleration{
		Key: one("", "k", "l", "node.kubernetes.io/not-ready", "node.kubernetes.io/disk-pressure"), Operator: v1.TolerationOperator(one("", "Equal", "Exists", "Lt")),
		Value: one("", "v", "1"), Effect: v1.TaintEffect(one("", "NoSchedule", "NoExecute", "PreferNoSchedule")),
	}
	if random.Intn(4) == 0 {
		seconds := int64(random.Intn(3))
		t.TolerationSeconds = &seconds
	}
	return t
}

func taint() v1.Taint {
	return v1.Taint{
		Key: one("k", "l", "node.kubernetes.io/unschedulable", "node.kubernetes.io/network-unavailable", "node.kubernetes.io/unreachable"), Value: one("", "v", "1"),
		Effect: v1.TaintEffect(one("NoSchedule", "NoExecute", "PreferNoSchedule")),
	}
}

func template() v1.PodTemplateSpec {
	t := v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}},
		Spec: v1.PodSpec{
			Affinity: affinity(), Tolerations: some(60, toleration), HostNetwork: random.Intn(4) == 0,
			Containers: []v1.Container{{Name: "c", Image: "i"}},
		},
	}
	if random.Intn(8) == 0 {
		t.Spec.NodeName = one("n1", "n2")
	}
	if random.Intn(4) == 0 {
		t.Spec.NodeSelector = map[string]string{one("a", "b"): one("1", "2")}
	}
	return t
}

func nodes() []eligibility {
	var vectors []eligibility
	for i := 0; i < 400; i++ {
		t := template()
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{}}, Spec: v1.NodeSpec{Taints: some(50, taint)}}
		for _, key := range []string{"a", "b", "n"} {
			if random.Intn(3) > 0 {
				node.Labels[key] = one("1", "2", "3", "x")
			}
		}
		run, goOn := daemon.NodeShouldRunDaemonPod(logger, node, &apps.DaemonSet{Spec: apps.DaemonSetSpec{Template: t}})
		text, err := json.Marshal(t)
		check(err)
		nodeText, err := json.Marshal(node)
		check(err)
		vectors = append(vectors, eligibility{text, nodeText, run, goOn})
	}
	return vectors
}

type daemonPod struct {
	Template json.RawMessage `json:"template"`
	Hash     string          `json:"hash"`

	Pod        json.RawMessage `json:"pod"` // the template of a pod of node n1
	TargetNode string          `json:"targetNode"`
}

func pods() []daemonPod {
	var vectors []daemonPod
	for i := 0; i < 150; i++ {
		t := template()
		text, err := json.Marshal(t)
		check(err)
		generation := int64(i % 5)
		hash := fmt.Sprint("h", i)
		target, err := daemonutil.GetTargetNodeName(&v1.Pod{Spec: t.Spec})
		if err != nil {
			target = ""
		}
		made := daemonutil.CreatePodTemplate(t, &generation, hash)
		made.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(made.Spec.Affinity, "n1")
		pod, err := json.Marshal(made)
		check(err)
		vectors = append(vectors, daemonPod{text, hash, pod, target})
	}
	return vectors
}

type limits struct {
	Type           string `json:"type"`
	MaxSurge       string `json:"maxSurge"`
	MaxUnavailable string `json:"maxUnavailable"`
	Nodes          int    `json:"nodes"`

	Surge       int  `json:"surge"`
	Unavailable int  `json:"unavailable"`
	AllowsSurge bool `json:"allowsSurge"`
}

func limit() intstr.IntOrString {
	if random.Intn(2) == 0 {
		return intstr.FromInt32(int32(random.Intn(4)))
	}
	return intstr.FromString(fmt.Sprintf("%d%%", random.Intn(101)))
}

func rollouts() []limits {
	var vectors []limits
	for i := 0; i < 100; i++ {
		surge, unavailable := limit(), limit()
		l := limits{Type: one("RollingUpdate", "RollingUpdate", "OnDelete"), MaxSurge: surge.String(), MaxUnavailable: unavailable.String(), Nodes: random.Intn(30)}
		ds := &apps.DaemonSet{Spec: apps.DaemonSetSpec{UpdateStrategy: apps.DaemonSetUpdateStrategy{
			Type:          apps.DaemonSetUpdateStrategyType(l.Type),
			RollingUpdate: &apps.RollingUpdateDaemonSet{MaxSurge: &surge, MaxUnavailable: &unavailable},
		}}}
		var err error
		l.Surge, err = daemonutil.SurgeCount(ds, l.Nodes)
		check(err)
		l.Unavailable, err = daemonutil.UnavailableCount(ds, l.Nodes)
		check(err)
		l.AllowsSurge = daemonutil.AllowsSurge(ds)
		vectors = append(vectors, l)
	}
	return vectors
}

func main() {
	klog.SetOutput(os.Stderr)
	root := os.Args[2]
	vectors := func(module, name string) string {
		return filepath.Join(root, module, "src/test/resources/vectors", name)
	}
	write(vectors("controller-common", "revision-data.json"), revisions(os.Args[1]))
	write(vectors("controllers/apps", "claim-owners.json"), claims())
	write(vectors("controllers/apps", "node-eligibility.json"), nodes())
	write(vectors("controllers/apps", "daemon-pods.json"), pods())
	write(vectors("controllers/apps", "rollout-limits.json"), rollouts())
}
