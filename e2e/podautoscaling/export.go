// Makes functions of this package callable for the recorder of test vectors.
package podautoscaler

import (
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func ExportTolerances(down, up float64) Tolerances {
	return Tolerances{down, up}
}

// Entry is a recommendation or a change, so many seconds ago.
type Entry struct {
	Replicas int32   `json:"replicas"`
	Ago      float64 `json:"ago"`
}

func ago(e Entry) time.Time {
	return time.Now().Add(-time.Duration(e.Ago * float64(time.Second)))
}

func changes(entries []Entry) []timestampedScaleEvent {
	var events []timestampedScaleEvent
	for _, e := range entries {
		events = append(events, timestampedScaleEvent{replicaChange: e.Replicas, timestamp: ago(e)})
	}
	return events
}

// ExportNormalize returns the allowed number of pods with the conditions that it leads to.
func ExportNormalize(hpa *autoscaling.HorizontalPodAutoscaler, recommendations, ups, downs []Entry, current, desired, min int32, window time.Duration) (int32, []autoscaling.HorizontalPodAutoscalerCondition) {
	a := &HorizontalController{
		eventRecorder:                record.NewFakeRecorder(10),
		downscaleStabilisationWindow: window,
		recommendations:              map[string][]timestampedRecommendation{},
		scaleUpEvents:                map[string][]timestampedScaleEvent{"k": changes(ups)},
		scaleDownEvents:              map[string][]timestampedScaleEvent{"k": changes(downs)},
	}
	for _, e := range recommendations {
		a.recommendations["k"] = append(a.recommendations["k"], timestampedRecommendation{e.Replicas, ago(e)})
	}
	var replicas int32
	if hpa.Spec.Behavior == nil {
		replicas = a.normalizeDesiredReplicas(hpa, "k", current, desired, min)
	} else {
		replicas = a.normalizeDesiredReplicasWithBehaviors(hpa, "k", current, desired, min)
	}
	return replicas, hpa.Status.Conditions
}

// ExportRequests returns the requests of pods.
func ExportRequests(pods []*v1.Pod, container string, resource v1.ResourceName) (map[string]int64, error) {
	return calculateRequests(pods, container, resource)
}
