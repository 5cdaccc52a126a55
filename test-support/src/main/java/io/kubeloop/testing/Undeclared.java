package io.kubeloop.testing;

/** Throws what a method does not declare, as code of Kotlin, Scala or Groovy does every day. */
public final class Undeclared {

    private Undeclared() {}

    /** Throws it, whatever it is; never returns. */
    public static RuntimeException rethrow(Throwable any) {
        return Undeclared.<RuntimeException>asIf(any);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is not checked, and that is the point
    private static <E extends Throwable> E asIf(Throwable any) throws E {
        throw (E) any;
    }
}
