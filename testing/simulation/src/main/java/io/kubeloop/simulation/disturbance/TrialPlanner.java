/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.EventId;
import io.kubeloop.simulation.trial.Recording;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Derives the trials of a workload from the recording of its reference. Stateless. */
public final class TrialPlanner {

    /** An operator that never rests is not disturbed at each of its writes. */
    private static final int MOST_WRITES = 1_000;

    private static final int MOST_DISTANCES = 40;

    /** The earlier states of one resource that a server shows after a write. */
    private static final int MOST_STATES = 10;

    /** More changes than a workload has. */
    private static final int ALL = 1_000_000;

    /** How far a stale server is behind, in changes. */
    private static final List<Integer> DISTANCES = List.of(1, 3, ALL);

    private TrialPlanner() {}

    /**
     * Returns the trials, earlier writes and events first, the kinds in turn, so a part of the list has some of
     * each kind. Combinations of two come last.
     *
     * @param recording the reference
     * @param steps the number of steps of the workload
     * @param kinds the wanted kinds
     * @param seed draws the combinations
     * @param pairs the number of combinations
     */
    public static List<Disturbance> plan(
            Recording recording, int steps, Set<Perturbation> kinds, long seed, int pairs) {
        List<Disturbance> single = single(recording, steps);
        List<Disturbance> all = inTurn(single, kinds::contains);
        if (kinds.contains(Perturbation.COMBINED)) {
            List<Disturbance> paired = single.stream()
                    .filter(each -> each.kind() != Perturbation.FOREIGN) // its oracle needs no second disturbance
                    .toList();
            all.addAll(combinations(paired, seed, pairs));
        }
        return all;
    }

    /**
     * Returns the trial with a name, also a combination that no seed has drawn; empty if there is none.
     *
     * @param recording the reference
     * @param steps the number of steps of the workload
     */
    public static Optional<Disturbance> named(String name, Recording recording, int steps) {
        List<Disturbance> single = single(recording, steps);
        Stream<Disturbance> pairs = single.stream()
                .filter(first -> name.startsWith(first.name() + Combined.BETWEEN))
                .flatMap(first -> single.stream().map(second -> new Combined(first, second)));
        return Stream.concat(single.stream(), pairs)
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    private static List<Disturbance> single(Recording recording, int steps) {
        List<Disturbance> single = new ArrayList<>();
        List<Recording.Write> writes = recording
                .writes()
                .subList(0, Math.min(MOST_WRITES, recording.writes().size()));
        Map<String, NavigableSet<Long>> resources = new TreeMap<>();
        Set<String> seen = new HashSet<>();
        recording.events().forEach((event, changes) -> {
            seen.add(event.object());
            resources
                    .computeIfAbsent(resource(event.object()), resource -> new TreeSet<>())
                    .add(changes);
        });
        for (Recording.Write write : writes) {
            // The end of an object that the operator does not watch tells it nothing.
            boolean isOfObject = write.id().call().equals(write.verb() + " " + write.object());
            if (write.isCreation() && isOfObject && seen.contains(write.object())) {
                single.add(new Vanished(write.id(), true));
            }
            for (WriteFault fault : WriteFault.values()) {
                if (fault.appliesTo(write)) {
                    single.add(new AtWrite(write.id(), fault));
                }
            }
            single.add(new LateEvents(write.id()));
            DISTANCES.forEach(distance -> single.add(new StaleRestart(write.id(), distance, "")));
            // The server has a cache for each resource, and each may be behind alone.
            resources.keySet().forEach(resource -> single.add(new StaleRestart(write.id(), ALL, resource)));
            if (recording.isElected()) {
                single.add(new LeaseLost(write.id()));
            }
        }
        for (Recording.Write write : writes) {
            for (int distance = 2; distance < Math.min(write.changes(), MOST_DISTANCES); distance++) {
                if (!DISTANCES.contains(distance)) {
                    single.add(new StaleRestart(write.id(), distance, ""));
                }
            }
            resources.forEach((resource, states) -> earlier(states, write.changes())
                    .forEach(distance -> single.add(new StaleRestart(write.id(), distance, resource))));
        }
        Set<String> marked = new HashSet<>();
        for (Recording.Write write : writes) {
            if (write.isCreation() && marked.add(resource(write.object()))) {
                single.addAll(Foreign.of(write)); // the first object of each resource
            }
        }
        addEvents(recording.events().keySet(), single);
        for (Recording.Declared object : recording.declared()) {
            single.addAll(Foreign.of(object));
            for (int step = object.step(); step < steps; step++) {
                single.add(new Replaced(object, step, true));
            }
        }
        for (int step = 0; step < steps; step++) {
            for (AtStep.Fault fault : AtStep.Fault.values()) {
                single.add(new AtStep(step, fault));
            }
        }
        return single;
    }

    private static String resource(String object) {
        return object.substring(0, object.indexOf(' '));
    }

    /** Returns how many changes ago a resource had each of its latest states but the newest one, the latest first. */
    private static List<Integer> earlier(NavigableSet<Long> states, long changes) {
        return states.headSet(changes, true).descendingSet().stream()
                .skip(1)
                .limit(MOST_STATES)
                .map(state -> (int) (changes - state))
                .toList();
    }

    private static void addEvents(Set<EventId> events, List<Disturbance> all) {
        Map<String, Integer> last = new HashMap<>();
        events.forEach(event -> last.merge(event.object(), event.state(), Math::max));
        for (EventId event : events) {
            for (AtEvent.Fault fault : AtEvent.Fault.values()) {
                // Only a state that another one follows can be missed.
                boolean canBeMissed = !event.isDeletion() && event.state() < last.getOrDefault(event.object(), 0);
                if (fault != AtEvent.Fault.MISSED || canBeMissed) {
                    all.add(new AtEvent(event, fault));
                }
            }
        }
    }

    /** Draws pairs: one of every two forms of disturbances, then another one of every two, and so on. */
    private static Set<Disturbance> combinations(List<Disturbance> all, long seed, int count) {
        Map<String, List<Disturbance>> forms = new TreeMap<>();
        // The order of two events that nobody orders differs between runs; the pairs of a seed do not.
        all.stream()
                .sorted(Comparator.comparing(Disturbance::name))
                .forEach(each -> forms.computeIfAbsent(each.form(), form -> new ArrayList<>())
                        .add(each));
        List<List<List<Disturbance>>> choices = new ArrayList<>();
        forms.values().forEach(first -> forms.values().forEach(second -> choices.add(List.of(first, second))));
        Random random = new Random(seed);
        Set<Disturbance> pairs = new LinkedHashSet<>();
        for (int i = 0; i < 2 * count + choices.size() && pairs.size() < count; i++) {
            if (i % choices.size() == 0) {
                Collections.shuffle(choices, random);
            }
            List<Disturbance> two = choices.get(i % choices.size()).stream()
                    .map(form -> form.get(random.nextInt(form.size())))
                    .toList();
            if (!two.get(0).equals(two.get(1))) {
                pairs.add(new Combined(two.get(0), two.get(1)));
            }
        }
        return pairs;
    }

    private static List<Disturbance> inTurn(List<Disturbance> all, Predicate<Perturbation> wanted) {
        Map<Perturbation, List<Disturbance>> byKind = new EnumMap<>(Perturbation.class);
        for (Disturbance each : all) {
            if (wanted.test(each.kind())) {
                byKind.computeIfAbsent(each.kind(), kind -> new ArrayList<>()).add(each);
            }
        }
        List<Disturbance> result = new ArrayList<>();
        for (int round = 0;
                result.size() < byKind.values().stream().mapToInt(List::size).sum();
                round++) {
            for (List<Disturbance> kind : byKind.values()) {
                if (round < kind.size()) {
                    result.add(kind.get(round));
                }
            }
        }
        return result;
    }
}
