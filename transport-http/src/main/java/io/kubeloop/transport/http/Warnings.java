package io.kubeloop.transport.http;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands on what the server warns of ({@code Warning: 299} headers): each text once. Thread-safe. */
final class Warnings {

    private static final Logger log = LoggerFactory.getLogger(Warnings.class);
    private static final int MAX_REMEMBERED = 1000;
    private static final Pattern START = Pattern.compile("299 \\S++ \"");

    private final Consumer<String> handler;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    Warnings(Consumer<String> handler) {
        this.handler = handler;
    }

    void accept(List<String> headers) {
        for (String header : headers) {
            String text = text(header);
            if (text != null && !text.isEmpty() && isNew(text)) {
                tell(text);
            }
        }
    }

    /**
     * Returns the text in quotes, or null if this is no warning of code 299. By hand: a regular expression with escapes in
     * it takes a piece of the stack for each character.
     */
    private static @Nullable String text(String header) {
        Matcher start = START.matcher(header);
        if (!start.lookingAt()) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = start.end(); i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\' && ++i < header.length()) {
                c = header.charAt(i);
            }
            text.append(c);
        }
        return null;
    }

    private void tell(String text) {
        try {
            handler.accept(text);
        } catch (RuntimeException e) {
            // The answer is there and must reach its caller, whose connection would stay open otherwise.
            log.error("the handler of server warnings failed on \"{}\"", text, e);
        }
    }

    private boolean isNew(String text) {
        // Texts with names in them must not fill the memory: beyond the bound a warning may be repeated.
        return seen.size() >= MAX_REMEMBERED ? !seen.contains(text) : seen.add(text);
    }
}
