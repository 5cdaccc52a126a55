/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the operations of a queue vector, and gives the results in the vector's words. */
final class QueueOps {

    private final ManualScheduler clock = new ManualScheduler();
    private final RateLimitingQueue<String> queue;

    QueueOps(Vectors.Case vector) {
        WorkQueueConfig config = WorkQueueConfig.named("vector").withScheduler(clock);
        Object limiter = vector.input().get("rateLimiter");
        queue = limiter == null
                ? WorkQueues.rateLimiting(config)
                : WorkQueues.rateLimiting(config, RateLimiterSpecs.parse(limiter, clock));
    }

    @SuppressWarnings("unchecked")
    List<Map<String, Object>> run(Vectors.Case vector) throws InterruptedException {
        List<Map<String, Object>> results = new ArrayList<>();
        for (Map<String, Object> op : (List<Map<String, Object>>) vector.input().get("ops")) {
            results.add(run(op));
        }
        return results;
    }

    private Map<String, Object> run(Map<String, Object> op) throws InterruptedException {
        Map<String, Object> result = new LinkedHashMap<>();
        String item = (String) op.get("item");
        switch ((String) op.get("op")) {
            case "add" -> queue.add(item);
            case "addAfter" -> queue.addAfter(item, millis(op));
            case "addRateLimited" -> queue.addRateLimited(item);
            case "get" -> {
                if (queue.length() == 0 && !queue.isShuttingDown()) {
                    result.put("wouldBlock", true);
                } else {
                    String got = queue.get();
                    result.put("item", got);
                    result.put("shutdown", got == null);
                }
            }
            case "done" -> queue.done(item);
            case "forget" -> queue.forget(item);
            case "numRequeues" -> result.put("numRequeues", BigDecimal.valueOf(queue.numRequeues(item)));
            case "advance" -> clock.advance(millis(op));
            case "shutDown" -> queue.shutDown();
            default -> throw new IllegalArgumentException("unknown operation: " + op);
        }
        result.put("len", BigDecimal.valueOf(queue.length()));
        result.put("shuttingDown", queue.isShuttingDown());
        return result;
    }

    private static Duration millis(Map<String, Object> op) {
        return Duration.ofMillis(((BigDecimal) op.get("ms")).longValueExact());
    }
}
