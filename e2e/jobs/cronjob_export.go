// Makes functions of this package callable for the recorder of test vectors.
package cronjob

import (
	"time"

	"github.com/robfig/cron/v3"
	batch "k8s.io/api/batch/v1"
)

func ExportStarts(cj *batch.CronJob, now time.Time, schedule cron.Schedule, deadline bool) (time.Time, *time.Time, string, error) {
	earliest, latest, missed, err := mostRecentScheduleTime(cj, now, schedule, deadline)
	return earliest, latest, missed.String(), err
}

func ExportUntilNext(cj *batch.CronJob, now time.Time, schedule cron.Schedule) time.Duration {
	return *nextScheduleTimeDuration(cj, now, schedule)
}
