/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Status;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.cache.fake.ScriptedSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link ReflectorDecision}, row by row. ReflectorTest covers the effects of a decision. */
class ReflectorDecisionTest {

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
                Arguments.of(answer(429, "TooManyRequests"), ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONNECT), ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TIMEOUT), ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.BROKEN), ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.UNEXPECTED_EOF), ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TLS), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONFIGURATION), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(answer(410, "Expired"), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(answer(401, "Unauthorized"), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(answer(403, "Forbidden"), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(answer(404, "NotFound"), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(answer(500, "InternalError"), ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(new IllegalStateException("?"), ReflectorDecision.LIST_AFTER_BACKOFF));
    }

    @ParameterizedTest
    @MethodSource("refusedWatches")
    void refusedWatch(RuntimeException refusal, ReflectorDecision expected) {
        assertThat(ReflectorDecision.toRefusedWatch(refusal, 9)).isEqualTo(expected);
    }

    @Test
    void watchesThatGetNoAnswer_tenInARow_costAList() {
        for (Kind kind : List.of(Kind.TIMEOUT, Kind.BROKEN, Kind.UNEXPECTED_EOF)) {
            assertThat(ReflectorDecision.toRefusedWatch(lost(kind), 10))
                    .isEqualTo(ReflectorDecision.LIST_AFTER_BACKOFF);
        }
        assertThat(ReflectorDecision.toRefusedWatch(lost(Kind.CONNECT), 10))
                .as("who cannot be reached cannot be asked for a list either, RE-41")
                .isEqualTo(ReflectorDecision.WATCH_AFTER_BACKOFF);
        assertThat(ReflectorDecision.toRefusedWatch(answer(429, "TooManyRequests"), 9))
                .isEqualTo(ReflectorDecision.WATCH_AFTER_BACKOFF);
        assertThat(ReflectorDecision.toRefusedWatch(answer(429, "TooManyRequests"), 10))
                .isEqualTo(ReflectorDecision.LIST_AFTER_BACKOFF);
        WatchEnd overload = failed(429, "TooManyRequests");
        assertThat(ReflectorDecision.toEndOfWatch(overload, new ReflectorDecision.InARow(0, 0, 9), () -> false))
                .isEqualTo(ReflectorDecision.WATCH_AFTER_BACKOFF);
        assertThat(ReflectorDecision.toEndOfWatch(overload, new ReflectorDecision.InARow(0, 0, 10), () -> false))
                .isEqualTo(ReflectorDecision.LIST_AFTER_BACKOFF);
    }

    private static ReflectorDecision.InARow brief(int shortInARow) {
        return new ReflectorDecision.InARow(shortInARow, 0, 0);
    }

    @Test
    void watchesThatAreLostBeforeAnEvent_fiveInARow_costAPause() {
        WatchEnd lost = new WatchEnd.Lost(lost(Kind.BROKEN), false);
        assertThat(ReflectorDecision.toEndOfWatch(lost, new ReflectorDecision.InARow(0, 4, 0), () -> false))
                .isEqualTo(ReflectorDecision.WATCH_NOW);
        assertThat(ReflectorDecision.toEndOfWatch(lost, new ReflectorDecision.InARow(0, 5, 0), () -> false))
                .isEqualTo(ReflectorDecision.WATCH_AFTER_BACKOFF);
    }

    static Stream<Arguments> endsOfWatch() {
        return Stream.of(
                Arguments.of(new WatchEnd.Closed(false), 0, ReflectorDecision.WATCH_NOW),
                Arguments.of(new WatchEnd.Closed(false), 4, ReflectorDecision.WATCH_NOW),
                Arguments.of(new WatchEnd.Closed(false), 5, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), false), 5, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Closed(true), 0, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), false), 0, ReflectorDecision.WATCH_NOW),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 1, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 4, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.BROKEN), true), 5, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.TOO_LARGE), true), 1, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(new WatchEnd.Lost(lost(Kind.TOO_LARGE), false), 0, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(failed(410, "Expired"), 0, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(failed(410, "Gone"), 0, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(failed(429, "TooManyRequests"), 0, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(failed(429, ""), 0, ReflectorDecision.WATCH_AFTER_BACKOFF),
                Arguments.of(failed(500, "InternalError"), 0, ReflectorDecision.LIST_AFTER_BACKOFF),
                Arguments.of(
                        new WatchEnd.Malformed(new DecodeException("?", null)),
                        0,
                        ReflectorDecision.LIST_AFTER_BACKOFF));
    }

    private static WatchEnd failed(int code, String reason) {
        return new WatchEnd.Failed(Status.failure(code, reason, "scripted"));
    }

    @ParameterizedTest
    @MethodSource("endsOfWatch")
    void endOfWatch(WatchEnd end, int shortInARow, ReflectorDecision expected) {
        assertThat(ReflectorDecision.toEndOfWatch(end, brief(shortInARow), () -> false))
                .isEqualTo(expected);
        boolean isInternalError =
                end instanceof WatchEnd.Failed failed && failed.status().code() == 500;
        assertThat(ReflectorDecision.toEndOfWatch(end, brief(shortInARow), () -> true))
                .isEqualTo(isInternalError ? ReflectorDecision.WATCH_NOW : expected);
    }

    @Test
    void internalErrorWithinItsBudget_ofOneShortWatchAfterTheOther_isFollowedByAPause_RE45() {
        assertThat(ReflectorDecision.toEndOfWatch(failed(500, "InternalError"), brief(4), () -> true))
                .isEqualTo(ReflectorDecision.WATCH_NOW);
        assertThat(ReflectorDecision.toEndOfWatch(failed(500, "InternalError"), brief(5), () -> true))
                .isEqualTo(ReflectorDecision.WATCH_AFTER_BACKOFF);
    }

    static Stream<Arguments> refusedStreams() {
        return Stream.of(
                Arguments.of(answer(410, "Expired"), ReflectorDecision.STREAM_WITHOUT_VERSION),
                Arguments.of(answer(410, "Gone"), ReflectorDecision.STREAM_WITHOUT_VERSION),
                Arguments.of(
                        tooLarge(504, "Timeout", "Too large resource version: 9", ""),
                        ReflectorDecision.STREAM_WITHOUT_VERSION),
                Arguments.of(answer(429, "TooManyRequests"), ReflectorDecision.STREAM_AFTER_BACKOFF),
                Arguments.of(lost(Kind.CONNECT), ReflectorDecision.STREAM_AFTER_BACKOFF),
                Arguments.of(lost(Kind.TIMEOUT), ReflectorDecision.LIST_NOW),
                Arguments.of(lost(Kind.BROKEN), ReflectorDecision.LIST_NOW),
                Arguments.of(lost(Kind.UNEXPECTED_EOF), ReflectorDecision.LIST_NOW),
                Arguments.of(answer(422, "Invalid"), ReflectorDecision.LIST_FROM_NOW_ON),
                Arguments.of(answer(400, "BadRequest"), ReflectorDecision.LIST_FROM_NOW_ON),
                Arguments.of(answer(403, "Forbidden"), ReflectorDecision.LIST_NOW),
                Arguments.of(answer(500, "InternalError"), ReflectorDecision.LIST_NOW),
                Arguments.of(lost(Kind.TLS), ReflectorDecision.LIST_NOW));
    }

    @ParameterizedTest
    @MethodSource("refusedStreams")
    void refusedStream(RuntimeException refusal, ReflectorDecision expected) {
        assertThat(ReflectorDecision.toRefusedStream(refusal)).isEqualTo(expected);
        if (refusal instanceof ApiException e) {
            assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Failed(e.status())))
                    .isEqualTo(expected);
        }
    }

    @Test
    void streamThatEndsEarly_isAskedForAgainUnlessVeryShort() {
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Closed(false))).isEqualTo(ReflectorDecision.STREAM_NOW);
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Closed(true))).isEqualTo(ReflectorDecision.LIST_NOW);
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Lost(lost(Kind.BROKEN), false)))
                .isEqualTo(ReflectorDecision.STREAM_NOW);
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Lost(lost(Kind.BROKEN), true)))
                .isEqualTo(ReflectorDecision.LIST_NOW);
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Lost(lost(Kind.TOO_LARGE), false)))
                .isEqualTo(ReflectorDecision.LIST_NOW);
        assertThat(ReflectorDecision.toEndOfStream(new WatchEnd.Malformed(new DecodeException("?", null))))
                .isEqualTo(ReflectorDecision.LIST_NOW);
    }

    @Test
    void versionUnavailable_inEveryFormThatServersHaveUsed() {
        // RE-33 to RE-35, RE-34
        assertThat(ReflectorDecision.isVersionUnavailable(answer(410, "Expired")))
                .isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(answer(410, "Gone"))).isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(answer(410, ""))).isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(tooLarge(504, "Timeout", "", "ResourceVersionTooLarge")))
                .isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(tooLarge(504, "Timeout", "", "Other")))
                .isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(
                        tooLarge(504, "Timeout", "Too large resource version: 5", "")))
                .isTrue();
        assertThat(ReflectorDecision.isVersionUnavailable(answer(504, "Timeout")))
                .isFalse();
        assertThat(ReflectorDecision.isVersionUnavailable(answer(500, "InternalError")))
                .isFalse();
        assertThat(ReflectorDecision.isVersionUnavailable(lost(Kind.BROKEN))).isFalse();
    }
}
