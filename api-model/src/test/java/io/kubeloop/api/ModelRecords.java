/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.value.IntOrString;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Every record of the model, and instances of them with every component filled. */
final class ModelRecords {

    private ModelRecords() {}

    /** Returns every record that is reachable from a kind, a list or a status. */
    static Stream<Class<?>> all() {
        Set<Class<?>> found = new LinkedHashSet<>();
        ResourceTypes.all().forEach(type -> collect(type.objectClass(), found));
        Stream.of(GenericObject.class, ListMeta.class, Status.class, LabelSelector.class)
                .forEach(type -> collect(type, found));
        return found.stream();
    }

    private static void collect(Type type, Set<Class<?>> found) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, found);
            }
        } else if (type instanceof Class<?> plain && plain.isRecord() && found.add(plain)) {
            for (RecordComponent component : plain.getRecordComponents()) {
                collect(component.getGenericType(), found);
            }
        }
    }

    /** Makes an instance with every component null, or zero where it cannot be null. */
    static Object empty(Class<?> type) {
        return make(
                type,
                Stream.of(type.getRecordComponents())
                        .map(component -> zero(component.getType()))
                        .toArray());
    }

    /**
     * Makes an instance with every component filled.
     *
     * @param given collects the collections that were handed in, all of them mutable
     */
    static Object full(Class<?> type, List<Object> given) {
        if (type == IntOrString.class) {
            return IntOrString.of("web");
        }
        return make(
                type,
                Stream.of(type.getRecordComponents())
                        .map(component -> value(component.getGenericType(), component.getName(), given))
                        .toArray());
    }

    private static Object make(Class<?> type, Object[] arguments) {
        try {
            Class<?>[] types = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a " + type, e);
        }
    }

    static Object get(Object object, RecordComponent component) {
        try {
            return component.getAccessor().invoke(object);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot read " + component, e);
        }
    }

    private static Object zero(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        return type == boolean.class ? false : null;
    }

    private static Object value(Type type, String name, List<Object> given) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            list.add(value(generic.getActualTypeArguments()[0], name, given));
            given.add(list);
            return list;
        }
        if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            map.put("key of " + name, value(generic.getActualTypeArguments()[1], name, given));
            map.put("second key of " + name, value(generic.getActualTypeArguments()[1], name, given));
            given.add(map);
            return map;
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return "value of " + name;
        } else if (plain == int.class || plain == Integer.class) {
            return 7;
        } else if (plain == long.class || plain == Long.class) {
            return 7L;
        } else if (plain == boolean.class || plain == Boolean.class) {
            return true;
        } else if (plain == UnknownFields.class) {
            return UnknownFields.ofMembers("\"unknown\":1");
        } else if (plain == Instant.class) {
            return Instant.EPOCH;
        } else if (plain.isRecord()) {
            return full(plain, given);
        }
        throw new AssertionError("a record of the model holds a " + type + ": is it immutable, and can JSON hold it?");
    }
}
