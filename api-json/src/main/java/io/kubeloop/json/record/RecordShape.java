/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.UnknownFields;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mapping between the components of a record and the members of a JSON object.
 *
 * <p>A component is the member of the same name, or of the name in its {@link JsonMember} annotation. Members are
 * written in the order of the components. The codec itself reads and writes {@code kind} and {@code apiVersion} of a
 * {@link KubeObject}; components of these names receive the values of the document. One component of type {@link
 * UnknownFields} holds all other members. {@link MemberTypes} lists the types of components and their zero values.
 *
 * <p>Immutable and thread-safe.
 */
final class RecordShape {

    /** The number that stands for a component that the record does not have. */
    static final int NONE = -1;

    private static final String KIND = "kind";
    private static final String API_VERSION = "apiVersion";

    private final Class<?> type;
    private final RecordComponent[] components;
    private final Constructor<?> constructor;
    private final MemberNames names;
    private final List<Member> members = new ArrayList<>();
    private final List<Nested> nested = new ArrayList<>();
    private int unknownFields = NONE;
    private int kind = NONE;
    private int apiVersion = NONE;

    /**
     * A record inside a record.
     *
     * @param type the inner record
     * @param required whether the component holds exactly one, rather than a list, a map or null
     */
    record Nested(Class<?> type, boolean required) {}

    /**
     * Derives the shape of a record, but not of the records inside it.
     *
     * @throws IllegalArgumentException if the record has no JSON form; the message names the component and the reason
     */
    RecordShape(Class<?> type) {
        if (!type.isRecord() || type.getTypeParameters().length > 0) {
            throw unsupported(type, "it is not a record, or it has type parameters");
        }
        this.type = type;
        components = type.getRecordComponents();
        boolean object = KubeObject.class.isAssignableFrom(type);
        List<String> memberNames = new ArrayList<>(object ? List.of(KIND, API_VERSION) : List.of());
        int typeMembers = memberNames.size();
        for (int i = 0; i < components.length; i++) {
            if (!isFilledByTheCodec(i, object)) {
                memberNames.add(MemberTypes.name(components[i]));
                members.add(MemberTypes.member(components[i], memberNames.size() - 1, i));
                addNested(components[i]);
            }
        }
        checkRequiredComponents(object);
        try {
            names = new MemberNames(memberNames, typeMembers);
        } catch (IllegalArgumentException e) {
            throw unsupported(type, String.valueOf(e.getMessage()), e);
        }
        constructor = Accessors.constructor(type, components);
    }

    /** Notes the numbers of the components that hold the unknown members, the kind and the version. */
    private boolean isFilledByTheCodec(int i, boolean object) {
        Class<?> componentType = components[i].getType();
        if (componentType == UnknownFields.class) {
            if (unknownFields != NONE) {
                throw unsupported(type, "it has two components of type UnknownFields");
            }
            unknownFields = i;
            return true;
        }
        if (!object || componentType != String.class) {
            return false;
        }
        String name = MemberTypes.name(components[i]);
        if (name.equals(KIND)) {
            kind = i;
        } else if (name.equals(API_VERSION)) {
            apiVersion = i;
        }
        return kind == i || apiVersion == i;
    }

    private void addNested(RecordComponent component) {
        Type generic = component.getGenericType();
        if (generic instanceof ParameterizedType collection) {
            Type[] arguments = collection.getActualTypeArguments();
            if (arguments[arguments.length - 1] instanceof Class<?> element && MemberTypes.isNested(element)) {
                nested.add(new Nested(element, false));
            }
        } else if (MemberTypes.isNested(component.getType())) {
            nested.add(new Nested(component.getType(), !MemberTypes.isNullable(component)));
        }
    }

    private void checkRequiredComponents(boolean object) {
        if (object && nested.stream().noneMatch(inner -> inner.type() == ObjectMeta.class && inner.required())) {
            throw unsupported(type, "a KubeObject needs a component \"ObjectMeta metadata\"");
        }
        if (unknownFields == NONE && type != PartialObjectMetadata.class) {
            throw unsupported(
                    type,
                    "it has no component of type UnknownFields, so writing an object back would lose the members"
                            + " that have no component; add \"UnknownFields unknownFields\"");
        }
    }

    static IllegalArgumentException unsupported(Class<?> type, String reason) {
        return unsupported(type, reason, null);
    }

    static IllegalArgumentException unsupported(Class<?> type, String reason, @Nullable Exception cause) {
        return new IllegalArgumentException("Cannot derive the JSON form of " + type.getName() + ": " + reason, cause);
    }

    Class<?> type() {
        return type;
    }

    /** Returns the number of components. */
    int width() {
        return components.length;
    }

    RecordComponent component(int number) {
        return components[number];
    }

    Constructor<?> constructor() {
        return constructor;
    }

    /**
     * Returns the members in the order in which they are written, without {@code kind} and {@code apiVersion} of an
     * object.
     */
    List<Member> members() {
        return members;
    }

    /** Returns the records that components hold, once per component. */
    List<Nested> nested() {
        return nested;
    }

    MemberNames names() {
        return names;
    }

    /** Returns the number of the component that holds the unknown members, or {@link #NONE}. */
    int unknownFields() {
        return unknownFields;
    }

    /** Returns the number of the component that holds the object's own kind, or {@link #NONE}. */
    int kind() {
        return kind;
    }

    /** Returns the number of the component that holds the object's own API version, or {@link #NONE}. */
    int apiVersion() {
        return apiVersion;
    }
}
