package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times with microseconds, which upstream reads with exactly six digits after the decimal point. */
public final class MicroTimes {

    private static final Pattern SECONDS = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}");
    private static final Pattern MICROS = Pattern.compile("\\.[0-9]{6}");
    private static final Pattern ZONE = Pattern.compile("Z|[+-][0-9]{2}:[0-9]{2}");

    private static final List<List<String>> OF_EVENTS =
            List.of(List.of("eventTime"), List.of("series", "lastObservedTime"));
    private static final List<List<String>> OF_LEASES =
            List.of(List.of("spec", "acquireTime"), List.of("spec", "renewTime"));

    private MicroTimes() {}

    /**
     * Checks the form of the times of an object.
     *
     * @throws DecodeException with upstream's message if a time has another form
     */
    public static void requireForm(ResourceType<?> type, JsonObject object) {
        List<List<String>> paths = type.equals(ResourceTypes.EVENTS)
                ? OF_EVENTS
                : type.equals(ResourceTypes.LEASES) ? OF_LEASES : List.of();
        for (List<String> path : paths) {
            String[] names = path.toArray(String[]::new);
            if (object.get(names) != null) {
                requireForm(object.string(names));
            }
        }
    }

    private static void requireForm(String time) {
        Matcher seconds = SECONDS.matcher(time);
        if (!seconds.lookingAt()) {
            throw unreadable(time, time, "2006");
        }
        String fraction = time.substring(seconds.end());
        Matcher micros = MICROS.matcher(fraction);
        if (!micros.lookingAt()) {
            throw unreadable(time, fraction, ".000000");
        }
        String zone = fraction.substring(micros.end());
        if (!ZONE.matcher(zone).matches()) {
            throw unreadable(time, zone, "Z07:00");
        }
    }

    private static DecodeException unreadable(String time, String rest, String wanted) {
        return new DecodeException(
                "parsing time \"" + time + "\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"" + rest
                        + "\" as \"" + wanted + "\"",
                null);
    }
}
