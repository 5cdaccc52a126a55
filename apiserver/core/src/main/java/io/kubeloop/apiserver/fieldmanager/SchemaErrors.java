/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the paths at which a value does not have the type of its schema. Not thread-safe.
 *
 * <p>A walk reports an error without its path, and adds the path elements on its way back: {@link #mark} before a part
 * is visited, {@link #prefix} afterwards.
 */
final class SchemaErrors {

    private @Nullable List<String> paths;
    private @Nullable List<String> messages;

    void add(String message) {
        if (paths == null || messages == null) {
            paths = new ArrayList<>();
            messages = new ArrayList<>();
        }
        paths.add("");
        messages.add(message);
    }

    boolean isEmpty() {
        return messages == null;
    }

    /** Returns the number of errors so far. */
    int mark() {
        return messages == null ? 0 : messages.size();
    }

    /** Prepends a path element to the paths of the errors since the mark. */
    void prefix(int mark, PathElement element) {
        if (paths != null) {
            for (int i = mark; i < paths.size(); i++) {
                paths.set(i, element + paths.get(i));
            }
        }
    }

    /** Throws an exception with these errors, if there are any; the message begins with the given text. */
    void requireNone(String failure) {
        if (!isEmpty()) {
            throw ApplyException.failed(failure + ": " + this);
        }
    }

    /** Returns the text of all errors: one line for a single error. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; paths != null && messages != null && i < paths.size(); i++) {
            String path = paths.get(i);
            lines.add(path.isEmpty() ? messages.get(i) : path + ": " + messages.get(i));
        }
        return lines.size() == 1 ? lines.get(0) : "errors:\n  " + String.join("\n  ", lines);
    }
}
