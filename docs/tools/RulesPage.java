/* SPDX-License-Identifier: Apache-2.0 */
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
 * Generates docs/rules.md from docs/rules.tsv and the tests that cite the rules. Run it in the project's directory:
 *
 * <pre>
 * java docs/tools/RulesPage.java            writes docs/rules.md
 * java docs/tools/RulesPage.java --check    writes nothing; prints a line per fault
 * </pre>
 *
 * <p>Test sources cite a rule as {@code WQ-03} in a comment, {@code _WQ03} in a name, or {@code RE-60 to RE-64}. A rule
 * must be cited by a test or state a reason in the last column of the table, and not both. Exits with 1 if there is a
 * fault or, with {@code --check}, if the page is out of date.
 */
final class RulesPage {

    private static final Pattern CITATION =
            Pattern.compile("(?<![A-Za-z0-9])([A-Z]{2,3})-?(\\d\\d)(?: to (?:\\1-?)?(\\d\\d))?(?![A-Za-z0-9])");
    private static final Pattern REASON = Pattern.compile("(Go only|not built|different on purpose): .+");

    private static final int MOST_WORDS = 20;

    /** The links to the neighbors of the page in the book. */
    private static final String FOOT = "\n---\n\nPrevious: [Releases](release.md) · [contents](README.md)\n";

    private static final String HEAD = """
            # Rules and the tests that hold them

            Upstream has no written specification of this behavior: its code and its tests define it. This page states \
            that behavior as numbered rules, taken
            from client-go v0.37.0-beta.0 (July 2026) and from observing it. Tests cite the numbers. The last column \
            names the tests that hold a rule, or
            states why there is none:

            - **Go only**: the rule has no meaning in Java, or follows from the language.
            - **not built**: Kubeloop leaves it out.
            - **different on purpose**: Kubeloop behaves differently; the page of the module explains it.

            Missing numbers were never assigned. `java docs/tools/RulesPage.java` generates this page from \
            [rules.tsv](rules.tsv) and the test sources.
            """;

    /** One row of docs/rules.tsv; the reason is empty if tests hold the rule. */
    private record Rule(String section, String id, String text, String module, String reason) {}

    public static void main(String[] args) throws IOException {
        boolean check = args.length == 1 && args[0].equals("--check");
        if (args.length > 0 && !check) {
            System.err.println("usage: java docs/tools/RulesPage.java [--check]");
            System.exit(2);
        }
        List<String> faults = new ArrayList<>();
        List<Rule> rules = read(Path.of("docs", "rules.tsv"), faults);
        Map<String, Set<String>> citations = citations(rules);
        rules.forEach(rule -> check(rule, citations.getOrDefault(rule.id(), Set.of()), faults));
        Set<String> known = rules.stream().map(Rule::id).collect(Collectors.toSet());
        citations.forEach((id, tests) -> {
            if (!known.contains(id)) {
                faults.add(id + " is not a rule, but " + tests + " cite it");
            }
        });
        Path target = Path.of("docs", "rules.md");
        String page = page(rules, citations);
        if (!check) {
            Files.writeString(target, page);
        } else if (!Files.exists(target) || !Files.readString(target).equals(page)) {
            faults.add("docs/rules.md is out of date; run java docs/tools/RulesPage.java");
        }
        faults.forEach(System.out::println);
        System.out.println(rules.size() + " rules, "
                + rules.stream().filter(rule -> rule.reason().isEmpty()).count() + " held by tests, " + faults.size()
                + " faults");
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    private static List<Rule> read(Path table, List<String> faults) throws IOException {
        List<Rule> rules = new ArrayList<>();
        Set<String> ids = new TreeSet<>();
        for (String line : Files.readAllLines(table).stream().skip(1).toList()) {
            String[] columns = line.split("\t", -1);
            if (columns.length != 5) {
                throw new IOException(table + ": expected 5 columns, found " + columns.length + " in: " + line);
            }
            Rule rule = new Rule(columns[0], columns[1], columns[2], columns[3], columns[4]);
            rules.add(rule);
            if (!ids.add(rule.id())) {
                faults.add(rule.id() + " has two rows");
            }
        }
        return rules;
    }

    private static void check(Rule rule, Set<String> tests, List<String> faults) {
        if (rule.text().split("\\s+").length > MOST_WORDS) {
            faults.add(rule.id() + " has more than " + MOST_WORDS + " words");
        }
        if (rule.reason().isEmpty() && tests.isEmpty()) {
            faults.add(rule.id() + " is cited by no test and states no reason");
        }
        if (!rule.reason().isEmpty() && !tests.isEmpty()) {
            faults.add(rule.id() + " states why no test holds it, but " + tests + " cite it");
        }
        if (!rule.reason().isEmpty() && !REASON.matcher(rule.reason()).matches()) {
            faults.add(rule.id() + ": the reason must match " + REASON + "; it is: " + rule.reason());
        }
    }

    private static Map<String, Set<String>> citations(List<Rule> rules) throws IOException {
        Set<String> known = rules.stream().map(Rule::id).collect(Collectors.toSet());
        Set<String> prefixes = known.stream().map(RulesPage::prefix).collect(Collectors.toSet());
        Map<String, Set<String>> citations = new TreeMap<>();
        for (Path source : testSources()) {
            String test = source.getFileName().toString().replace(".java", "");
            Matcher citation = CITATION.matcher(Files.readString(source));
            while (citation.find()) {
                if (prefixes.contains(citation.group(1))) {
                    for (String id : ids(citation, known)) {
                        citations.computeIfAbsent(id, none -> new TreeSet<>()).add(test);
                    }
                }
            }
        }
        return citations;
    }

    /** Returns the rules of a citation. A range stands for its ends and for the known rules between them. */
    private static List<String> ids(Matcher citation, Set<String> known) {
        List<String> ids = new ArrayList<>();
        int first = Integer.parseInt(citation.group(2));
        int last = citation.group(3) == null ? first : Integer.parseInt(citation.group(3));
        for (int number = first; number <= last; number++) {
            String id = String.format("%s-%02d", citation.group(1), number);
            if (number == first || number == last || known.contains(id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    private static String prefix(String id) {
        return id.substring(0, id.indexOf('-'));
    }

    private static List<Path> testSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> folders =
                Files.find(Path.of("."), 4, (folder, is) -> is.isDirectory() && folder.endsWith("src/test"))) {
            for (Path tests : folders.sorted().toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static String page(List<Rule> rules, Map<String, Set<String>> citations) {
        StringBuilder page = new StringBuilder(HEAD);
        Map<String, List<Rule>> sections =
                rules.stream().collect(Collectors.groupingBy(Rule::section, LinkedHashMap::new, Collectors.toList()));
        sections.forEach((section, rows) -> {
            page.append("\n## ")
                    .append(section)
                    .append("\n\n| ID | rule | module | held by |\n| --- | --- | --- | --- |\n");
            for (Rule rule : rows) {
                String heldBy = rule.reason().isEmpty()
                        ? String.join(", ", citations.getOrDefault(rule.id(), Set.of()))
                        : rule.reason();
                page.append(String.format("| %s | %s | %s | %s |%n", rule.id(), rule.text(), rule.module(), heldBy));
            }
        });
        return page.append(FOOT).toString();
    }
}
