/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import java.util.Arrays;
import java.util.List;

/**
 * A place in a document (RFC 6901). A pointer to the document as a whole is not supported, as in upstream's patch
 * library. That library also ignores text before the first slash.
 *
 * @param text the pointer as it was written
 * @param tokens the unescaped steps, at least one
 */
record JsonPointer(String text, List<String> tokens) {

    static JsonPointer parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw PatchException.unprocessable("the path \"" + text + "\" has no slash");
        }
        List<String> tokens = Arrays.stream(text.substring(slash + 1).split("/", -1))
                .map(token -> token.replace("~1", "/").replace("~0", "~"))
                .toList();
        return new JsonPointer(text, tokens);
    }

    @Override
    public String toString() {
        return text;
    }
}
