/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.schema.StatedKind;

/** Reads {@code apiVersion} and {@code kind} of a document. Thread-safe: stateless. */
final class IdentityReader {

    /** The Go type into which the server decodes {@code apiVersion} and {@code kind}, as its error messages name it. */
    private static final String TYPE = "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
            + "\"json:\\\"kind,omitempty\\\"\" }";

    private IdentityReader() {}

    static StatedKind read(JsonScanner in) {
        int first = in.token();
        if (first == 'n') {
            in.skipValue();
            in.end();
            return new StatedKind("", "");
        }
        if (first != '{') {
            String found = GoText.jsonType(first);
            in.skipValue();
            in.end();
            throw new DecodeException("json: cannot unmarshal " + found + " into Go value of type " + TYPE, null);
        }
        String apiVersion = "";
        String kind = "";
        String wrong = "";
        in.beginObject();
        while (in.hasNextMember()) {
            int from = in.name();
            String name = in.text(from, in.nameEnd());
            boolean isKind = name.equals("kind");
            int token = in.token();
            if ((!isKind && !name.equals("apiVersion")) || token == 'n') {
                in.skipValue();
            } else if (token == '"') {
                int text = in.string("a string");
                String value = in.text(text, in.position() - 1);
                kind = isKind ? value : kind;
                apiVersion = isKind ? apiVersion : value;
            } else {
                if (wrong.isEmpty()) {
                    wrong = "json: cannot unmarshal " + GoText.jsonType(token) + " into Go struct field ." + name
                            + " of type string";
                }
                in.skipValue();
            }
        }
        in.end();
        if (!wrong.isEmpty()) {
            throw new DecodeException(wrong, null);
        }
        return new StatedKind(apiVersion, kind);
    }
}
