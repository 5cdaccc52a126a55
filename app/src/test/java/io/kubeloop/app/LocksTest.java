/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * No I/O, no start of a thread and no foreign code runs under a lock (I13), as far as the compiled calls show it.
 *
 * <p>The search follows calls of this project's methods to any depth. It does not follow an interface or an abstract
 * method to the classes behind it; {@link #lock_isHeldForNoCallOfForeignCode} lists those calls instead, where they are
 * made under the lock itself.
 */
class LocksTest {

    /** The classes that do I/O or start threads under a lock, and the reason. */
    private static final Map<String, String> WITH_IO = Map.of(
            "ClientSocket", "the lock of a socket: reads must not mix; a check for the end waits 1 ms",
            "SpdyConnection", "the lock of a socket: frames must not mix",
            "WebSocketOutput", "the lock of a socket: frames must not mix",
            "SharedIndexInformer", "starts its threads in the step from new to started",
            "SharedProcessor", "starts the thread of a handler in the step that adds it",
            "TestCluster", "a part is made once, and a second caller must wait for it",
            "Instances$Own", "a part is made once, and a second caller must wait for it");

    /** The calls of interfaces under a lock, by class, and the reason. */
    private static final Map<String, String> WITH_FOREIGN_CODE = Map.ofEntries(
            Map.entry("DelayedFrames", "the observer counts, for the clock of a test"),
            Map.entry("DeltaFifo", "the store behind the queue, which must not block"),
            Map.entry("EventLog", "the new snapshot becomes visible together with its event"),
            Map.entry("KeyedWorkQueue", "takes the next entry from the queue's own line"),
            Map.entry("QueueMeter", "the clock"),
            Map.entry("QuotaLedger", "the write between the check of a quota and its charge"),
            Map.entry("RateLimiters$BucketRateLimiter", "the clock"),
            Map.entry("ResourceMonitors", "reads a flag"),
            Map.entry("SharedIndexInformer", "sets a field of its own"),
            Map.entry("SliceMetrics", "the last change of a gauge must be its last value"),
            Map.entry("TestCluster", "an annotation"),
            Map.entry("ThreadSafeStore", "reads the indices again, consistently"),
            Map.entry("TokenBucket", "the clock"),
            Map.entry("WriteMarks", "reads the progress of a cache, which takes no lock"));

    private static final Pattern IO_CLASS = Pattern.compile("java\\.nio\\.(file\\.Files|channels\\..*)"
            + "|java\\.net\\.((Server)?Socket|http\\..*)"
            + "|java\\.io\\.(Input|Output|File|Buffered|Data|Print|Random)(Stream|Reader|Writer|\\w*Stream|AccessFile)"
            + "|java\\.lang\\.Process(Builder)?"
            + "|java\\.util\\.concurrent\\.(ThreadFactory|Executor\\w*)"
            + "|okhttp3\\.Call"
            + "|org\\.slf4j\\.Logger"
            + "|io\\.kubeloop\\.api\\.client\\.Transport");

    private static final Set<String> OF_A_THREAD = Set.of("start", "sleep", "join");

    private static final Set<String> LOCKING = Set.of("lock", "lockInterruptibly", "tryLock", "writeLock", "readLock");

    /** These make a part, which takes all of its locks, under their own. */
    private static final Set<String> MADE_ONCE = Set.of("TestCluster", "Instances$Own");

    private static LockRegions regions;

    /** A call, and the calls that lead to it. */
    private record Reached(JavaCall<?> call, String path) {}

    @BeforeAll
    static void findRegions() throws IOException {
        regions = LockRegions.find();
    }

    /** One style: a ReentrantLock or StampedLock with try and finally. Monitors are not visible in a declaration. */
    @Test
    void locks_areTakenInOneStyle() {
        assertThat(regions.unknown()).isEmpty();
    }

    @Test
    void lock_isHeldForNoIo() {
        Map<String, String> found = new TreeMap<>();
        int calls = 0;
        for (JavaClass type : ArchitectureTest.CLASSES) {
            for (JavaCall<?> call : callsUnderALock(type)) {
                calls++;
                reachedFrom(call).stream()
                        .filter(reached -> isIo(reached.call().getTarget()))
                        .findFirst()
                        .ifPresent(io ->
                                found.putIfAbsent(name(type), call.getOrigin().getName() + " > " + io.path()));
            }
        }
        assertThat(calls).as("the search sees what it judges").isGreaterThan(1000);
        assertThat(found.keySet()).as("%s", found).containsExactlyInAnyOrderElementsOf(WITH_IO.keySet());
    }

    @Test
    void lock_isHeldForNoCallOfForeignCode() {
        Map<String, String> found = new TreeMap<>();
        for (JavaClass type : ArchitectureTest.CLASSES) {
            for (JavaCall<?> call : callsUnderALock(type)) {
                if (isForeign(call.getTarget())) {
                    found.putIfAbsent(name(type), call.getOrigin().getName() + " > " + name(call.getTarget()));
                }
            }
        }
        assertThat(found.keySet()).as("%s", found).containsExactlyInAnyOrderElementsOf(WITH_FOREIGN_CODE.keySet());
    }

    @Test
    void nestings_areThoseOfThePage() throws IOException {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : ArchitectureTest.CLASSES) {
            if (!MADE_ONCE.contains(name(type))) {
                callsUnderALock(type).stream()
                        .flatMap(call -> reachedFrom(call).stream())
                        .filter(reached -> isLock(reached.call().getTarget()))
                        .map(reached -> file(reached.call().getOriginOwner()))
                        .filter(inner -> !inner.equals(file(type)))
                        .forEach(inner -> found.add(file(type) + " --> " + inner));
            }
        }
        assertThat(Files.readAllLines(ModuleFolders.HOME.resolve("docs/concurrency.md")).stream()
                        .map(String::strip)
                        .filter(line -> line.contains(" --> ")))
                .containsExactlyInAnyOrderElementsOf(found);
    }

    private static boolean isLock(CodeUnitCallTarget target) {
        return (target.getOwner().isEquivalentTo(ReentrantLock.class)
                        || target.getOwner().isEquivalentTo(StampedLock.class))
                && LOCKING.contains(target.getName());
    }

    private static List<JavaCall<?>> callsUnderALock(JavaClass type) {
        String file = type.getSource().flatMap(Source::getFileName).orElse("");
        return type.getCodeUnits().stream()
                .flatMap(unit -> unit.getCallsFromSelf().stream())
                .filter(call -> regions.contains(type.getPackageName(), file, call.getLineNumber()))
                .<JavaCall<?>>map(call -> call)
                .toList();
    }

    /** Returns the call, and those that it leads to in this project's methods, nearest first. */
    private static List<Reached> reachedFrom(JavaCall<?> call) {
        List<Reached> reached = new ArrayList<>(List.of(new Reached(call, name(call.getTarget()))));
        Set<JavaCodeUnit> seen = new HashSet<>();
        for (int i = 0; i < reached.size(); i++) {
            Reached step = reached.get(i);
            ours(step.call().getTarget())
                    .filter(seen::add)
                    .ifPresent(unit -> unit.getCallsFromSelf()
                            .forEach(next ->
                                    reached.add(new Reached(next, step.path() + " > " + name(next.getTarget())))));
        }
        return reached;
    }

    private static Optional<JavaCodeUnit> ours(CodeUnitCallTarget target) {
        return target.resolveMember()
                .map(member -> (JavaCodeUnit) member)
                .filter(member -> member.getOwner().getName().startsWith("io.kubeloop"));
    }

    private static boolean isIo(CodeUnitCallTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        if (owner.equals(Thread.class.getName())) {
            return OF_A_THREAD.contains(name);
        }
        boolean asksOnly = name.equals("<init>") || name.startsWith("is");
        return IO_CLASS.matcher(owner).matches() && !asksOnly;
    }

    /** A call of an interface runs code that its class does not know; collections and locks of the JDK are known. */
    private static boolean isForeign(CodeUnitCallTarget target) {
        JavaClass owner = target.getOwner();
        if (!owner.isInterface()) {
            return false;
        }
        boolean isFunction = owner.getPackageName().equals("java.util.function")
                || owner.isEquivalentTo(Runnable.class)
                || owner.isEquivalentTo(java.util.concurrent.Callable.class);
        return isFunction
                || ours(target)
                        .filter(member -> member.getModifiers().contains(JavaModifier.ABSTRACT))
                        .isPresent();
    }

    private static String name(CodeUnitCallTarget target) {
        return target.getOwner().getSimpleName() + "." + target.getName();
    }

    private static String name(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1).replaceFirst("\\$\\d+$", "");
    }

    private static String file(JavaClass type) {
        return name(type).replaceFirst("\\$.*", "");
    }
}
