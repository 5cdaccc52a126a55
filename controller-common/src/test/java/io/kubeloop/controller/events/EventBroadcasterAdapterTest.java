package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ThreadLeakCheck;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ThreadLeakCheck.class)
class EventBroadcasterAdapterTest {

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    /** A server that responds to the query for the group as scripted, and accepts every event. */
    private final class Server implements Transport {

        private final int answer;

        Server(int answer) {
            this.answer = answer;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            requests.add(request.describe());
            byte[] body = request.body() == null ? new byte[0] : request.body().bytes();
            if (request.method().equals("POST")) {
                bodies.add(new String(body, StandardCharsets.UTF_8));
            }
            int code = request.method().equals("POST") ? 201 : answer;
            return new ApiResponse(code, Map.of(), new ByteArrayInputStream(body));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new AssertionError("nobody watches");
        }

        @Override
        public void close() {}
    }

    private void reportTo(int answer, boolean isEventsV1) {
        try (KubeClient client = KubeClient.of(new Server(answer), JsonCodec.standard());
                EventBroadcasterAdapter adapter = EventBroadcasterAdapter.of(client, Clock.systemUTC(), Thread::new)) {
            assertThat(adapter.isEventsV1()).isEqualTo(isEventsV1);
            adapter.recorder("example.com/tester", "tester-1")
                    .event(
                            ObjectReferenceBuilder.builder()
                                    .kind("Pod")
                                    .namespace("shop")
                                    .name("web")
                                    .build(),
                            null,
                            EventType.NORMAL,
                            "Tested",
                            "Testing",
                            "hello");
        }
    }

    @Test
    void of_serverHasTheGroup_eventsGoThere_EN05() {
        reportTo(200, true);
        assertThat(requests)
                .containsExactly("GET /apis/events.k8s.io/v1", "POST /apis/events.k8s.io/v1/namespaces/shop/events");
        assertThat(bodies)
                .singleElement()
                .satisfies(body -> assertThat(body)
                        .contains(
                                "\"note\":\"hello\"",
                                "\"reportingController\":\"example.com/tester\"",
                                "\"regarding\":{"));
    }

    @Test
    void of_serverHasNotTheGroup_eventsGoToTheCore_EN05() {
        reportTo(404, false);
        assertThat(requests).containsExactly("GET /apis/events.k8s.io/v1", "POST /api/v1/namespaces/shop/events");
        assertThat(bodies)
                .singleElement()
                .satisfies(body -> assertThat(body)
                        .contains(
                                "\"message\":\"hello\"",
                                "\"component\":\"example.com/tester\"",
                                "\"involvedObject\":{"));
    }

    @Test
    void of_serverDoesNotTell_isAnErrorThatSaysWhatWasAsked() {
        assertThatThrownBy(() -> reportTo(503, true))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("GET /apis/events.k8s.io/v1")
                .hasMessageContaining("503");
    }
}
