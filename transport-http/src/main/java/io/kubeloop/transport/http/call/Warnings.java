package io.kubeloop.transport.http.call;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on what the server warns of ({@code Warning: 299} headers, each of which may hold several): each text once. Thread-safe.
 */
final class Warnings {

    private static final Logger log = LoggerFactory.getLogger(Warnings.class);
    private static final int MAX_REMEMBERED = 1000;
    private static final Pattern START = Pattern.compile("[ \t,]*+([0-9]{3}) \\S++ \"");
    private static final Pattern DATE = Pattern.compile(" \"[^\"]*+\"");
    private static final String MISCELLANEOUS = "299";

    private final Consumer<String> handler;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    Warnings(Consumer<String> handler) {
        this.handler = handler;
    }

    void accept(List<String> headers) {
        headers.forEach(this::accept);
    }

    /** What stands behind something that makes no sense is lost with it. */
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
            if (start.group(1).equals(MISCELLANEOUS) && text.length() > 0 && isNew(text.toString())) {
                tell(text.toString());
            }
            at = date.region(at, header.length()).lookingAt() ? date.end() : at;
        }
    }

    /**
     * Appends what stands in quotes; returns where it has ended, or -1 if it does not end. By hand: a regular expression with
     * escapes in it takes a piece of the stack for each character.
     *
     * @param from behind the first quote
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
        // The answer is there and must reach its caller, whose connection would stay open otherwise.
        UserCode.run(
                () -> handler.accept(text), e -> log.error("the handler of server warnings failed on \"{}\"", text, e));
    }

    private boolean isNew(String text) {
        // Texts with names in them must not fill the memory: beyond the bound a warning may be repeated.
        return seen.size() >= MAX_REMEMBERED ? !seen.contains(text) : seen.add(text);
    }
}
