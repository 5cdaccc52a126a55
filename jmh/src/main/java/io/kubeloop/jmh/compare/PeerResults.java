package io.kubeloop.jmh.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The costs of benchmarks with several values of their parameter {@code library}, in rounds. Other benchmarks are
 * ignored.
 */
final class PeerResults {

    /** The name of this library in the parameter. */
    static final String OURS = "kubeloop";

    private static final String LIBRARY = "library";

    /** By benchmark, then by library, then by round. */
    private final SortedMap<BenchmarkId, SortedMap<String, SortedMap<Integer, Cost>>> costs = new TreeMap<>();

    /**
     * Groups the results.
     *
     * @param files the results in the order of measurement; a library is compared with this one of the same file
     */
    PeerResults(List<Map<BenchmarkId, Cost>> files) {
        for (int file = 0; file < files.size(); file++) {
            int round = file;
            files.get(file).forEach((id, cost) -> add(id, round, cost));
        }
    }

    private void add(BenchmarkId id, int round, Cost cost) {
        SortedMap<String, String> parameters = new TreeMap<>(id.parameters());
        String library = parameters.remove(LIBRARY);
        if (library != null) {
            costs.computeIfAbsent(new BenchmarkId(id.name(), parameters), benchmark -> new TreeMap<>())
                    .computeIfAbsent(library, name -> new TreeMap<>())
                    .put(round, cost);
        }
    }

    /** Returns a comparison for each other library and benchmark with results of both libraries in the same round. */
    List<PeerComparison> comparisons() {
        List<PeerComparison> comparisons = new ArrayList<>();
        costs.forEach((benchmark, byLibrary) -> {
            Map<Integer, Cost> ours = byLibrary.getOrDefault(OURS, new TreeMap<>());
            byLibrary.forEach((library, theirs) -> {
                List<Integer> rounds =
                        theirs.keySet().stream().filter(ours::containsKey).toList();
                if (!library.equals(OURS) && !rounds.isEmpty()) {
                    comparisons.add(
                            new PeerComparison(benchmark, library, inRounds(ours, rounds), inRounds(theirs, rounds)));
                }
            });
        });
        return comparisons;
    }

    private static List<Cost> inRounds(Map<Integer, Cost> costs, List<Integer> rounds) {
        return rounds.stream()
                .map(round -> Objects.requireNonNull(costs.get(round)))
                .toList();
    }

    /**
     * Returns one sentence for each of these libraries, and for this one, that has no result of a benchmark.
     */
    List<String> missing(Collection<String> peers) {
        Collection<String> expected = new TreeSet<>(peers);
        expected.add(OURS);
        return costs.entrySet().stream()
                .flatMap(entry -> missing(entry.getKey(), entry.getValue().keySet(), expected))
                .toList();
    }

    private static Stream<String> missing(
            BenchmarkId benchmark, Collection<String> present, Collection<String> expected) {
        return expected.stream()
                .filter(library -> !present.contains(library))
                .map(library -> library + " has no result for " + benchmark);
    }
}
