/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import io.kubeloop.api.client.TransportException;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls fail: those of one verb and resource, by their number.
 *
 * @param verb such as {@code create}
 * @param resource such as {@code pods}
 * @param subresource empty for the object itself
 * @param name the object's name; empty for any
 * @param code the HTTP status code
 * @param reason such as {@code Forbidden}
 * @param message the server's words
 * @param cause the reason of a cause in the details; empty for none
 * @param firstCall the first call that fails, counted from 1
 * @param lastCall the last one
 * @param broken if set, the call fails without an answer, after the server has carried it out; if
 *     {@link TransportException.Kind#CONNECT}, the call has not reached the server, and the message is the exception's
 */
public record Fault(
        String verb,
        String resource,
        String subresource,
        String name,
        int code,
        String reason,
        String message,
        String cause,
        int firstCall,
        int lastCall,
        TransportException.@Nullable Kind broken) {

    /** Returns a fault of every call. */
    public static Fault of(String verb, String resource, int code, String reason, String message) {
        return new Fault(verb, resource, "", "", code, reason, message, "", 1, Integer.MAX_VALUE, null);
    }

    /** Returns a fault of the first call: the request is carried out, but the answer is lost. */
    public static Fault lostAnswer(String verb, String resource) {
        return new Fault(verb, resource, "", "", 0, "", "", "", 1, 1, TransportException.Kind.TIMEOUT);
    }

    /** Returns a fault of these calls only, counted from 1. */
    public Fault onCalls(int first, int last) {
        return new Fault(verb, resource, subresource, name, code, reason, message, cause, first, last, broken);
    }

    /**
     * Reads one element of {@code apiErrors} in the golden vectors. A {@code plain} one is no answer of a server:
     * either a mark beside the message, or the message itself.
     */
    public static Fault fromVector(Map<String, ?> json) {
        boolean plain = json.get("plain") instanceof String || Boolean.TRUE.equals(json.get("plain"));
        return new Fault(
                text(json, "verb"),
                text(json, "resource"),
                text(json, "subresource"),
                text(json, "name"),
                number(json, "code", 0),
                text(json, "reason"),
                json.get("plain") instanceof String message ? message : text(json, "message"),
                text(json, "cause"),
                number(json, "firstCall", 1),
                number(json, "lastCall", Integer.MAX_VALUE),
                plain ? TransportException.Kind.CONNECT : null);
    }

    boolean hits(String verb, ApiPath path, String name, int call) {
        return this.verb.equals(verb)
                && resource.equals(path.resource())
                && subresource.equals(path.subresource())
                && (this.name.isEmpty() || this.name.equals(name))
                && firstCall <= call
                && call <= lastCall;
    }

    private static String text(Map<String, ?> json, String member) {
        return json.get(member) instanceof String text ? text : "";
    }

    private static int number(Map<String, ?> json, String member, int otherwise) {
        return json.get(member) instanceof BigDecimal number ? number.intValueExact() : otherwise;
    }
}
