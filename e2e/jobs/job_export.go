// Makes functions of this package callable for the recorder of test vectors.
package job

import (
	"time"

	batch "k8s.io/api/batch/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

func ExportIntervals(text string, completions int, added []int) (string, int) {
	result := parseIndexesFromString(klog.Background(), text, completions).withOrderedIndexes(added)
	return result.String(), result.total()
}

func ExportHas(text string, completions, index int) bool {
	return parseIndexesFromString(klog.Background(), text, completions).has(index)
}

func ExportRemaining(failures int32, ago time.Duration) time.Duration {
	now := time.Unix(1700000000, 0)
	last := now.Add(-ago)
	var c clock.WithTicker = clocktesting.NewFakeClock(now)
	return getRemainingTimeForFailuresCount(c, DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff, failures, &last)
}

func ExportName(job string, index int) string {
	return podGenerateNameWithIndex(job, index)
}

func ExportSuccess(rules []batch.SuccessPolicyRule, completions int32, succeeded string) string {
	intervals := parseIndexesFromString(klog.Background(), succeeded, int(completions))
	message, _ := matchSuccessPolicy(klog.Background(), &batch.SuccessPolicy{Rules: rules}, completions, intervals)
	return message
}
