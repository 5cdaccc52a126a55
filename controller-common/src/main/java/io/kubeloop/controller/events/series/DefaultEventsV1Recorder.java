package io.kubeloop.controller.events.series;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.api.events.EventsV1EventBuilder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.EventsV1Recorder;
import io.kubeloop.controller.events.write.EventNames;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recorder of one component: builds events and passes them to a consumer. Thread-safe. */
public final class DefaultEventsV1Recorder implements EventsV1Recorder {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultEventsV1Recorder.class);

    /** The server rejects longer notes. */
    private static final int MAX_NOTE_BYTES = 1024;

    private final String controller;
    private final String instance;
    private final Clock clock;
    private final Consumer<EventsV1Event> out;

    public DefaultEventsV1Recorder(String controller, String instance, Clock clock, Consumer<EventsV1Event> out) {
        this.controller = controller;
        this.instance = instance;
        this.clock = clock;
        this.out = out;
    }

    @Override
    public void event(
            ObjectReference regarding,
            @Nullable ObjectReference related,
            String type,
            String reason,
            String action,
            String note) {
        if (!EventType.isValid(type)) {
            LOG.error("Event {} is not sent, its type \"{}\" is not supported; use Normal or Warning", reason, type);
            return;
        }
        Instant now = clock.instant();
        out.accept(EventsV1EventBuilder.builder()
                .metadata(ObjectMetaBuilder.builder()
                        .name(EventNames.of(regarding.name(), now))
                        .namespace(EventNames.namespaceOf(regarding))
                        .build())
                .eventTime(new MicroTime(now))
                .reportingController(controller)
                .reportingInstance(instance)
                .action(action)
                .reason(reason)
                .regarding(regarding)
                .related(related)
                .note(cut(note))
                .type(type)
                .build());
    }

    /** Returns the longest prefix of the note that fits; the encoder stops before a character that does not fit as a whole. */
    private static String cut(String note) {
        CharBuffer chars = CharBuffer.wrap(note);
        boolean fits = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(chars, ByteBuffer.allocate(MAX_NOTE_BYTES), true)
                .isUnderflow();
        return fits ? note : note.substring(0, chars.position());
    }
}
