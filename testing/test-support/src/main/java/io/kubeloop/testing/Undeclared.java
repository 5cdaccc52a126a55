/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

/** Throws checked exceptions that a method does not declare, as code in Kotlin, Scala and Groovy can. */
public final class Undeclared {

    private Undeclared() {}

    /** Throws the argument. Never returns. */
    public static RuntimeException rethrow(Throwable any) {
        return Undeclared.<RuntimeException>asIf(any);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // hides the exception from the compiler
    private static <E extends Throwable> E asIf(Throwable any) throws E {
        throw (E) any;
    }
}
