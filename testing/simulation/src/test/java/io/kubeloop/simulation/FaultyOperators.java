/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.SecretBuilder;
import io.kubeloop.simulation.TestOperator.Sync;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operators with one mistake each, of kinds that were found in published operators, and beside each one the operator
 * without it.
 */
@SuppressWarnings("ImmutableEnumChecker") // the suppliers have no state
enum FaultyOperators {

    /** Records the work as done before it is, so it is never done after a crash. */
    STATUS_BEFORE_WORK(
            () -> (op, key, card) -> {
                if (card != null && !card.status().phase().equals("Done")) {
                    op.status(card, card.spec().copies(), "Done");
                    op.ensure(card, "text", text(card));
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /** Numbers its objects by a counter in memory, which begins again after a restart. */
    COUNTER_IN_MEMORY(
            () -> {
                AtomicInteger counter = new AtomicInteger();
                return (op, key, card) -> {
                    if (card != null && op.mapsOf(key).size() < card.spec().copies()) {
                        op.create(card, "copy" + counter.getAndIncrement(), Map.of());
                    }
                };
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    for (int i = 0; i < card.spec().copies(); i++) {
                        if (op.map(key, "copy" + i) == null) {
                            op.ensure(card, "copy" + i, Map.of());
                        }
                    }
                }
            },
            Workloads.GROW),

    /** Gives up when the object exists, although it made the object itself. */
    CREATE_WITHOUT_ALREADY_EXISTS(
            () -> (op, key, card) -> {
                if (card == null || !card.status().phase().isEmpty()) {
                    return;
                }
                try {
                    op.create(card, "text", text(card));
                    op.status(card, 1, "Done");
                } catch (ApiException e) {
                    if (!e.isAlreadyExists()) {
                        throw e;
                    }
                    op.status(card, 0, "Failed");
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /**
     * Lets the card go before what belongs to it is deleted. Where owner references reach, a garbage collector hides
     * the mistake, so the faulty operator runs without one.
     */
    FINALIZER_BEFORE_CLEAN_UP(
            () -> withFinalizer((op, key, card) -> {
                op.release(card);
                op.delete(TestOperator.named(key, "text"));
            }),
            () -> withFinalizer((op, key, card) -> {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            }),
            Workloads.DELETE),

    /** Remembers only in memory that it has deleted an object in order to make it again. */
    RECREATION_IN_MEMORY(
            () -> {
                Set<ObjectName> recreating = ConcurrentHashMap.newKeySet();
                return (op, key, card) -> {
                    ConfigMap map = op.map(key, "text");
                    if (card == null) {
                        return;
                    }
                    if (map != null && !map.data().equals(text(card))) {
                        recreating.add(key);
                        op.delete(map);
                    } else if (map == null && (card.status().phase().isEmpty() || recreating.contains(key))) {
                        op.ensure(card, "text", text(card));
                        op.status(card, 1, "Done");
                    }
                };
            },
            () -> (op, key, card) -> {
                ConfigMap map = op.map(key, "text");
                if (card != null && map == null) {
                    op.ensure(card, "text", text(card));
                } else if (card != null && !map.data().equals(text(card))) {
                    op.delete(map);
                }
            },
            Workloads.CHANGE),

    /** Notes the new size before it deletes what is too much. */
    RESIZE_FORGETS_SECOND_STEP(
            () -> (op, key, card) -> {
                if (card != null && card.status().copies() != card.spec().copies()) {
                    op.status(card, card.spec().copies(), "");
                    resize(op, key, card);
                }
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    resize(op, key, card);
                    op.status(card, card.spec().copies(), "");
                }
            },
            Workloads.RESIZE),

    /** Uses generated names, and does not adopt the objects that it has created. */
    GENERATED_NAME_WITHOUT_ADOPTION(
            () -> (op, key, card) -> {
                if (card != null && card.status().phase().isEmpty()) {
                    op.generate(card, text(card));
                    op.status(card, 1, "Done");
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /** Adds what a text brings, and takes nothing away when the text changes. */
    ROLLBACK_LEAVES_FIELD(
            () -> (op, key, card) -> {
                ConfigMap map = op.map(key, "text");
                if (card != null && map == null) {
                    op.ensure(card, "text", Map.of(card.spec().text(), "on"));
                } else if (card != null && !map.data().containsKey(card.spec().text())) {
                    Map<String, String> more = new HashMap<>(map.data());
                    more.put(card.spec().text(), "on");
                    op.update(map, more);
                }
            },
            () -> (op, key, card) -> {
                ConfigMap map = op.map(key, "text");
                if (card != null && map == null) {
                    op.ensure(card, "text", Map.of(card.spec().text(), "on"));
                } else if (card != null && !map.data().equals(Map.of(card.spec().text(), "on"))) {
                    op.update(map, Map.of(card.spec().text(), "on"));
                }
            },
            Workloads.BACK_AND_FORTH),

    /** Repeats a rejected write with the same old object, at once and indefinitely. */
    HOT_LOOP_ON_CONFLICT(
            () -> (op, key, card) -> {
                for (boolean isDone = card == null; !isDone; ) {
                    try {
                        keepText(op, key, card);
                        op.status(card, 1, card.spec().text());
                        isDone = true;
                    } catch (ApiException e) {
                        if (!e.isConflict()) {
                            throw e;
                        }
                        op.release(card);
                    }
                }
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    keepText(op, key, card);
                    op.status(card, 1, card.spec().text());
                }
            },
            Workloads.CHANGE),

    /** Writes the time of the sync into the status. */
    STATUS_NEVER_SETTLES(
            () -> (op, key, card) -> {
                if (card != null) {
                    op.status(card, 1, op.clock().instant().toString());
                }
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    op.status(card, 1, "Done");
                }
            },
            Workloads.CREATE),

    /** Counts in the cache what it has just made. */
    COUNT_IN_CACHE_AFTER_OWN_WRITE(
            () -> (op, key, card) -> {
                if (card != null && op.mapsOf(key).size() < card.spec().copies()) {
                    op.generate(card, Map.of());
                    op.queue().addAfter(key, Duration.ofSeconds(1)); // undisturbed, the cache has it by then
                }
            },
            () -> (op, key, card) -> {
                for (int i = 0; card != null && i < card.spec().copies(); i++) {
                    if (op.map(key, "copy" + i) == null) {
                        op.ensure(card, "copy" + i, Map.of());
                    }
                }
            },
            Workloads.GROW),

    /** Deletes what has no owner in a cache that may be older than the object. */
    ORPHANS_BY_STALE_CACHE(
            () -> (op, key, card) -> {
                if (card == null) {
                    op.mapsOf(key).forEach(op::delete);
                } else if (card.status().phase().isEmpty()) {
                    op.ensure(card, "text", text(card));
                    op.status(card, 1, "Done");
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /** Compares with what it saw last, and that is gone after a restart. */
    EDGE_IN_MEMORY(
            () -> {
                Map<ObjectName, Integer> last = new ConcurrentHashMap<>();
                return (op, key, card) -> {
                    if (card == null) {
                        return;
                    }
                    int before = last.getOrDefault(key, 0);
                    for (int i = before; i < card.spec().copies(); i++) {
                        op.ensure(card, "copy" + i, Map.of());
                    }
                    for (int i = card.spec().copies(); i < before; i++) {
                        op.delete(TestOperator.named(key, "copy" + i));
                    }
                    last.put(key, card.spec().copies());
                };
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    resize(op, key, card);
                }
            },
            Workloads.RESIZE),

    /** Swallows an error, so nothing tries again. */
    SWALLOWED_ERROR(
            () -> (op, key, card) -> {
                try {
                    keepText(op, key, card);
                } catch (ApiException e) {
                    op.queue().forget(key); // and no retry follows
                }
            },
            () -> FaultyOperators::keepText,
            Workloads.CREATE),

    /** Takes a refusal for the last word. */
    REFUSAL_IS_FINAL(
            () -> (op, key, card) -> {
                if (card == null || !card.status().phase().isEmpty()) {
                    return;
                }
                try {
                    op.ensure(card, "text", text(card));
                    op.status(card, 1, "Done");
                } catch (ApiException e) {
                    if (e.code() != 403) {
                        throw e;
                    }
                    op.status(card, 0, "Refused");
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /** Adds to a number, so a repetition counts twice. */
    COUNTS_TWICE(
            () -> (op, key, card) -> {
                ConfigMap total = op.maps().get(new ObjectName(key.namespace(), "total-cards"));
                if (card != null && total != null && card.status().phase().isEmpty()) {
                    int count = Integer.parseInt(total.data().getOrDefault("count", "0"));
                    op.update(total, Map.of("count", Integer.toString(count + 1)));
                    op.status(card, 1, "Counted");
                }
            },
            () -> (op, key, card) -> {
                ConfigMap total = op.maps().get(new ObjectName(key.namespace(), "total-cards"));
                if (key.name().equals("total")) {
                    op.cards()
                            .list(key.namespace())
                            .forEach(each -> op.queue()
                                    .add(new ObjectName(
                                            key.namespace(), each.metadata().name())));
                } else if (card != null && total != null) {
                    String count =
                            Integer.toString(op.cards().list(key.namespace()).size());
                    if (!total.data().equals(Map.of("count", count))) {
                        op.update(total, Map.of("count", count));
                    }
                    op.status(card, 1, "Counted");
                }
            },
            Workloads.TOTAL),

    /** Takes a lock that stays locked after a crash. */
    LOCK_OF_THE_DEAD(
            () -> (op, key, card) -> {
                if (card != null && card.status().phase().isEmpty() && op.map(key, "lock") == null) {
                    op.create(card, "lock", Map.of());
                    op.ensure(card, "text", text(card));
                    op.status(card, 1, "Done");
                    op.delete(TestOperator.named(key, "lock"));
                }
            },
            () -> FaultyOperators::keepTextAndReport,
            Workloads.CREATE),

    /** Signs its objects with the instance, so each new instance writes all of them. */
    SIGNED_BY_INSTANCE(
            () -> {
                String own = "instance-" + System.nanoTime();
                return (op, key, card) -> {
                    ConfigMap map = op.map(key, "text");
                    if (card != null && map == null) {
                        op.ensure(card, "text", Map.of("by", own));
                    } else if (card != null && !map.data().equals(Map.of("by", own))) {
                        op.update(map, Map.of("by", own));
                    }
                };
            },
            () -> FaultyOperators::keepText,
            Workloads.CREATE),

    /** Forgets the key when an object that it does not watch was changed meanwhile. */
    CONFLICT_IS_DROPPED(
            () -> droppingConflicts(FaultyOperators::keepSecret), () -> FaultyOperators::keepSecret, Workloads.CHANGE),

    /** Deletes the second object only together with the first. */
    CLEAN_UP_IN_A_CHAIN(
            () -> (op, key, card) -> {
                if (card == null) {
                    return;
                }
                if (card.spec().copies() > 0) {
                    op.ensure(card, "one", Map.of());
                    op.ensure(card, "two", Map.of());
                } else if (op.map(key, "one") != null) {
                    op.delete(TestOperator.named(key, "one"));
                    op.delete(TestOperator.named(key, "two"));
                }
            },
            () -> (op, key, card) -> {
                if (card == null) {
                    return;
                }
                for (String suffix : List.of("one", "two")) {
                    if (card.spec().copies() > 0 && op.map(key, suffix) == null) {
                        op.ensure(card, suffix, Map.of());
                    } else if (card.spec().copies() == 0 && op.map(key, suffix) != null) {
                        op.delete(TestOperator.named(key, suffix));
                    }
                }
            },
            Workloads.TO_ZERO),

    /** Works with the declaration as it was when the instance first saw it. */
    FIRST_DECLARATION_IN_MEMORY(
            () -> {
                Map<ObjectName, Card> first = new ConcurrentHashMap<>();
                return (op, key, card) -> {
                    if (card != null) {
                        keepText(op, key, first.computeIfAbsent(key, name -> card));
                    }
                };
            },
            () -> FaultyOperators::keepText,
            Workloads.CHANGE),

    /** Has two primaries for a moment. */
    PROMOTES_BEFORE_IT_DEMOTES(
            () -> (op, key, card) -> {
                if (card != null && op.map(key, card.spec().text()) == null) {
                    op.ensure(card, card.spec().text(), Map.of("role", "primary"));
                    op.mapsOf(key).forEach(map -> op.update(map, Map.of("role", "replica")));
                }
            },
            () -> (op, key, card) -> {
                ConfigMap map = op.map(key, "role");
                Map<String, String> role = card == null
                        ? Map.of()
                        : Map.of("role", "primary", "of", card.spec().text());
                if (card != null && map == null) {
                    op.ensure(card, "role", role);
                } else if (card != null && !map.data().equals(role)) {
                    op.update(map, role);
                }
            },
            Workloads.CHANGE),

    /** Counts a lifetime from the start of the instance. */
    TIMER_IN_MEMORY(
            () -> {
                Map<ObjectName, Instant> seen = new ConcurrentHashMap<>();
                return (op, key, card) -> expire(
                        op,
                        key,
                        card,
                        seen.computeIfAbsent(key, name -> op.clock().instant()));
            },
            () -> (op, key, card) -> {
                if (card != null) {
                    expire(op, key, card, card.metadata().creationTimestamp().instant());
                }
            },
            Workloads.LIFETIME),

    /** Cannot clean up twice, and so never ends what it has begun. */
    CLEAN_UP_FAILS_WHEN_DONE(
            () -> withFinalizer((op, key, card) -> {
                if (op.map(key, "text") == null) {
                    throw new IllegalStateException("there is nothing to clean up");
                }
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            }),
            () -> withFinalizer((op, key, card) -> {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            }),
            Workloads.DELETE),

    /** Skips cards whose names it has seen, also after they were made again. */
    SEEN_BY_NAME(
            () -> {
                Set<ObjectName> seen = new HashSet<>();
                return (op, key, card) -> {
                    if (card != null && seen.add(key)) {
                        op.ensure(card, "text", text(card));
                    }
                };
            },
            () -> FaultyOperators::keepText,
            Workloads.CREATE),

    /** Waits until its cache shows what it has created, also when that was gone before it had the answer. */
    CREATIONS_PENDING_BY_NAME(
            () -> {
                Set<ObjectName> pending = ConcurrentHashMap.newKeySet();
                return (op, key, card) -> {
                    pending.removeIf(name -> op.maps().get(name) != null);
                    if (card != null
                            && op.map(key, "text") == null
                            && !pending.contains(TestOperator.named(key, "text"))) {
                        op.ensure(card, "text", text(card));
                        pending.add(TestOperator.named(key, "text"));
                    }
                };
            },
            () -> FaultyOperators::keepText,
            Workloads.CREATE);

    private final Supplier<Sync> faulty;
    private final Supplier<Sync> correct;
    private final Workload workload;

    FaultyOperators(Supplier<Sync> faulty, Supplier<Sync> correct, Workload workload) {
        this.faulty = faulty;
        this.correct = correct;
        this.workload = workload;
    }

    /** Returns a simulation of the operator with its mistake. */
    Simulation faulty() {
        return of(faulty, this != FINALIZER_BEFORE_CLEAN_UP);
    }

    /** Returns a simulation of the operator without the mistake. */
    Simulation correct() {
        return of(correct, true);
    }

    private Simulation of(Supplier<Sync> sync, boolean isCollected) {
        return Simulation.of(TestOperator.of(sync))
                .definitions(Card.DEFINITION)
                .workload(workload)
                .cluster(plane -> isCollected ? CardCollector.only(plane) : plane.controllers("-*"))
                .invariant("at most one primary", state -> {
                    long primaries = state.objects("v1", "ConfigMap").stream()
                            .filter(map -> map.string("data", "role").equals("primary"))
                            .count();
                    if (primaries > 1) {
                        throw new AssertionError(primaries + " primaries");
                    }
                });
    }

    private static Map<String, String> text(Card card) {
        return Map.of("text", card.spec().text());
    }

    private static void keepText(TestOperator op, ObjectName key, @Nullable Card card) {
        ConfigMap map = op.map(key, "text");
        if (card != null && map == null) {
            op.ensure(card, "text", text(card));
        } else if (card != null && !map.data().equals(text(card))) {
            op.update(map, text(card));
        }
    }

    /** Reads the secret from the server, because the operators watch none. */
    private static void keepSecret(TestOperator op, ObjectName key, @Nullable Card card) {
        if (card == null) {
            return;
        }
        ResourceClient<Secret> secrets = op.client().resource(ResourceTypes.SECRETS);
        Map<String, String> data = Map.of(
                "text", Base64.getEncoder().encodeToString(card.spec().text().getBytes(UTF_8)));
        try {
            Secret secret = secrets.get(TestOperator.named(key, "text"));
            if (!secret.data().equals(data)) {
                secrets.update(secret.withData(data));
            }
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            secrets.create(SecretBuilder.builder()
                    .metadata(TestOperator.metadata(card, key.name() + "-text", ""))
                    .data(data)
                    .build());
        }
    }

    /** Returns an operator that forgets the key after a conflict. */
    static Sync droppingConflicts(Sync sync) {
        return (op, key, card) -> {
            try {
                sync.sync(op, key, card);
            } catch (ApiException e) {
                if (!e.isConflict()) {
                    throw e;
                }
            }
        };
    }

    static void keepTextAndReport(TestOperator op, ObjectName key, @Nullable Card card) {
        if (card != null) {
            keepText(op, key, card);
            op.status(card, 1, "Done");
        }
    }

    private static void resize(TestOperator op, ObjectName key, Card card) {
        for (int i = 0; i < 9; i++) {
            boolean exists = op.map(key, "copy" + i) != null;
            if (i < card.spec().copies() && !exists) {
                op.ensure(card, "copy" + i, Map.of());
            } else if (i >= card.spec().copies() && exists && op.isCurrent(card)) {
                op.delete(TestOperator.named(key, "copy" + i));
            }
        }
    }

    private static Sync withFinalizer(Sync cleanUp) {
        return (op, key, card) -> {
            if (card == null) {
                return;
            }
            if (!card.metadata().isDeleting()) {
                op.guard(card);
                keepText(op, key, card);
            } else if (card.metadata().finalizers().contains(TestOperator.FINALIZER)) {
                cleanUp.sync(op, key, card);
            }
        };
    }

    private static void expire(TestOperator op, ObjectName key, Card card, Instant from) {
        if (card == null) {
            return;
        }
        Duration left = Duration.between(op.clock().instant(), from.plus(Duration.ofMinutes(10)));
        if (left.isNegative() || left.isZero()) {
            op.deleteCard(key);
        } else {
            op.queue().addAfter(key, left);
        }
    }
}
