/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command.log;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The form of a line of the log. */
public enum LogFormat {
    /** {@code 12:00:00.000 [thread] [LEVEL] Logger - message}, and the stack trace of an exception below. */
    TEXT {
        @Override
        String line(Message message) {
            return TIME.format(message.time()) + " [" + Thread.currentThread().getName() + "] ["
                    + message.severity() + "] "
                    + message.logger().substring(message.logger().lastIndexOf('.') + 1)
                    + " - " + message.text() + System.lineSeparator() + message.stackTrace();
        }
    },

    /** klog's header, {@code I1129 12:00:00.000000   PID File.java:12] message}, and the stack trace below. */
    KLOG {
        @Override
        String line(Message message) {
            char severity = switch (message.severity()) {
                case ERROR -> 'E';
                case WARN -> 'W';
                default -> 'I';
            };
            String place = caller();
            return severity + KLOG_TIME.format(message.time())
                    + String.format(
                            Locale.ROOT, " %7d ", ProcessHandle.current().pid())
                    + place.substring(place.lastIndexOf('/') + 1) + "] " + message.text() + "\n" + message.stackTrace();
        }
    },

    /**
     * An object of JSON with the keys of Kubernetes' programs: {@code ts} (milliseconds since 1970), {@code caller},
     * {@code logger}, {@code msg}, {@code v} (the level, except for errors), {@code err}; also {@code thread} and
     * {@code stacktrace}.
     */
    JSON {
        @Override
        String line(Message message) {
            JsonObject line = JsonObject.EMPTY
                    .with("ts", new JsonNumber(millis(message.time())))
                    .with("caller", caller())
                    .with("logger", message.logger())
                    .with("msg", message.text());
            if (message.severity() != Level.ERROR) {
                line = line.with("v", (Level.WARN.toInt() - message.severity().toInt()) / 10);
            }
            if (message.thrown() != null) {
                line = line.with("err", message.thrown().toString()).with("stacktrace", message.stackTrace());
            }
            return line.with("thread", Thread.currentThread().getName()) + "\n";
        }

        // Microseconds are what the clock has.
        private String millis(Instant time) {
            return BigDecimal.valueOf(time.getEpochSecond() * 1_000_000L + time.getNano() / 1_000, 3)
                    .toPlainString();
        }
    };

    /** A message before it becomes a line. */
    record Message(
            Instant time,
            Level severity,
            String logger,
            String text,
            @Nullable Throwable thrown) {

        String stackTrace() {
            StringWriter text = new StringWriter();
            if (thrown != null) {
                thrown.printStackTrace(new PrintWriter(text, true));
            }
            return text.toString();
        }
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final DateTimeFormatter KLOG_TIME =
            DateTimeFormatter.ofPattern("MMdd HH:mm:ss.SSSSSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    abstract String line(Message message);

    /** Returns the last package, file and line that logs, such as {@code manager/ControllerRun.java:95}. */
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith("org.slf4j.")
                                && !frame.getClassName().startsWith(LogFormat.class.getPackageName() + "."))
                        .map(LogFormat::place)
                        .findFirst())
                .orElse("");
    }

    private static String place(StackWalker.StackFrame frame) {
        String type = frame.getClassName();
        String packageName = type.substring(0, Math.max(0, type.lastIndexOf('.')));
        return packageName.substring(packageName.lastIndexOf('.') + 1) + "/" + frame.getFileName() + ":"
                + frame.getLineNumber();
    }
}
