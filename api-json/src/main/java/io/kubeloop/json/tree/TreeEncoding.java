/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import io.kubeloop.api.UnknownFields;
import java.nio.charset.StandardCharsets;

/** A form of unknown members that becomes a tree without a text between. Immutable. */
public interface TreeEncoding extends UnknownFields.Encoding {

    /** Returns an object with these members. O(n) in the bytes. */
    JsonObject toTree(byte[] members);

    @Override
    default byte[] toJson(byte[] members) {
        String text = toTree(members).toString();
        return text.substring(1, text.length() - 1).getBytes(StandardCharsets.UTF_8);
    }
}
