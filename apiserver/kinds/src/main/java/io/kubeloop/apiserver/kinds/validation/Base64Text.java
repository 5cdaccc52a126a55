/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import java.util.Base64;

/** Base64 as upstream decodes it: with padding, and with line breaks at any position. */
public final class Base64Text {

    private Base64Text() {}

    /** Returns the Base64 form of bytes. */
    public static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Decodes a valid text. */
    public static byte[] decode(String text) {
        return Base64.getDecoder().decode(text.replace("\r", "").replace("\n", ""));
    }
}
