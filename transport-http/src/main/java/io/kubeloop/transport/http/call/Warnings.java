/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.PrintableText;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the server's warnings to a handler, each text once: headers {@code Warning: 299}, each of which may contain
 * several warnings. Thread-safe.
 */
final class Warnings {

    private static final Logger LOG = LoggerFactory.getLogger(Warnings.class);
    private static final int MAX_REMEMBERED = 1000;
    private static final int MAX_LENGTH = 4096;
    private static final Pattern START = Pattern.compile("[ \t,]*+([0-9]{3}) \\S++ \"");
    private static final Pattern DATE = Pattern.compile(" \"[^\"]*+\"");
    private static final String MISCELLANEOUS = "299";

    private final Consumer<String> handler;
    private final UserCallbacks guard = new UserCallbacks(Scheduler.system());
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean full = new AtomicBoolean();

    Warnings(Consumer<String> handler) {
        this.handler = handler;
    }

    void accept(List<String> headers) {
        headers.forEach(this::accept);
    }

    /** Text after a malformed warning in the same header is ignored. */
    private void accept(String header) {
        Matcher start = START.matcher(header);
        Matcher date = DATE.matcher(header);
        int at = 0;
        while (start.region(at, header.length()).lookingAt()) {
            StringBuilder text = new StringBuilder();
            at = unquote(header, start.end(), text);
            if (at < 0) {
                return;
            }
            String shown = PrintableText.of(
                    text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text.toString());
            if (start.group(1).equals(MISCELLANEOUS) && !shown.isEmpty() && isNew(shown)) {
                tell(shown);
            }
            at = date.region(at, header.length()).lookingAt() ? date.end() : at;
        }
    }

    /**
     * Appends the quoted text; returns the index after it, or -1 if the closing quote is missing. Not a regular
     * expression: one with escapes uses stack space for each character.
     *
     * @param from the index after the opening quote
     */
    private static int unquote(String header, int from, StringBuilder text) {
        for (int i = from; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c == '\\' && ++i < header.length()) {
                c = header.charAt(i);
            }
            text.append(c);
        }
        return -1;
    }

    private void tell(String text) {
        // The response must reach its caller, or its connection would stay open. An error reaches the caller, such as a
        // failed assertion of a test.
        try {
            handler.accept(text);
        } catch (RuntimeException e) {
            guard.failed(e, failure -> LOG.error("The handler of server warnings failed on \"{}\"", text, failure));
        }
    }

    private boolean isNew(String text) {
        // Texts may contain names of objects. The limits bound the memory, and what a server can write into the log.
        if (seen.size() < MAX_REMEMBERED) {
            return seen.add(text);
        }
        if (!full.getAndSet(true)) {
            LOG.warn("The server has sent {} different warnings; further ones are not shown", MAX_REMEMBERED);
        }
        return false;
    }
}
