package io.kubeloop.json.patch;

import java.util.Arrays;
import java.util.List;

/**
 * A place in a document (RFC 6901). The document as a whole is no place here: upstream's patch library has no operation on
 * it either.
 *
 * @param text as it was written
 * @param tokens the unescaped steps, at least one
 */
record JsonPointer(String text, List<String> tokens) {

    static JsonPointer parse(String text) {
        if (!text.startsWith("/")) {
            throw PatchException.unprocessable("the path \"" + text + "\" does not begin with a slash");
        }
        List<String> tokens = Arrays.stream(text.substring(1).split("/", -1))
                .map(token -> token.replace("~1", "/").replace("~0", "~"))
                .toList();
        return new JsonPointer(text, tokens);
    }

    @Override
    public String toString() {
        return text;
    }
}
