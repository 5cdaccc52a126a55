/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** Method handles on the canonical constructor and the accessors of a record. Thread-safe: stateless. */
final class Accessors {

    private Accessors() {}

    /**
     * Returns the canonical constructor.
     *
     * <p>Callers use reflection. A method handle that spreads an array would make decoding about 1 % faster, but making
     * that handle takes 3 ms for each record.
     *
     * @throws IllegalArgumentException if this module may not call it
     */
    static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] parameters = new Class<?>[components.length];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = components[i].getType();
        }
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(parameters);
            if (!canonical.trySetAccessible()) {
                throw inaccessible(type, null);
            }
            return canonical;
        } catch (NoSuchMethodException e) {
            throw inaccessible(type, e);
        }
    }

    /**
     * Returns the accessor of a component, as a handle of type {@code (Object)} to the given type.
     *
     * @throws IllegalArgumentException if this module may not call it
     */
    static MethodHandle accessor(RecordComponent component, Class<?> accessed) {
        Class<?> type = component.getDeclaringRecord();
        try {
            return lookup(type)
                    .unreflect(component.getAccessor())
                    .asType(MethodType.methodType(accessed, Object.class));
        } catch (IllegalAccessException e) {
            throw inaccessible(type, e);
        }
    }

    /** An opened package gives access to records of any visibility; an exported one, to public records. */
    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        Module own = Accessors.class.getModule();
        Module theirs = type.getModule();
        own.addReads(theirs);
        return theirs.isOpen(type.getPackageName(), own)
                ? MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                : MethodHandles.lookup();
    }

    private static IllegalArgumentException inaccessible(Class<?> type, @Nullable Exception cause) {
        Module theirs = type.getModule();
        String advice = theirs.isNamed()
                ? "make the record public and export package " + type.getPackageName()
                        + ", or open that package, in module " + theirs.getName()
                : "make the record accessible";
        return RecordShape.unsupported(type, "its constructor or accessors are not accessible; " + advice, cause);
    }

    /** Returns the exception to throw after a constructor or an accessor threw this one. Throws errors at once. */
    static RuntimeException failure(Throwable thrown) {
        Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
        if (cause instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("A record's constructor or accessor threw " + cause, cause);
    }
}
