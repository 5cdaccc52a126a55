/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes the messages of one logger to standard error, one line each. Thread-safe. */
final class LineLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1L;

    private volatile int level;

    LineLogger(String name, int level) {
        this.name = name;
        this.level = level;
    }

    void level(int changed) {
        level = changed;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return level >= 1;
    }

    @Override
    public boolean isDebugEnabled() {
        return level >= 2;
    }

    @Override
    public boolean isTraceEnabled() {
        return level >= 3;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null; // LogFormat finds the caller by its stack
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level severity,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        String message = MessageFormatter.basicArrayFormat(pattern, arguments);
        // One call per message, so lines of two threads do not mix. The stream of the moment, which can change.
        System.err.print(
                Logs.INSTANCE.format().line(new LogFormat.Message(Instant.now(), severity, name, message, thrown)));
    }
}
