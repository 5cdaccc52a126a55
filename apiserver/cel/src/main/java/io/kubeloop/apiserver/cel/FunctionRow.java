/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelResolvedOverload;
import java.util.ArrayList;
import java.util.List;

/**
 * One overload of a function. The classes with the functions make rows, and {@link FunctionTable} collects them: so
 * this class must not refer to the table, or the initialization of the classes would depend on itself.
 *
 * @param name the name of the function
 * @param isMember whether the first argument is in front of the name
 * @param overload upstream's identifier of the overload
 */
record FunctionRow(
        String name, boolean isMember, String overload, CelType result, List<CelType> parameters, Body body) {

    /** Computes a function. */
    @FunctionalInterface
    interface Body {

        /**
         * Returns the result for arguments of the declared types; throws a {@code CelRuntimeException} for other
         * errors.
         */
        Object apply(Object[] arguments);
    }

    /** Returns the overload of a member function: {@code first.name(others)}. */
    static FunctionRow member(String name, String overload, CelType result, Body body, CelType... parameters) {
        return new FunctionRow(name, true, overload, result, List.of(parameters), body);
    }

    /** Returns the overload of a function: {@code name(arguments)}. */
    static FunctionRow global(String name, String overload, CelType result, Body body, CelType... parameters) {
        return new FunctionRow(name, false, overload, result, List.of(parameters), body);
    }

    CelOverloadDecl declaration() {
        return isMember
                ? CelOverloadDecl.newMemberOverload(overload, result, parameters)
                : CelOverloadDecl.newGlobalOverload(overload, result, parameters);
    }

    @SuppressWarnings("Immutable") // the functions have no state
    CelResolvedOverload resolved() {
        List<Class<?>> types = new ArrayList<>();
        parameters.forEach(parameter -> types.add(Object.class));
        return CelResolvedOverload.of(name, overload, body::apply, true, types);
    }
}
