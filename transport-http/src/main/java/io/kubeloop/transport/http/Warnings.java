package io.kubeloop.transport.http;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands on what the server warns of ({@code Warning: 299} headers): each text once. Thread-safe. */
final class Warnings {

    private static final Logger log = LoggerFactory.getLogger(Warnings.class);
    private static final int MAX_REMEMBERED = 1000;
    private static final Pattern HEADER = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\".*", Pattern.DOTALL);

    private final Consumer<String> handler;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    Warnings(Consumer<String> handler) {
        this.handler = handler;
    }

    void accept(List<String> headers) {
        for (String header : headers) {
            Matcher matcher = HEADER.matcher(header);
            if (matcher.matches()) {
                String text = matcher.group(1).replaceAll("\\\\(.)", "$1");
                if (!text.isEmpty() && isNew(text)) {
                    tell(text);
                }
            }
        }
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
