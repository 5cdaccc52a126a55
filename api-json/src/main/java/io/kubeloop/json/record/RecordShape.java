package io.kubeloop.json.record;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.UnknownFields;
import java.lang.invoke.MethodHandle;
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
 * <p>The rules: A component is the member of the same name, or of the name in its {@link JsonMember} annotation. Members are
 * written in the order of the components. {@code kind} and {@code apiVersion} of a {@link KubeObject} are read and written by
 * the codec; components of these names receive what the document contained. One component of type {@link UnknownFields} holds
 * all other members. {@link MemberTypes} lists the types of components and their zero values.
 *
 * <p>Immutable and thread-safe.
 */
final class RecordShape {

    private static final String KIND = "kind";
    private static final String API_VERSION = "apiVersion";
    private static final int NONE = -1;

    private final Class<?> type;
    private final int width;
    private final Constructor<?> constructor;
    private final List<Member> members = new ArrayList<>();
    private final List<Nested> nested = new ArrayList<>();
    private final MemberNames names;
    private int unknownFields = NONE;
    private int kind = NONE;
    private int apiVersion = NONE;
    private RecordComponent unknownFieldsComponent;
    private @Nullable MethodHandle unknownFieldsAccessor;

    /**
     * A record inside a record.
     *
     * @param component the component that holds it
     * @param type the inner record
     * @param required whether the component holds exactly one, rather than a list, a map or null
     */
    record Nested(String component, Class<?> type, boolean required) {}

    @SuppressWarnings("NullAway.Init")
    private RecordShape(Class<?> type) {
        this.type = type;
        RecordComponent[] components = type.getRecordComponents();
        if (components == null || type.getTypeParameters().length > 0) {
            throw unsupported(type, "it is not a record, or it has type parameters");
        }
        boolean object = KubeObject.class.isAssignableFrom(type);
        width = components.length;
        List<String> memberNames = new ArrayList<>();
        if (object) {
            memberNames.add(KIND);
            memberNames.add(API_VERSION);
        }
        int typeMembers = memberNames.size();
        boolean metadata = false;
        for (int i = 0; i < width; i++) {
            RecordComponent component = components[i];
            String name = name(component);
            if (component.getType() == UnknownFields.class) {
                if (unknownFields >= 0) {
                    throw unsupported(type, "it has two components of type UnknownFields");
                }
                unknownFields = i;
                unknownFieldsComponent = component;
            } else if (object && name.equals(KIND) && component.getType() == String.class) {
                kind = i;
            } else if (object && name.equals(API_VERSION) && component.getType() == String.class) {
                apiVersion = i;
            } else {
                memberNames.add(name);
                metadata |= component.getType() == ObjectMeta.class && name.equals("metadata");
                members.add(MemberTypes.member(
                        type, component, new Member.Place(name, memberNames.size() - 1, i, component)));
                addNested(component);
            }
        }
        if (object && !metadata) {
            throw unsupported(type, "a KubeObject needs a component \"ObjectMeta metadata\"");
        }
        if (unknownFields < 0 && type != PartialObjectMetadata.class) {
            throw unsupported(
                    type,
                    "it has no component of type UnknownFields: members that it does not know would be lost"
                            + " when an object is written back; add \"UnknownFields unknownFields\"");
        }
        try {
            names = new MemberNames(memberNames, typeMembers);
        } catch (IllegalArgumentException e) {
            throw unsupported(type, e.getMessage());
        }
        constructor = Accessors.constructor(type, components);
    }

    private static String name(RecordComponent component) {
        JsonMember annotation = component.getAnnotation(JsonMember.class);
        return annotation == null || annotation.name().isEmpty() ? component.getName() : annotation.name();
    }

    private void addNested(RecordComponent component) {
        Type generic = component.getGenericType();
        Type[] arguments = generic instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()
                : new Type[] {generic};
        if (arguments[arguments.length - 1] instanceof Class<?> last && MemberTypes.isNested(last)) {
            boolean required = !(generic instanceof ParameterizedType) && !MemberTypes.isNullable(component);
            nested.add(new Nested(component.getName(), last, required));
        }
    }

    static RecordShape of(Class<?> type) {
        return new RecordShape(type);
    }

    static IllegalArgumentException unsupported(Class<?> type, String reason) {
        return new IllegalArgumentException("Cannot derive the JSON form of " + type.getName() + ": " + reason);
    }

    Class<?> type() {
        return type;
    }

    /** Returns the number of components. */
    int width() {
        return width;
    }

    Constructor<?> constructor() {
        return constructor;
    }

    List<Member> members() {
        return members;
    }

    List<Nested> nested() {
        return nested;
    }

    MemberNames names() {
        return names;
    }

    /** Returns the number of the component that holds the unknown members, or -1. */
    int unknownFields() {
        return unknownFields;
    }

    /** Returns the number of the component that holds the object's own kind, or -1. */
    int kind() {
        return kind;
    }

    /** Returns the number of the component that holds the object's own API version, or -1. */
    int apiVersion() {
        return apiVersion;
    }

    UnknownFields unknownFieldsOf(Object value) {
        MethodHandle known = unknownFieldsAccessor;
        if (known == null) {
            known = Accessors.accessor(unknownFieldsComponent, UnknownFields.class);
            unknownFieldsAccessor = known;
        }
        try {
            return (UnknownFields) known.invokeExact(value);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
    }
}
