package io.kubeloop.controller.events.series;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.api.events.EventsV1EventBuilder;
import java.time.Duration;
import java.time.Instant;

/**
 * The state of a series of equal events: the count here, and the count on the server. Decides when the next write is
 * due. Immutable.
 *
 * @param first the first of the events
 * @param count the number of events so far
 * @param last the time of the last event
 * @param written the count that was written to the server; 0 if nothing was written
 * @param writtenAt the time of that write
 */
public record SeriesState(EventsV1Event first, int count, Instant last, int written, Instant writtenAt) {

    /** The time without an event after which a series ends. */
    static final Duration FINISH = Duration.ofMinutes(6);

    /** The time after which a continuing series is written again: servers delete events, after an hour by default. */
    static final Duration REFRESH = Duration.ofMinutes(30);

    public static SeriesState begin(EventsV1Event first, Instant now) {
        return new SeriesState(first, 1, now, 0, now);
    }

    /** Returns the series after one more event. */
    public SeriesState again(Instant now) {
        return new SeriesState(first, count + 1, now, written, writtenAt);
    }

    /** Returns the series after this count was written or rejected. */
    public SeriesState written(int count, Instant now) {
        return new SeriesState(first, this.count, last, count, now);
    }

    /** Returns whether the server's count is lower. */
    public boolean isBehind() {
        return written < count;
    }

    /** Returns whether the last event requires a write now, instead of a count for later. */
    public boolean isNews() {
        return count <= 2;
    }

    /** Returns whether a write is due: for the first event, for the start and the end of the series, and for its refresh. */
    public boolean isDue(Instant now) {
        if (written < 2 && isBehind()) {
            return true;
        }
        boolean isAtItsEnd = isBehind() && isIdle(now);
        return count > 1 && (isAtItsEnd || !now.isBefore(writtenAt.plus(REFRESH)));
    }

    /** Returns whether the series has ended and is fully written. */
    public boolean isOver(Instant now) {
        return !isBehind() && isIdle(now);
    }

    private boolean isIdle(Instant now) {
        return !now.isBefore(last.plus(FINISH));
    }

    /** Returns the time until the next check, if no further event arrives. */
    public Duration untilNextLook(Instant now) {
        Instant end = last.plus(FINISH);
        Instant refresh = writtenAt.plus(REFRESH);
        Instant next = count > 1 && refresh.isBefore(end) ? refresh : end;
        return Duration.between(now, next);
    }

    /** Returns the event to store. */
    public EventsV1Event event() {
        return count == 1
                ? first
                : EventsV1EventBuilder.builder(first).series(series()).build();
    }

    private EventSeries series() {
        return new EventSeries(count, new MicroTime(last), UnknownFields.NONE);
    }

    /** Returns the strategic merge patch that stores a new count. */
    public String patch() {
        EventSeries series = series();
        return "{\"series\":{\"count\":" + series.count() + ",\"lastObservedTime\":\"" + series.lastObservedTime()
                + "\"}}";
    }
}
