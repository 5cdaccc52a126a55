/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.value.IntOrString;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types that a component may have.
 *
 * <table>
 * <caption>Types and their values when the member is absent or null</caption>
 * <tr><th>type</th><th>value</th></tr>
 * <tr><td>{@code String}</td><td>{@code ""}; null if {@code @Nullable}</td></tr>
 * <tr><td>{@code int}, {@code long}, {@code boolean}</td><td>0, false</td></tr>
 * <tr><td>{@code Integer}, {@code Long}, {@code Boolean}, {@code Time}, {@code MicroTime}</td><td>null</td></tr>
 * <tr><td>{@code IntOrString}</td><td>the number 0; null if {@code @Nullable}</td></tr>
 * <tr><td>a record</td><td>the record of absent members; null if {@code @Nullable}</td></tr>
 * <tr><td>{@code List} of strings, {@code Integer}s or records, {@code Map} of strings to strings or
 * records</td><td>empty</td></tr>
 * </table>
 *
 * <p>The integer 0 and {@code false} are written, except of members that {@linkplain JsonMember#omitZero() omit zero}.
 * The other values of the table are not written.
 */
final class MemberTypes {

    private static final String SUPPORTED = "supported are String, int, long, boolean, Integer, Long, Boolean, Time,"
            + " MicroTime, IntOrString, records, List<String>, List<Integer>, List<record>, Map<String, String> and "
            + "Map<String, record>";

    private MemberTypes() {}

    /** Returns whether values of this class are JSON objects that have an adapter of their own. */
    static boolean isNested(Class<?> type) {
        return type.isRecord() && type != Time.class && type != MicroTime.class && type != IntOrString.class;
    }

    static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** Returns the name of the member of this component. */
    static String name(RecordComponent component) {
        JsonMember annotation = component.getAnnotation(JsonMember.class);
        return annotation == null || annotation.name().isEmpty() ? component.getName() : annotation.name();
    }

    /**
     * Returns the member of this component.
     *
     * @param index the number of the member among the members of the JSON object
     * @param number the number of the component among the components of the record
     * @throws IllegalArgumentException if the component has a type that is not supported
     */
    static Member member(RecordComponent component, int index, int number) {
        Class<?> type = component.getType();
        Member.Place place = new Member.Place(component, index, number);
        boolean shared = isShared(component);
        if (type == String.class) {
            return isNullable(component)
                    ? new ScalarMembers.NullableText(place, shared)
                    : new ScalarMembers.Text(place, shared);
        }
        if (type == int.class) {
            return new ScalarMembers.Int32(place);
        }
        if (type == long.class) {
            return new ScalarMembers.Int64(place);
        }
        if (type == boolean.class) {
            return new ScalarMembers.Bool(place);
        }
        if (type == Integer.class) {
            return new ScalarMembers.NullableInt32(place);
        }
        if (type == Long.class) {
            return new ScalarMembers.NullableInt64(place);
        }
        if (type == Boolean.class) {
            return new ScalarMembers.NullableBool(place);
        }
        if (type == Time.class) {
            return new ScalarMembers.Seconds(place);
        }
        if (type == MicroTime.class) {
            return new ScalarMembers.Micros(place);
        }
        if (type == IntOrString.class) {
            return isNullable(component) ? new ScalarMembers.NullablePort(place) : new ScalarMembers.Port(place);
        }
        if (isNested(type)) {
            return isNullable(component)
                    ? new RecordMembers.Optional(place, type)
                    : new RecordMembers.Required(place, type);
        }
        return collection(component, place, shared);
    }

    private static Member collection(RecordComponent component, Member.Place place, boolean shared) {
        if (component.getGenericType() instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            Type last = arguments[arguments.length - 1];
            boolean list = component.getType() == List.class;
            boolean map = component.getType() == Map.class && arguments[0] == String.class;
            if ((list || map) && last == String.class) {
                return list ? new ScalarMembers.TextList(place, shared) : new ScalarMembers.TextMap(place, shared);
            }
            if (list && last == Integer.class) {
                return new ScalarMembers.Int32List(place);
            }
            if ((list || map) && last instanceof Class<?> type && isNested(type)) {
                return list ? new RecordMembers.Elements(place, type) : new RecordMembers.Entries(place, type);
            }
        }
        throw RecordShape.unsupported(
                component.getDeclaringRecord(),
                "component " + component.getName() + " has the type "
                        + component.getGenericType().getTypeName() + "; " + SUPPORTED
                        + "; leave the component out to keep its JSON in the UnknownFields");
    }

    private static boolean isShared(RecordComponent component) {
        JsonMember annotation = component.getAnnotation(JsonMember.class);
        return annotation == null || annotation.shared();
    }
}
