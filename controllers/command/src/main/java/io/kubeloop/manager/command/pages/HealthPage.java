/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.RequestTarget;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A page such as {@code /healthz} that runs checks (upstream: {@code apiserver/pkg/server/healthz}). The query {@code
 * verbose} lists the checks, {@code exclude=NAME} skips one, and {@code /healthz/NAME} runs one. Upstream withholds the
 * reasons of failures on the page of all checks; here they are part of it. Thread-safe if the suppliers are.
 *
 * @param path the path, such as {@code /healthz}
 * @param checks returns the checks of this moment; without one, {@code ping} stands for the process
 */
public record HealthPage(String path, Supplier<List<Check>> checks) {

    /**
     * A check of a health page.
     *
     * @param name its name, such as {@code informer-sync}
     * @param problem returns the reason of a failure; empty if the check succeeds
     * @param remark returns a remark for the verbose output; empty if there is none
     */
    public record Check(String name, Supplier<String> problem, Supplier<String> remark) {

        public Check(String name, Supplier<String> problem) {
            this(name, problem, () -> "");
        }

        /** Returns a check that always succeeds: it shows that the process answers, or that a controller runs. */
        public static Check ping(String name) {
            return new Check(name, () -> "");
        }
    }

    /** The response to a request. */
    record Response(int code, String body) {}

    /** Returns the response for a request below the path; null if the page has no such check. */
    @Nullable
    Response respond(RequestTarget request) {
        List<Check> current = checks.get();
        List<Check> all = current.isEmpty() ? List.of(Check.ping("ping")) : current;
        if (request.path().equals(path)) {
            return ofAll(all, request.rawQuery());
        }
        String name = request.path().substring(path.length() + 1);
        return all.stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .map(HealthPage::ofOne)
                .orElse(null);
    }

    private static Response ofOne(Check check) {
        String problem = check.problem().get();
        return problem.isEmpty()
                ? new Response(200, "ok")
                : new Response(500, "internal server error: " + problem + "\n");
    }

    private Response ofAll(List<Check> all, String query) {
        Set<String> unknown = new TreeSet<>(values(query, "exclude"));
        StringBuilder report = new StringBuilder();
        boolean well = true;
        for (Check check : all) {
            if (unknown.remove(check.name())) {
                report.append("[+]").append(check.name()).append(" excluded: ok\n");
                continue;
            }
            String problem = check.problem().get();
            String remark = check.remark().get();
            well &= problem.isEmpty();
            report.append(
                            problem.isEmpty()
                                    ? "[+]" + check.name() + " ok"
                                    : "[-]" + check.name() + " failed: " + problem)
                    .append(remark.isEmpty() ? "" : "; " + remark)
                    .append('\n');
        }
        if (!unknown.isEmpty()) {
            report.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(unknown.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(",")))
                    .append('\n');
        }
        report.append(path, 1, path.length()).append(well ? " check passed\n" : " check failed\n");
        boolean isBrief = well && values(query, "verbose").isEmpty();
        return new Response(well ? 200 : 500, isBrief ? "ok" : report.toString());
    }

    private static List<String> values(String query, String name) {
        List<String> values = new ArrayList<>();
        for (String part : query.split("&", -1)) {
            String[] entry = part.split("=", 2);
            if (decoded(entry[0]).equals(name)) {
                values.add(entry.length == 1 ? "" : decoded(entry[1]));
            }
        }
        return values;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
