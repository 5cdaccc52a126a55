import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.controller.events.EventBroadcasterAdapter;
import io.kubeloop.controller.events.EventFieldSelectors;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.EventsV1Recorder;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.Kubeconfigs;
import io.kubeloop.transport.http.OkHttpTransport;
import java.time.Clock;

/**
 * {@code java -cp ... SeriesProbe.java KUBECONFIG NAMESPACE NAME} reports about the ReplicaSet of this name: once that it was
 * {@code Visited}, four times that it was {@code Counted}. It prints what the server then says about it, a line
 * {@code REASON COUNT NOTE} for each event.
 */
final class SeriesProbe {

    private SeriesProbe() {}

    public static void main(String[] args) {
        try (KubeClient client = KubeClient.of(
                OkHttpTransport.create(Kubeconfigs.fromFlags("", args[0])), JsonCodec.standard())) {
            ObjectReference regarding = ObjectReferences.of(
                    ResourceTypes.REPLICA_SETS,
                    client.resource(ResourceTypes.REPLICA_SETS).get(new ObjectName(args[1], args[2])));
            try (EventBroadcasterAdapter events =
                    EventBroadcasterAdapter.of(client, Clock.systemUTC(), Thread::new)) {
                System.out.println("events.k8s.io/v1: " + events.isEventsV1());
                EventsV1Recorder recorder = events.recorder("kubeloop.io/probe", "probe-1");
                recorder.event(regarding, null, EventType.NORMAL, "Visited", "Visiting", "hello");
                for (int i = 1; i <= 4; i++) {
                    recorder.event(regarding, null, EventType.NORMAL, "Counted", "Counting", "number " + i);
                }
            }
            var about = EventFieldSelectors.about(ResourceTypes.EVENTS_V1, regarding);
            client.resource(ResourceTypes.EVENTS_V1)
                    .list(args[1], ListOptionsBuilder.builder().fieldSelector(about.toString()).build())
                    .items()
                    .forEach(event -> System.out.println(event.reason() + " "
                            + (event.series() == null ? 1 : event.series().count()) + " " + event.note()));
        }
    }
}
