package io.kubeloop.app.cli;

import io.kubeloop.api.GoDuration;
import java.time.Duration;
import picocli.CommandLine;

/** Lets a flag be a duration as Kubernetes' flags are: {@code 15s}, {@code 1m30s}, {@code 0}. A negative one is refused. */
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
