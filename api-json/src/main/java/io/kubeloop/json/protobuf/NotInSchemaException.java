/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

/** A document has a kind or a field that the protocol buffers schema lacks. It must be sent as JSON. */
public final class NotInSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public NotInSchemaException(String message) {
        super(message, null, false, false);
    }
}
