/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The message of a failed request names the request and its audit id, which differs each time. Events with it are never
 * combined, and a condition with it changes with every try. Controllers use {@code Errors.text} in what users see.
 */
class UserTextsTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern CONTROLLERS =
            Pattern.compile("^controller-(common|endpoint|replicaset)/|^controllers/(?!command/|manager/)");
    private static final Pattern CATCH = Pattern.compile("catch \\(([\\w .|]+?) (\\w+)\\)");
    private static final Pattern MESSAGE = Pattern.compile("\\b(\\w+)\\.getMessage\\(\\)");
    private static final Pattern OF_A_REQUEST =
            Pattern.compile("\\b(Throwable|Exception|RuntimeException|ApiException|TransportException)\\b");
    private static final Pattern LITERAL = Pattern.compile("\"(\\\\.|[^\"\\\\\n])*\"");
    private static final Pattern LOG = Pattern.compile("\\b(LOG|log)\\s*\\.");

    /** Returns the types of the exception of this name that is caught last before the position. */
    private static String caught(String source, String name, int at) {
        Matcher catches = CATCH.matcher(source).region(0, at);
        String types = "";
        while (catches.find()) {
            types = catches.group(2).equals(name) ? catches.group(1) : types;
        }
        return types;
    }

    /** Returns the uses of a request's message outside of logs. */
    private static List<String> findings(String file, String text) {
        String source = LITERAL.matcher(text).replaceAll("\"\""); // a literal may contain braces
        List<String> found = new ArrayList<>();
        Matcher uses = MESSAGE.matcher(source);
        while (uses.find()) {
            String before = source.substring(0, uses.start());
            int statement =
                    Math.max(before.lastIndexOf(';'), Math.max(before.lastIndexOf('{'), before.lastIndexOf('}')));
            boolean isLog = LOG.matcher(before.substring(statement + 1)).find();
            if (!isLog
                    && OF_A_REQUEST
                            .matcher(caught(source, uses.group(1), uses.start()))
                            .find()) {
                found.add(file + ": " + before.substring(statement + 1).strip() + uses.group());
            }
        }
        return found;
    }

    @Test
    void controllers_showNoMessageOfARequest() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : HouseRulesTest.sources("main")) {
            String name = HOME.relativize(file).toString();
            if (CONTROLLERS.matcher(name).find() && !file.endsWith("Errors.java")) {
                found.addAll(findings(name, Files.readString(file)));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void sweep_findsAMessage_andPassesLogsAndOtherExceptions() {
        String event = "try { a(); } catch (ApiException | IOException e) { events.event(\"x: \" + e.getMessage()); }";
        assertThat(findings("A.java", event)).hasSize(1);
        assertThat(findings("A.java", event.replace("events.event(", "LOG.warn(\"{} {}\", ")))
                .isEmpty();
        assertThat(findings("A.java", event.replace("ApiException", "InvalidSelectorException")))
                .isEmpty();
    }
}
