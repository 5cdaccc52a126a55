/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.Scheduler;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Rate limiters as the vectors describe them. */
final class RateLimiterSpecs {

    private RateLimiterSpecs() {}

    @SuppressWarnings("unchecked")
    static RateLimiter<String> parse(Object value, Scheduler clock) {
        Map<String, Object> spec = (Map<String, Object>) value;
        return switch ((String) spec.get("type")) {
            case "exponential" ->
                RateLimiters.exponential(
                        GoDurations.parse(spec.get("baseDelay")), GoDurations.parse(spec.get("maxDelay")));
            case "fastSlow" ->
                RateLimiters.fastSlow(
                        GoDurations.parse(spec.get("fastDelay")),
                        GoDurations.parse(spec.get("slowDelay")),
                        ((BigDecimal) spec.get("maxFastAttempts")).intValueExact());
            case "bucket" ->
                RateLimiters.bucket(
                        ((BigDecimal) spec.get("qps")).doubleValue(),
                        ((BigDecimal) spec.get("burst")).intValueExact(),
                        clock);
            case "maxOf" ->
                RateLimiters.maxOf(((List<Object>) spec.get("of"))
                        .stream().map(one -> parse(one, clock)).toArray(RateLimiter[]::new));
            case "defaultItemBased" -> RateLimiters.defaultItemBased();
            default -> throw new IllegalArgumentException("unknown rate limiter: " + spec);
        };
    }
}
