/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.api.GoDuration;
import java.time.Duration;
import picocli.CommandLine;

/**
 * Converts a duration in the form of Kubernetes' flags, such as {@code 15s}, {@code 1m30s} or {@code 0}. Rejects
 * negative durations.
 */
public final class DurationFlag implements CommandLine.ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        Duration duration;
        try {
            duration = GoDuration.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
        if (duration.isNegative()) {
            throw new CommandLine.TypeConversionException("'" + text + "' is negative");
        }
        return duration;
    }
}
