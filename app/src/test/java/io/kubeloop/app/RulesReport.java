package io.kubeloop.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rule of docs/rules.md is held by which test: reads the document, and looks through the test sources of every module
 * for citations: {@code WQ-03} in a comment, {@code _WQ03} in a name, {@code RE-60 to RE-64}.
 */
final class RulesReport {

    /** What a row says instead of naming tests. */
    static final Pattern REASON = Pattern.compile("(Go only|not built|different on purpose): .+");

    private static final Pattern SECTION = Pattern.compile("## (.+)");
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]{2,3}-\\d\\d) \\| (.+) \\| (.+) \\| (.*) \\|");
    private static final Pattern CITATION =
            Pattern.compile("(?<![A-Za-z0-9])([A-Z]{2,3})-?(\\d\\d)(?: to (?:\\1-?)?(\\d\\d))?(?![A-Za-z0-9])");

    /** Sources in which the IDs stand for themselves. */
    private static final Set<String> OURS = Set.of("RulesReport.java", "RulesReportTest.java");

    /**
     * One row of the document.
     *
     * @param heldBy names of test classes, or a reason
     */
    record Rule(String section, String id, String text, String room, String heldBy) {

        boolean hasReason() {
            return REASON.matcher(heldBy).matches();
        }

        Set<String> namedTests() {
            return hasReason() || heldBy.isBlank() ? Set.of() : new TreeSet<>(List.of(heldBy.split(", ")));
        }
    }

    private final List<Rule> rules;
    private final Map<String, Set<String>> citations;

    private RulesReport(List<Rule> rules, Map<String, Set<String>> citations) {
        this.rules = rules;
        this.citations = citations;
    }

    /** Reads a checkout. */
    static RulesReport of(Path home) throws IOException {
        List<Rule> rules = readRules(Files.readAllLines(home.resolve("docs/rules.md")));
        Set<String> known = rules.stream().map(Rule::id).collect(Collectors.toSet());
        Set<String> prefixes = rules.stream().map(rule -> prefix(rule.id())).collect(Collectors.toSet());
        Map<String, Set<String>> citations = new TreeMap<>();
        for (Path source : testSources(home)) {
            String test = source.getFileName().toString().replace(".java", "");
            for (String id : cited(Files.readString(source), known)) {
                if (prefixes.contains(prefix(id))) {
                    citations.computeIfAbsent(id, none -> new TreeSet<>()).add(test);
                }
            }
        }
        return new RulesReport(rules, citations);
    }

    static List<Rule> readRules(List<String> lines) {
        List<Rule> rules = new ArrayList<>();
        String section = "";
        for (String line : lines) {
            Matcher heading = SECTION.matcher(line);
            Matcher row = ROW.matcher(line);
            if (heading.matches()) {
                section = heading.group(1);
            } else if (row.matches()) {
                rules.add(new Rule(section, row.group(1), row.group(2), row.group(3), row.group(4)));
            }
        }
        return rules;
    }

    private static List<Path> testSources(Path home) throws IOException {
        try (Stream<Path> modules = Files.list(home)) {
            List<Path> sources = new ArrayList<>();
            for (Path tests : modules.map(module -> module.resolve("src/test"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !OURS.contains(file.getFileName().toString()))
                            .forEach(sources::add);
                }
            }
            return sources;
        }
    }

    /** Returns the IDs in a text; a range stands for its ends, and for the known ones between them. */
    static Set<String> cited(String text, Set<String> known) {
        Set<String> ids = new TreeSet<>();
        Matcher citation = CITATION.matcher(text);
        while (citation.find()) {
            int first = Integer.parseInt(citation.group(2));
            int last = citation.group(3) == null ? first : Integer.parseInt(citation.group(3));
            for (int number = first; number <= last; number++) {
                String id = String.format("%s-%02d", citation.group(1), number);
                if (number == first || number == last || known.contains(id)) {
                    ids.add(id);
                }
            }
        }
        return ids;
    }

    private static String prefix(String id) {
        return id.substring(0, id.indexOf('-'));
    }

    List<Rule> rules() {
        return rules;
    }

    /** Returns the tests that cite a rule. */
    Set<String> tests(String id) {
        return citations.getOrDefault(id, Set.of());
    }

    /** Returns what is wrong, a line each; nothing if document and tests agree. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        Set<String> known = new TreeSet<>();
        for (Rule rule : rules) {
            Set<String> tests = tests(rule.id());
            if (!known.add(rule.id())) {
                faults.add(rule.id() + " has two rows");
            }
            if (rule.hasReason() && !tests.isEmpty()) {
                faults.add(rule.id() + " has a reason why no test holds it, but " + tests + " cite it");
            }
            if (!rule.hasReason() && tests.isEmpty()) {
                faults.add(rule.id() + " is cited by no test, and has no reason");
            }
            for (String named : rule.namedTests()) {
                if (!tests.contains(named)) {
                    faults.add(rule.id() + " names " + named + ", which does not cite it");
                }
            }
        }
        citations.forEach((id, tests) -> {
            if (!known.contains(id)) {
                faults.add(id + " is no rule, but " + tests + " cite it");
            }
        });
        return faults;
    }

    /** Returns the report as text: the counts of each section, then every rule with its tests or its reason. */
    String text() {
        StringBuilder text = new StringBuilder();
        Map<String, List<Rule>> sections =
                rules.stream().collect(Collectors.groupingBy(Rule::section, LinkedHashMap::new, Collectors.toList()));
        sections.forEach((section, inIt) -> text.append(counts(section, inIt)));
        text.append(counts("all", rules)).append('\n');
        for (Rule rule : rules) {
            text.append(String.format(
                    "%-7s %s%n        %s%n",
                    rule.id(), rule.text(), rule.hasReason() ? rule.heldBy() : String.join(", ", tests(rule.id()))));
        }
        return text.toString();
    }

    private String counts(String name, List<Rule> counted) {
        return String.format(
                "%-40s %3d rules, %3d cited by tests, %3d with a reason%n",
                name,
                counted.size(),
                counted.stream().filter(rule -> !tests(rule.id()).isEmpty()).count(),
                counted.stream().filter(Rule::hasReason).count());
    }

    /** Returns the document with the tests of each row as they are now. */
    List<String> rewritten(List<String> lines) {
        return lines.stream()
                .map(line -> {
                    Matcher row = ROW.matcher(line);
                    if (!row.matches() || REASON.matcher(row.group(4)).matches()) {
                        return line;
                    }
                    String tests = String.join(", ", tests(row.group(1)));
                    return "| " + row.group(1) + " | " + row.group(2) + " | " + row.group(3) + " | " + tests + " |";
                })
                .toList();
    }
}
