/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.defaults.DisabledFields;
import io.kubeloop.apiserver.kinds.defaults.TypeDefaults;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusParts;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A strategy made of the entry of a kind in a table: its schema, a few switches and a few rules. A kind without an
 * entry gets a strategy with no rules.
 *
 * <p>Defaults and the form of the result come from {@link TypeDefaults}. Immutable; thread-safe if the rules are.
 *
 * <p>This class is long because the builder of a table entry has one method per option.
 */
public class KindStrategy implements RestStrategy {

    /** The steps of most updates. */
    private static final List<UpdateStep> CHANGED =
            List.of(UpdateStep.METADATA_CHANGE, UpdateStep.OBJECT, UpdateStep.CHANGE);

    private final StructSchema type;
    private final Entry entry;

    /** An object without fields, which has the status of a new object. */
    private final JsonObject empty;

    /** The changes that an update makes beside those of the client. */
    @FunctionalInterface
    public interface UpdateRule {
        /** Returns the object with the fields restored that the client must not change through this part. */
        JsonObject apply(JsonObject object, JsonObject old, Part part);
    }

    /** The changes that a write makes with its client and its time. */
    @FunctionalInterface
    public interface OriginRule {
        /** Returns the object with these fields; the state before is null at creation. */
        JsonObject apply(JsonObject object, @Nullable JsonObject old, Part part, Origin origin);
    }

    /** A check of a change. */
    @FunctionalInterface
    public interface UpdateCheck {
        /** Adds errors to those of the object's cursor. */
        void check(FieldCursor object, FieldCursor old, Part part);
    }

    /** A check that depends on the labels of the namespace. */
    @FunctionalInterface
    public interface NamespaceCheck {
        /** Adds errors to those of the object's cursor; the state before is null at creation. */
        void check(Supplier<Map<String, String>> labels, FieldCursor object, @Nullable JsonObject old, Part part);
    }

    /** The warnings about a valid object. */
    @FunctionalInterface
    public interface WarningRule {
        /** Returns the warnings; the old object is null at creation. */
        List<String> warnings(FieldCursor object, @Nullable JsonObject old, Part part);
    }

    /** The entry of a kind. Each method returns the entry. Confined to one thread until the strategy is built. */
    public static final class Entry {

        private final String type;
        private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
        private List<String> counted = List.of();
        private Set<String> versionAnnotations = Set.of();
        private List<String> timePath = List.of();
        private String storagePrefix = "";
        private List<String> useWarnings = List.of();
        private WarningRule warnings = (object, old, part) -> List.of();
        private final Map<String, Function<JsonObject, String>> fields = new LinkedHashMap<>();
        private BiFunction<String, Boolean, List<String>> name = (text, prefix) -> List.of();
        private boolean hasNameRule;
        private UnaryOperator<JsonObject> onCreate = UnaryOperator.identity();
        private UnaryOperator<JsonObject> onRead = object -> object;
        private UpdateRule onUpdate = (object, old, part) -> object;
        private OriginRule onWrite = (object, old, part, origin) -> object;
        private NamespaceCheck namespaceCheck = (labels, object, old, part) -> {};
        private Consumer<FieldCursor> check = object -> {};
        private Consumer<FieldCursor> createCheck = object -> {};
        private UpdateCheck updateCheck = (object, old, part) -> {};
        private List<UpdateStep> mainSteps = CHANGED;
        private List<UpdateStep> otherSteps = CHANGED;
        private List<String> deletionWarnings = List.of();
        private String unsupportedField = "";

        private Entry(String type) {
            this.type = type;
        }

        /** Adds traits. */
        public Entry with(Trait... added) {
            traits.addAll(List.of(added));
            return this;
        }

        private boolean is(Trait trait) {
            return traits.contains(trait);
        }

        /** {@code metadata.generation} counts the changes of the spec. */
        public Entry generation() {
            return generationOf("spec");
        }

        /**
         * {@code metadata.generation} counts the changes of the members at these paths; {@code *} stands for all but
         * metadata and status.
         */
        public Entry generationOf(String... paths) {
            counted = List.of(paths);
            return this;
        }

        /** Sets the annotations that tables and metadata leave out. */
        public Entry versionAnnotations(Collection<String> names) {
            versionAnnotations = Set.copyOf(names);
            return this;
        }

        /** The default of the field at this path is the time. */
        public Entry timedBy(String... path) {
            timePath = List.of(path);
            return this;
        }

        /** Sets the first part of upstream's storage keys, if it is not the name of the resource. */
        public Entry storedAs(String prefix) {
            storagePrefix = prefix;
            return this;
        }

        /** Sets the warning of every request. */
        public Entry useWarning(String warning) {
            useWarnings = List.of(warning);
            return this;
        }

        /** Sets the warnings about valid objects. */
        public Entry warnings(WarningRule rule) {
            warnings = rule;
            return this;
        }

        /** Sets the fields that field selectors support beside name and namespace, such as {@code status.phase}. */
        public Entry selectable(String... paths) {
            for (String path : paths) {
                fields.put(path, text(type, path));
            }
            return this;
        }

        /** Adds a field that field selectors support, with the function that reads its value. */
        public Entry selectable(String field, Function<JsonObject, String> value) {
            fields.put(field, value);
            return this;
        }

        /** Sets the rule of names. Default: DNS subdomains. The second argument is whether it is a prefix. */
        public Entry names(BiFunction<String, Boolean, List<String>> rule) {
            name = rule;
            hasNameRule = true;
            return this;
        }

        /** Sets the fields that a creation changes, after the status was removed. */
        public Entry onCreate(UnaryOperator<JsonObject> change) {
            onCreate = change;
            return this;
        }

        /** Sets the defaults that upstream adds when it reads an object from the storage. */
        public Entry onRead(UnaryOperator<JsonObject> defaults) {
            onRead = defaults;
            return this;
        }

        /** Sets the fields that an update changes, after the status, or everything but the status, was restored. */
        public Entry onUpdate(UpdateRule rule) {
            onUpdate = rule;
            return this;
        }

        /** Sets the fields that depend on the client and the time of a write. */
        public Entry onWrite(OriginRule rule) {
            onWrite = rule;
            return this;
        }

        /** Sets the check of created and updated objects. */
        public Entry check(Consumer<FieldCursor> rule) {
            check = rule;
            return this;
        }

        /** Sets the further check of created objects. */
        public Entry checkCreate(Consumer<FieldCursor> rule) {
            createCheck = rule;
            return this;
        }

        /** Sets the check that depends on the labels of the namespace. */
        public Entry checkIn(NamespaceCheck rule) {
            namespaceCheck = rule;
            return this;
        }

        /** Sets the check of changes. */
        public Entry checkUpdate(UpdateCheck rule) {
            updateCheck = rule;
            return this;
        }

        /** Sets the steps that validate an update of the object itself; the default is without {@code METADATA}. */
        public Entry updates(UpdateStep... steps) {
            mainSteps = List.of(steps);
            return this;
        }

        /** Sets the steps that validate an update of a subresource. */
        public Entry statusUpdates(UpdateStep... steps) {
            otherSteps = List.of(steps);
            return this;
        }

        /** Sets the warning of a deletion whose client states no policy for the dependents. */
        public Entry deletionWarning(String warning) {
            deletionWarnings = List.of(warning);
            return this;
        }

        /** Sets the error about an unsupported field of a field selector, with {@code %s} for the field. */
        public Entry unsupportedField(String format) {
            unsupportedField = format;
            return this;
        }

        /** Returns the strategy. */
        public KindStrategy build() {
            return new KindStrategy(this);
        }
    }

    /** Creates a strategy. */
    protected KindStrategy(Entry entry) {
        this.entry = entry;
        type = Objects.requireNonNull(
                TypeCatalog.kubernetes().named(entry.type), () -> "the schema has no type " + entry.type);
        empty = TypeDefaults.apply(type, JsonObject.EMPTY);
    }

    /**
     * Returns an entry without rules.
     *
     * @param type the name of its type in the catalog, such as {@code apps.v1.Deployment}
     */
    public static Entry of(String type) {
        return new Entry(type);
    }

    /** Returns the schema of the kind. */
    protected final StructSchema type() {
        return type;
    }

    @Override
    public JsonObject defaults(JsonObject object) {
        return TypeDefaults.apply(type, object);
    }

    @Override
    public JsonObject timed(JsonObject object, Supplier<String> now) {
        List<String> path = entry.timePath;
        return path.isEmpty() || object.get(path.toArray(String[]::new)) != null
                ? object
                : object.with(path, now.get());
    }

    @Override
    public JsonObject read(JsonObject created) {
        return entry.onRead.apply(created);
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        JsonObject fresh = entry.is(Trait.STATUS) ? Members.take(object, "status", empty) : object;
        return TypeDefaults.normalize(type, DisabledFields.without(type, entry.onCreate.apply(fresh), null));
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject kept = hasStatus() ? StatusParts.keepOther(object, old, part) : object;
        if (entry.is(Trait.KEEPS_METADATA_IN_STATUS) && part == Part.STATUS) {
            kept = StatusParts.keepMetadata(kept, old);
        }
        JsonObject prepared = DisabledFields.without(type, entry.onUpdate.apply(kept, old, part), old);
        // An object that has not changed since its defaults were set has this form already. This saves a sixth of the
        // CPU of a write.
        boolean isNormal = prepared == object && !TypeDefaults.hasOwnedEmpty(type, object);
        return isNormal ? object : TypeDefaults.normalize(type, prepared);
    }

    @Override
    public JsonObject signed(JsonObject object, @Nullable JsonObject old, Part part, Origin origin) {
        return entry.onWrite.apply(object, old, part, origin);
    }

    @Override
    public void validateIn(
            Supplier<Map<String, String>> labels,
            JsonObject object,
            @Nullable JsonObject old,
            Part part,
            FieldErrors errors) {
        entry.namespaceCheck.check(labels, FieldCursor.of(object, errors), old, part);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        entry.check.accept(FieldCursor.of(object, errors));
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        entry.createCheck.accept(FieldCursor.of(object, errors));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        entry.updateCheck.check(FieldCursor.of(object, errors), FieldCursor.ofOld(old, errors), part);
    }

    @Override
    public List<UpdateStep> updateSteps(Part part) {
        return part == Part.MAIN ? entry.mainSteps : entry.otherSteps;
    }

    @Override
    public boolean declaresRules() {
        return !entry.is(Trait.UNDECLARED);
    }

    @Override
    public boolean requiresQualifiedFinalizers() {
        return !entry.is(Trait.PLAIN_FINALIZERS);
    }

    @Override
    public List<String> warnings(JsonObject object, @Nullable JsonObject old, Part part) {
        return entry.warnings.warnings(FieldCursor.of(object, new FieldErrors()), old, part);
    }

    @Override
    public List<String> useWarnings() {
        return entry.useWarnings;
    }

    @Override
    public String storagePrefix() {
        return entry.storagePrefix;
    }

    @Override
    public boolean keepsGeneratedNames() {
        return entry.is(Trait.KEEPS_GENERATED_NAMES);
    }

    @Override
    public List<String> deletionWarnings() {
        return entry.deletionWarnings;
    }

    @Override
    public boolean collectsGarbage() {
        return !entry.is(Trait.IGNORES_DEPENDENTS);
    }

    @Override
    public String unsupportedField(String field) {
        return entry.unsupportedField.isEmpty()
                ? RestStrategy.super.unsupportedField(field)
                : String.format(Locale.ROOT, entry.unsupportedField, field);
    }

    @Override
    public List<String> checkName(String name, boolean prefix) {
        return entry.hasNameRule ? entry.name.apply(name, prefix) : RestStrategy.super.checkName(name, prefix);
    }

    @Override
    public Map<String, Function<JsonObject, String>> selectableFields() {
        return Collections.unmodifiableMap(entry.fields);
    }

    /** Returns the reader of a field as text; an absent field has its zero value. */
    static Function<JsonObject, String> text(String type, String field) {
        String[] path = field.split("\\.");
        return object -> {
            JsonValue value = object.get(path);
            if (value instanceof JsonString text) {
                return text.value();
            }
            return value == null || value == JsonNull.NULL ? zero(type, path) : value.toString();
        };
    }

    private static String zero(String type, String... path) {
        TypeSchema found = TypeCatalog.kubernetes().named(type);
        for (String name : path) {
            Field member = found instanceof StructSchema struct ? struct.field(name) : null;
            found = member == null ? TypeSchema.Scalar.STRING : member.type();
        }
        return found == TypeSchema.Scalar.BOOLEAN
                ? "false"
                : found == TypeSchema.Scalar.INT32 || found == TypeSchema.Scalar.INT64 ? "0" : "";
    }

    @Override
    public boolean hasStatus() {
        return entry.is(Trait.STATUS) || entry.is(Trait.STATUS_FROM_START);
    }

    @Override
    public boolean showsStatusAsTable() {
        return !entry.is(Trait.WITHOUT_STATUS_TABLE);
    }

    @Override
    public Set<String> versionAnnotations() {
        return entry.versionAnnotations;
    }

    @Override
    public boolean validatesSentDocument() {
        return entry.is(Trait.CHECKS_SENT);
    }

    @Override
    public boolean hasGeneration() {
        return entry.is(Trait.FIXED_GENERATION) || !entry.counted.isEmpty();
    }

    @Override
    public JsonObject counted(JsonObject object) {
        JsonObject counted = JsonObject.EMPTY;
        for (String path : entry.counted) {
            JsonObject part =
                    path.equals("*") ? object.without("metadata").without("status") : object.object(path.split("\\."));
            counted = counted.with(path, part);
        }
        return counted;
    }

    @Override
    public boolean createsOnUpdate() {
        return entry.is(Trait.CREATES_ON_UPDATE);
    }

    @Override
    public boolean requiresVersionOnUpdate() {
        return entry.is(Trait.REQUIRES_VERSION_ON_UPDATE);
    }

    @Override
    public boolean orphansByDefault() {
        return entry.is(Trait.ORPHANS_BY_DEFAULT);
    }

    @Override
    public boolean returnsDeletedObject() {
        return entry.is(Trait.RETURNS_DELETED_OBJECT);
    }
}
