/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectName;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.scan.JsonScanner;

/**
 * Reads the namespace, the name, the UID and the version in the document of an object, and skips everything else.
 *
 * <p>Confined to one thread.
 */
public final class IdentityDecoder {

    private final JsonScanner json;
    private boolean hasMetadata;
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String resourceVersion = "";

    private IdentityDecoder(JsonScanner json) {
        this.json = json;
    }

    /** Returns the identity of the object in this document. */
    public static ObjectIdentity decode(RecordReader reader, byte[] document) {
        IdentityDecoder decoder = new IdentityDecoder(reader.open(document));
        decoder.object();
        return new ObjectIdentity(
                new ObjectName(decoder.namespace, decoder.name), decoder.uid, decoder.resourceVersion);
    }

    private void object() {
        json.beginObject();
        while (json.hasNextMember()) {
            if (member().equals("metadata")) {
                hasMetadata = true;
                metadata();
            } else {
                json.skipValue();
            }
        }
        json.end();
        if (!hasMetadata) {
            throw json.expected("an object with metadata", 0, null);
        }
    }

    private void metadata() {
        json.beginObject();
        while (json.hasNextMember()) {
            switch (member()) {
                case "namespace" -> namespace = string();
                case "name" -> name = string();
                case "uid" -> uid = string();
                case "resourceVersion" -> resourceVersion = string();
                default -> json.skipValue();
            }
        }
    }

    private String member() {
        int from = json.name();
        return json.text(from, json.nameEnd());
    }

    private String string() {
        int from = json.string("a string");
        return json.text(from, json.position() - 1);
    }
}
