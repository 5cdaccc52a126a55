/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The work of the page's main thread for each frame: scripts, style, layout, and paint. CPU time, so other
 * processes of the machine do not count.
 *
 * @param framesPerSecond frames that were drawn
 * @param millis CPU time of the main thread from one frame to the next, ascending
 * @param parts CPU time of each kind of work, in milliseconds for each frame
 */
record FrameTimes(double framesPerSecond, double[] millis, Map<String, Double> parts) {

    static final String CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline,toplevel";

    private static final List<String> PARTS = List.of(
            "FunctionCall",
            "EvaluateScript",
            "FireAnimationFrame",
            "TimerFire",
            "EventDispatch",
            "UpdateLayoutTree",
            "Layout",
            "PrePaint",
            "Paint",
            "Layerize",
            "Commit",
            "MinorGC",
            "MajorGC",
            "HitTest");

    /** Measures the page for some seconds. */
    static FrameTimes measure(Browser browser, int seconds) throws Exception {
        List<JsonObject> events = browser.trace(seconds, CATEGORIES);
        String thread = events.stream()
                .filter(event -> event.string("name").equals("FireAnimationFrame"))
                .map(FrameTimes::thread)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the page has drawn no frame"));
        List<Long> frames = new ArrayList<>();
        List<JsonObject> tasks = new ArrayList<>();
        Map<String, Double> parts = new HashMap<>();
        for (JsonObject event : events) {
            String name = event.string("name");
            if (!thread(event).equals(thread)) {
                continue;
            }
            if (name.equals("FireAnimationFrame") && !event.string("ph").equals("E")) {
                frames.add(event.number("ts"));
            } else if (name.equals("RunTask")) {
                tasks.add(event);
            }
            if (PARTS.contains(name)) {
                parts.merge(name, cpu(event) / 1000.0, Double::sum);
            }
        }
        frames.sort(null);
        long[] micros = new long[Math.max(0, frames.size() - 1)];
        for (JsonObject task : tasks) {
            int frame = Arrays.binarySearch(
                    frames.stream().mapToLong(Long::longValue).toArray(), task.number("ts"));
            // The task that begins a frame starts before its animation frame fires, and belongs to the frame before.
            int index = frame >= 0 ? frame : -frame - 2;
            if (index >= 0 && index < micros.length) {
                micros[index] += cpu(task);
            }
        }
        double[] millis = Arrays.stream(micros)
                .mapToDouble(each -> each / 1000.0)
                .sorted()
                .toArray();
        parts.replaceAll((name, sum) -> sum / Math.max(1, frames.size()));
        double span = (frames.get(frames.size() - 1) - frames.get(0)) / 1e6;
        return new FrameTimes(micros.length / span, millis, parts);
    }

    private static String thread(JsonObject event) {
        return event.number("pid") + "/" + event.number("tid");
    }

    private static long cpu(JsonObject event) {
        Long cpu = event.number("tdur");
        return cpu == null ? 0 : cpu;
    }

    /** Returns the time that a part of the frames does not exceed. */
    double percentile(int percent) {
        return millis[Math.min(millis.length - 1, millis.length * percent / 100)];
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.0f frames/s; CPU of the main thread per frame: median %.1f ms, p95 %.1f ms, most %.1f ms; %s",
                framesPerSecond,
                percentile(50),
                percentile(95),
                millis[millis.length - 1],
                parts.entrySet().stream()
                        .filter(part -> part.getValue() > 0.05)
                        .map(part -> String.format(Locale.ROOT, "%s %.2f", part.getKey(), part.getValue()))
                        .sorted()
                        .toList());
    }
}
