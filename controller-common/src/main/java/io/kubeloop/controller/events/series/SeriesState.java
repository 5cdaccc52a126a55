package io.kubeloop.controller.events.series;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EventSeries;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.api.events.EventsV1EventBuilder;
import java.time.Duration;
import java.time.Instant;

/**
 * How often equal events were seen, and how much of that the server was told. Says when it is to be told more (EN-02, EN-03).
 * Immutable.
 *
 * @param first the first of the events
 * @param count how many there were
 * @param last when the last of them was seen
 * @param told the count that the server was told; 0 if it knows nothing of them
 * @param toldAt when it was told
 */
public record SeriesState(EventsV1Event first, int count, Instant last, int told, Instant toldAt) {

    /** Equal events that are farther apart than this are no series. */
    static final Duration FINISH = Duration.ofMinutes(6);

    /** Servers forget events, after an hour by default: a series that goes on is written again before. */
    static final Duration REFRESH = Duration.ofMinutes(30);

    public static SeriesState begin(EventsV1Event first, Instant now) {
        return new SeriesState(first, 1, now, 0, now);
    }

    /** Returns the series after one more event. */
    public SeriesState again(Instant now) {
        return new SeriesState(first, count + 1, now, told, toldAt);
    }

    /** Returns the series after the server was told this count, or refused to hear it. */
    public SeriesState told(int count, Instant now) {
        return new SeriesState(first, this.count, last, count, now);
    }

    /** Returns whether the server does not know the count. */
    public boolean isUntold() {
        return told < count;
    }

    /** Returns whether the next event changes what is to be written now, rather than a count for later. */
    public boolean isNews() {
        return count <= 2;
    }

    /** Returns whether to write now: the first event, that there is a series, its end, and a sign of life between them. */
    public boolean isDue(Instant now) {
        if (told < 2 && isUntold()) {
            return true;
        }
        boolean isAtItsEnd = isUntold() && isIdle(now);
        return count > 1 && (isAtItsEnd || !now.isBefore(toldAt.plus(REFRESH)));
    }

    /** Returns whether it can be forgotten. */
    public boolean isOver(Instant now) {
        return !isUntold() && isIdle(now);
    }

    private boolean isIdle(Instant now) {
        return !now.isBefore(last.plus(FINISH));
    }

    /** Returns after which time it may be due or over, if nothing happens to it. */
    public Duration untilNextLook(Instant now) {
        Instant end = last.plus(FINISH);
        Instant refresh = toldAt.plus(REFRESH);
        Instant next = count > 1 && refresh.isBefore(end) ? refresh : end;
        return Duration.between(now, next);
    }

    /** Returns the event as the server should have it. */
    public EventsV1Event event() {
        return count == 1
                ? first
                : EventsV1EventBuilder.builder(first).series(series()).build();
    }

    private EventSeries series() {
        return new EventSeries(count, new MicroTime(last), UnknownFields.NONE);
    }

    /** Returns what changes when more of the events were seen, as a strategic merge patch. */
    public String patch() {
        EventSeries series = series();
        return "{\"series\":{\"count\":" + series.count() + ",\"lastObservedTime\":\"" + series.lastObservedTime()
                + "\"}}";
    }
}
