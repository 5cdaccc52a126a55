package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link Reaction}, row by row; what follows from a reaction is in ReflectorTest. */
class ReactionTest {

    private static RuntimeException answer(int code, String reason) {
        return ScriptedSource.refusal(code, reason);
    }

    private static TransportException lost(Kind kind) {
        return new TransportException(kind, "scripted", null);
    }

    private static RuntimeException tooLarge(int code, String reason, String message, String causeReason) {
        List<Status.Cause> causes = causeReason.isEmpty()
                ? List.of()
                : List.of(new Status.Cause(causeReason, "Too large resource version", "", UnknownFields.NONE));
        Status.Details details = new Status.Details("", "", "", "", causes, 0, UnknownFields.NONE);
        return new ApiException(
                "GET", new Status(null, "Failure", message, reason, details, code, UnknownFields.NONE), null);
    }

    static Stream<Arguments> refusedWatches() {
        return Stream.of(
                Arguments.of(answer(429, "TooManyRequests"), Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONNECT), Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TIMEOUT), Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.BROKEN), Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.UNEXPECTED_EOF), Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TLS), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONFIGURATION), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(answer(410, "Expired"), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(answer(401, "Unauthorized"), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(answer(403, "Forbidden"), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(answer(404, "NotFound"), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(answer(500, "InternalError"), Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(new IllegalStateException("?"), Reaction.LIST_AFTER_BACKOFF));
    }

    @ParameterizedTest
    @MethodSource("refusedWatches")
    void refusedWatch(RuntimeException refusal, Reaction expected) {
        assertThat(Reaction.toRefusedWatch(refusal, 9)).isEqualTo(expected);
    }

    @Test
    void watchesThatGetNoAnswer_tenInARow_costAList() {
        for (Kind kind : List.of(Kind.TIMEOUT, Kind.BROKEN, Kind.UNEXPECTED_EOF)) {
            assertThat(Reaction.toRefusedWatch(lost(kind), 10)).isEqualTo(Reaction.LIST_AFTER_BACKOFF);
        }
        assertThat(Reaction.toRefusedWatch(lost(Kind.CONNECT), 10))
                .as("who cannot be reached cannot be asked for a list either, RE-41")
                .isEqualTo(Reaction.WATCH_AFTER_BACKOFF);
        assertThat(Reaction.toRefusedWatch(answer(429, "TooManyRequests"), 10)).isEqualTo(Reaction.WATCH_AFTER_BACKOFF);
    }

    static Stream<Arguments> endsOfWatch() {
        return Stream.of(
                Arguments.of(new WatchEnd.Closed(false), 0, Reaction.WATCH_NOW),
                Arguments.of(new WatchEnd.Closed(false), 4, Reaction.WATCH_NOW),
                Arguments.of(new WatchEnd.Closed(false), 5, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), false), 5, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Closed(true), 0, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), false), 0, Reaction.WATCH_NOW),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 1, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 4, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 5, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.TOO_LARGE), true), 1, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.TOO_LARGE), false), 0, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(failed(410, "Expired"), 0, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(failed(410, "Gone"), 0, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(failed(429, "TooManyRequests"), 0, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(failed(429, ""), 0, Reaction.WATCH_AFTER_BACKOFF),
                Arguments.of(failed(500, "InternalError"), 0, Reaction.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Malformed(new DecodeException("?", null)), 0, Reaction.LIST_AFTER_BACKOFF));
    }

    private static WatchEnd failed(int code, String reason) {
        return new WatchEnd.Failed(Status.failure(code, reason, "scripted"));
    }

    @ParameterizedTest
    @MethodSource("endsOfWatch")
    void endOfWatch(WatchEnd end, int shortInARow, Reaction expected) {
        assertThat(Reaction.toEndOfWatch(end, shortInARow, () -> false)).isEqualTo(expected);
        boolean isInternalError =
                end instanceof WatchEnd.Failed failed && failed.status().code() == 500;
        assertThat(Reaction.toEndOfWatch(end, shortInARow, () -> true))
                .isEqualTo(isInternalError ? Reaction.WATCH_NOW : expected);
    }

    @Test
    void internalErrorWithinItsBudget_ofOneShortWatchAfterTheOther_isFollowedByAPause_RE45() {
        assertThat(Reaction.toEndOfWatch(failed(500, "InternalError"), 4, () -> true))
                .isEqualTo(Reaction.WATCH_NOW);
        assertThat(Reaction.toEndOfWatch(failed(500, "InternalError"), 5, () -> true))
                .isEqualTo(Reaction.WATCH_AFTER_BACKOFF);
    }

    static Stream<Arguments> refusedStreams() {
        return Stream.of(
                Arguments.of(answer(410, "Expired"), Reaction.STREAM_WITHOUT_VERSION),
                Arguments.of(answer(410, "Gone"), Reaction.STREAM_WITHOUT_VERSION),
                Arguments.of(
                        tooLarge(504, "Timeout", "Too large resource version: 9", ""), Reaction.STREAM_WITHOUT_VERSION),
                Arguments.of(answer(429, "TooManyRequests"), Reaction.STREAM_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONNECT), Reaction.STREAM_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TIMEOUT), Reaction.LIST_NOW),
                Arguments.of(lost(Kind.BROKEN), Reaction.LIST_NOW),
                Arguments.of(lost(Kind.UNEXPECTED_EOF), Reaction.LIST_NOW),
                Arguments.of(answer(422, "Invalid"), Reaction.LIST_FROM_NOW_ON),
                Arguments.of(answer(400, "BadRequest"), Reaction.LIST_FROM_NOW_ON),
                Arguments.of(answer(403, "Forbidden"), Reaction.LIST_NOW),
                Arguments.of(answer(500, "InternalError"), Reaction.LIST_NOW),
                Arguments.of(lost(Kind.TLS), Reaction.LIST_NOW));
    }

    @ParameterizedTest
    @MethodSource("refusedStreams")
    void refusedStream(RuntimeException refusal, Reaction expected) {
        assertThat(Reaction.toRefusedStream(refusal)).isEqualTo(expected);
        if (refusal instanceof ApiException e) {
            assertThat(Reaction.toEndOfStream(new WatchEnd.Failed(e.status()))).isEqualTo(expected);
        }
    }

    @Test
    void streamThatEndsEarly_isAskedForAgainUnlessVeryShort() {
        assertThat(Reaction.toEndOfStream(new WatchEnd.Closed(false))).isEqualTo(Reaction.STREAM_NOW);
        assertThat(Reaction.toEndOfStream(new WatchEnd.Closed(true))).isEqualTo(Reaction.LIST_NOW);
        assertThat(Reaction.toEndOfStream(new WatchEnd.Lost(lost(Kind.BROKEN), false)))
                .isEqualTo(Reaction.STREAM_NOW);
        assertThat(Reaction.toEndOfStream(new WatchEnd.Lost(lost(Kind.BROKEN), true)))
                .isEqualTo(Reaction.LIST_NOW);
        assertThat(Reaction.toEndOfStream(new WatchEnd.Lost(lost(Kind.TOO_LARGE), false)))
                .isEqualTo(Reaction.LIST_NOW);
        assertThat(Reaction.toEndOfStream(new WatchEnd.Malformed(new DecodeException("?", null))))
                .isEqualTo(Reaction.LIST_NOW);
    }

    @Test
    void versionUnavailable_inEveryFormThatServersHaveUsed() {
        // RE-33 to RE-35, RE-34
        assertThat(Reaction.isVersionUnavailable(answer(410, "Expired"))).isTrue();
        assertThat(Reaction.isVersionUnavailable(answer(410, "Gone"))).isTrue();
        assertThat(Reaction.isVersionUnavailable(answer(410, ""))).isTrue();
        assertThat(Reaction.isVersionUnavailable(tooLarge(504, "Timeout", "", "ResourceVersionTooLarge")))
                .isTrue();
        assertThat(Reaction.isVersionUnavailable(tooLarge(504, "Timeout", "", "Other")))
                .isTrue();
        assertThat(Reaction.isVersionUnavailable(tooLarge(504, "Timeout", "Too large resource version: 5", "")))
                .isTrue();
        assertThat(Reaction.isVersionUnavailable(answer(504, "Timeout"))).isFalse();
        assertThat(Reaction.isVersionUnavailable(answer(500, "InternalError"))).isFalse();
        assertThat(Reaction.isVersionUnavailable(lost(Kind.BROKEN))).isFalse();
    }
}
