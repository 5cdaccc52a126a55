/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.command.CommandOption;
import io.kubeloop.command.OptionType;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of options beside what kube-controller-manager 1.37.2 printed and served: its help and its {@code
 * /configz}.
 */
class OptionTableTest {

    /** The types of pflag, and what they are here. */
    private static final Map<String, OptionType> TYPES = Map.ofEntries(
            Map.entry("bool", OptionType.BOOL),
            Map.entry("duration", OptionType.DURATION),
            Map.entry("float", OptionType.FLOAT),
            Map.entry("float32", OptionType.FLOAT),
            Map.entry("int", OptionType.INT),
            Map.entry("int32", OptionType.INT),
            Map.entry("Level", OptionType.LEVEL),
            Map.entry("int32Slice", OptionType.INTS),
            Map.entry("ip", OptionType.IP),
            Map.entry("string", OptionType.STRING),
            Map.entry("quantity", OptionType.QUANTITY),
            Map.entry("namedCertKey", OptionType.CERTIFICATES),
            Map.entry("strings", OptionType.STRINGS),
            Map.entry("pattern=N,...", OptionType.LEVELS),
            Map.entry("colonSeparatedMultimapStringString", OptionType.MAP),
            Map.entry("stringToString", OptionType.PAIRS));

    private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();

    private static String recorded(String file) throws IOException {
        try (InputStream in = OptionTableTest.class.getResourceAsStream("kube-controller-manager-" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static OptionValues parse(String... flags) {
        OptionValues values = ControllerManagerCommand.OPTIONS.parse(flags);
        var unused = ManagerSettings.of(values, ControllerTable.BUILT_IN);
        return values;
    }

    private static ControllerOptions options(String... flags) {
        return ManagerSettings.of(ControllerManagerCommand.OPTIONS.parse(flags), ControllerTable.BUILT_IN)
                .controllerOptions(TlsConfig.NONE);
    }

    /** The two flags that every program of picocli has are not in the table. */
    @Test
    void everyFlagOfTheOriginal_isInTheTable_withItsSectionTypeAndDefault() throws IOException {
        List<String> differences = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (String row : recorded("flags.tsv").lines().skip(1).toList()) {
            String[] cells = row.split("\t", -1);
            String name = cells[1];
            if (Set.of("help", "version").contains(name)) {
                continue;
            }
            names.add(name);
            CommandOption option = ControllerManagerCommand.OPTIONS.option(name);
            OptionType type = TYPES.get(cells[2]);
            String text = cells[3].startsWith("[") ? cells[3].substring(1, cells[3].length() - 1) : cells[3];
            Object zero = switch (type) {
                case BOOL -> false;
                case INT, LEVEL -> 0;
                case LONG -> 0L;
                case FLOAT -> 0.0;
                case DURATION -> Duration.ZERO;
                case STRING, IP, QUANTITY -> "";
                case STRINGS, INTS, TEXTS, CERTIFICATES -> List.of();
                case MAP, PAIRS, LEVELS -> Map.of();
            };
            Object expected = text.isEmpty() ? zero : type.parse(text);
            if (option.type() != type
                    || !option.defaultValue().equals(expected)
                    || !option.section().equals(cells[0])) {
                differences.add(row + " is here " + option);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(names).hasSize(146);
        assertThat(ControllerManagerCommand.OPTIONS.options())
                .extracting(CommandOption::name)
                .filteredOn(name -> !names.contains(name))
                .containsExactly(
                        "allow-untagged-cloud", "node-sync-period", "http-port", "http-bind-address", "live-page");
    }

    @Test
    void everyControllerOfTheOriginal_isAKnownName() throws IOException {
        assertThat(recorded("controllers.txt").lines())
                .hasSize(49)
                .filteredOn(name -> !ControllerTable.BUILT_IN.names().contains(name))
                .isEmpty();
    }

    @Test
    void configz_isTheOriginals_exceptForWhatNoFlagSets() throws IOException {
        Map<String, String> theirs = new TreeMap<>();
        leaves("", JsonObject.parse(recorded("configz.json")), theirs);
        Map<String, String> ours = new TreeMap<>();
        leaves("", JsonObject.parse(new String(Configz.json(parse()), StandardCharsets.UTF_8)), ours);

        assertThat(theirs).containsAllEntriesOf(ours);
        String root = "kubecontrollermanager.config.k8s.io.";
        assertThat(theirs.keySet())
                .filteredOn(path -> !ours.containsKey(path))
                .containsExactlyInAnyOrder(
                        root + "GarbageCollectorController.GCIgnoredResources",
                        root + "Generic.Address",
                        root + "Generic.ClientConnection.acceptContentTypes",
                        root + "Generic.LeaderMigration.controllerLeaders",
                        root + "Generic.LeaderMigration.leaderName",
                        root + "Generic.LeaderMigration.resourceLock",
                        root + "Generic.Port",
                        root + "KubeCloudShared.AllowUntaggedCloud",
                        root + "KubeCloudShared.NodeSyncPeriod",
                        root + "NodeIPAMController.SecondaryServiceCIDR",
                        root + "NodeLifecycleController.PodEvictionTimeout",
                        root + "ServiceController.ConcurrentServiceSyncs",
                        root + "PersistentVolumeBinderController.VolumeConfiguration."
                                + "PersistentVolumeRecyclerConfiguration.MaximumRetry");
    }

    private static void leaves(String path, JsonValue value, Map<String, String> leaves) {
        if (value instanceof JsonObject object) {
            object.members().forEach((name, child) -> leaves(path.isEmpty() ? name : path + "." + name, child, leaves));
        } else {
            leaves.put(path, value.toString());
        }
    }

    @Test
    void noFlags_areTheDefaultsOfTheControllers() {
        assertThat(options()).isEqualTo(ControllerOptions.DEFAULT);
    }

    @Test
    void flagsOfAController_reachIt() {
        ControllerOptions options = options(
                "--concurrent-horizontal-pod-autoscaler-syncs=7",
                "--horizontal-pod-autoscaler-sync-period=1s",
                "--horizontal-pod-autoscaler-downscale-stabilization=2m",
                "--horizontal-pod-autoscaler-tolerance=0.2",
                "--horizontal-pod-autoscaler-cpu-initialization-period=3s",
                "--horizontal-pod-autoscaler-initial-readiness-delay=4s");

        assertThat(options.syncs("horizontalpodautoscaling")).isEqualTo(7);
        assertThat(options.autoscaling())
                .isEqualTo(new PodAutoscalingConfig(
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(2),
                        0.2,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4)));
    }

    /** An option that the table has and the program does not read would be accepted in silence. */
    @Test
    void everyOptionWithAnEffect_isRead() throws IOException {
        String code;
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/kubeloop/manager/command"))) {
            code = files.filter(Files::isRegularFile).map(OptionTableTest::text).collect(Collectors.joining());
        }
        List<String> prefixes = List.of("cluster-signing", "pv-recycler-minimum-timeout", "pv-recycler-pod-template");
        assertThat(ControllerManagerCommand.OPTIONS.options())
                .filteredOn(CommandOption::hasEffect)
                .extracting(CommandOption::name)
                .filteredOn(name -> prefixes.stream().noneMatch(name::startsWith))
                .allSatisfy(name -> assertThat(code).contains("\"" + name + "\""));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void lists_areAppended_mapsAreMerged_othersHaveTheLastValue() {
        OptionValues values = parse(
                "--controllers=ttl,job",
                "--controllers",
                "namespace",
                "--feature-gates=AllAlpha=true,AllBeta=false",
                "--feature-gates=AllBeta=true",
                "--concurrent-job-syncs=3",
                "--concurrent-job-syncs=4",
                "--leader-elect",
                "--allocate-node-cidrs=false");
        assertThat(values.texts("controllers")).containsExactly("ttl", "job", "namespace");
        assertThat(values.entries("feature-gates")).isEqualTo(Map.of("AllAlpha", "true", "AllBeta", "true"));
        assertThat(values.integer("concurrent-job-syncs")).isEqualTo(4);
        assertThat(values.bool("leader-elect")).isTrue();
        assertThat(values.bool("allocate-node-cidrs")).isFalse();
    }

    @Test
    void podOfRecyclers_isReadFromItsFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pod.yaml");
        String option = "--pv-recycler-pod-template-filepath-nfs=" + file;
        assertThatThrownBy(() -> options(option))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("pod.yaml");
        Files.writeString(file, "");
        assertThatThrownBy(() -> options(option)).hasMessageEndingWith("it contains no pod");
        Files.writeString(file, "{apiVersion: v1, kind: Pod, spec: {containers: []}}");
        assertThatThrownBy(() -> options(option)).hasMessageEndingWith("does not contain any volume(s)");
        Files.writeString(
                file, "{apiVersion: v1, kind: Pod, metadata: {namespace: ops}, spec: {volumes: [{name: v}]}}");
        var recyclers = options(option, "--pv-recycler-minimum-timeout-nfs=7")
                .persistentVolumes()
                .recyclers();
        assertThat(recyclers.get("nfs").template().metadata().namespace()).isEqualTo("ops");
        assertThat(recyclers.get("nfs").minimumSeconds()).isEqualTo(7);
        assertThat(recyclers.get("hostPath").template().metadata().namespace()).isEqualTo("default");
    }

    /** The messages that kube-controller-manager 1.37.2 printed for the same flags. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--concurrent-job-syncs=x | invalid argument \"x\" for \"--concurrent-job-syncs\" flag: "
                        + "strconv.ParseInt: parsing \"x\": invalid syntax",
                "--concurrent-job-syncs=5000000000 | invalid argument \"5000000000\" for \"--concurrent-job-syncs\" "
                        + "flag: strconv.ParseInt: parsing \"5000000000\": value out of range",
                "--leader-elect=maybe | invalid argument \"maybe\" for \"--leader-elect\" flag: strconv.ParseBool: "
                        + "parsing \"maybe\": invalid syntax",
                "--kube-api-qps=x | invalid argument \"x\" for \"--kube-api-qps\" flag: strconv.ParseFloat: parsing "
                        + "\"x\": invalid syntax",
                "--min-resync-period=12 | invalid argument \"12\" for \"--min-resync-period\" flag: time: missing "
                        + "unit in duration \"12\"",
                "--min-resync-period=x | invalid argument \"x\" for \"--min-resync-period\" flag: time: invalid "
                        + "duration \"x\"",
                "--concurrent-cron-job-syncs=0 | concurrent-cron-job-syncs must be greater than 0, but got 0",
                "--concurrent-daemonset-syncs=-1 | concurrent-daemonset-syncs must be greater than 0, but got -1",
                "--concurrent-service-endpoint-syncs=0 | concurrent-service-endpoint-syncs must not be less than 1, "
                        + "but got 0",
                "--concurrent-service-endpoint-syncs=101 | concurrent-service-endpoint-syncs must not be more than "
                        + "50, but got 101",
                "--max-endpoints-per-slice=1001 | max-endpoints-per-slice must not be more than 1000, but got 1001",
                "--mirroring-max-endpoints-per-subset=0 | mirroring-max-endpoints-per-subset must not be less than 1, "
                        + "but got 0",
                "--concurrent-resourceclaim-syncs=0 | concurrent-resourceclaim-syncs must be larger than 0, got 0",
                "--concurrent-device-taint-eviction-syncs=0 | concurrent-device-taint-eviction-syncs must be greater "
                        + "than zero, got 0",
                "--feature-gates=Foo=true | unrecognized feature gate: Foo",
                "--feature-gates=GangScheduling=true | unrecognized feature gate: GangScheduling",
                "--feature-gates=JobManagedBy=false | cannot set feature gate JobManagedBy to false, feature is "
                        + "locked to true",
                "--cloud-provider=aws | cloud provider \"aws\" was specified, but built-in cloud providers are "
                        + "disabled. Please set --cloud-provider=external and migrate to an external cloud provider",
                "--cidr-allocator-type=X | built-in cloud providers are disabled. The ipam X is not available",
                "--service-cluster-ip-range=1,2,3 | --service-cluster-ip-range can not contain more than two entries",
                "--emulated-version=x | could not parse \"x\" as version",
                "--emulated-version=1.20 | emulation version 1.20 is not between [1.34, 1.37.0]",
                "--min-compatibility-version=1.20 | minCompatibilityVersion version 1.20 is not between [1.34, 1.37]",
                "--tls-sni-cert-key=a | invalid argument \"a\" for \"--tls-sni-cert-key\" flag: expected comma "
                        + "separated certificate and key file paths",
                "--tls-sni-cert-key=a,b: | invalid argument \"a,b:\" for \"--tls-sni-cert-key\" flag: empty names "
                        + "list is not allowed",
                "--logging-format=xml | format: Invalid value: \"xml\": Unsupported log format",
                "--log-flush-frequency=0s | flushFrequency: Invalid value: \"0s\": Must be greater than zero",
                "--vmodule=a=x | invalid argument \"a=x\" for \"--vmodule\" flag: parsing verbosity in \"a=x\": "
                        + "strconv.ParseUint: parsing \"x\": invalid syntax",
                "--log-json-split-stream | options.json.splitStream: Forbidden: Feature LoggingAlphaOptions is "
                        + "disabled",
                "--log-json-info-buffer-size=1Ki | options.json.infoBufferSize: Forbidden: Feature "
                        + "LoggingAlphaOptions is disabled",
                "--leader-elect-resource-lock=endpoints | resourceLock value must be \"leases\"",
                "--cluster-signing-legacy-unknown-key-file=k | \"cluster-signing-legacy-unknown\": cannot specify key "
                        + "without cert",
                "--cluster-signing-kubelet-serving-cert-file=c | \"cluster-signing-kubelet-serving\": cannot specify "
                        + "cert without key",
            })
    void wrongValues_areRefusedInTheOriginalsWords(String flag, String message) {
        assertThatThrownBy(() -> parse(flag)).isInstanceOf(UsageException.class).hasMessage(message);
    }

    @Test
    void gatesThatDependOnOthers_areRefusedWithoutThem() {
        assertThatThrownBy(() -> parse("--feature-gates=AllAlpha=true"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("PodGroupPreemptionPolicy is enabled, but depends on features that are disabled: "
                        + "[GenericWorkload]");
        assertThat(FeatureGates.isOn(parse("--feature-gates=AllBeta=true"), "CoordinatedLeaderElection"))
                .isTrue();
    }

    @Test
    void levelsOfLoggers_areForTextOnly_asInTheOriginal() {
        assertThatThrownBy(() -> parse("--logging-format=json", "--vmodule=a=2"))
                .hasMessage("vmodule: Forbidden: Only supported for text log format");
        assertThat(parse("--feature-gates=LoggingAlphaOptions=true", "--log-text-split-stream")
                        .bool("log-text-split-stream"))
                .isTrue();
    }

    @Test
    void optionsWithoutEffect_areNamedOnce() {
        assertThat(parse("--cloud-config=a", "--cloud-config=b", "--leader-elect=false")
                        .withoutEffect())
                .containsExactly("--cloud-config has no effect: in-tree cloud providers do not exist");
    }

    @Test
    void severalWrongValues_makeOneMessage() {
        assertThatThrownBy(() -> parse("--concurrent-job-syncs=0", "--concurrent-daemonset-syncs=0"))
                .isInstanceOf(UsageException.class)
                .hasMessage("[concurrent-daemonset-syncs must be greater than 0, but got 0, "
                        + "concurrent-job-syncs must be greater than 0, but got 0]");
    }

    @Test
    void pageOfTheManual_isMadeOfTheTable() throws IOException {
        checkPage(
                "docs/command-line.md",
                "<!-- made of controllers/command/src/main/resources/io/kubeloop/manager/command/options.tsv -->\n",
                tables());
    }

    @Test
    void pageOfTheControllers_isMadeOfTheirTable() throws IOException {
        StringBuilder rows = new StringBuilder("\n| name | short name | here |\n| --- | --- | --- |\n");
        for (String name : recorded("controllers.txt").lines().sorted().toList()) {
            ControllerDescriptor controller = ControllerTable.BUILT_IN.descriptors().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElse(null);
            String alias = controller == null || controller.alias().equals(name) ? "" : "`" + controller.alias() + "`";
            rows.append("| `" + name + "` | " + alias + " | " + here(controller) + " |\n");
        }
        checkPage(
                "docs/replace-kube-controller-manager.md",
                "<!-- made of ControllerTable -->\n",
                rows.append('\n').toString());
    }

    private static String here(@Nullable ControllerDescriptor controller) {
        if (controller == null) {
            return "missing";
        }
        if (!controller.skipped().isEmpty()) {
            return "accepted and skipped: " + controller.skipped();
        }
        return controller.isOnByDefault() ? "runs" : "runs if it is named";
    }

    /** {@code -Dkubeloop.write=true} writes the page. */
    static void checkPage(String file, String begin, String content) throws IOException {
        Path page = HOME.resolve(file);
        String text = Files.readString(page);
        String end = "<!-- end -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end, from);
        String made = text.substring(0, from) + content + text.substring(to);
        if (Boolean.getBoolean("kubeloop.write")) {
            Files.writeString(page, made);
        }
        assertThat(Files.readString(page)).isEqualTo(made);
    }

    private static String tables() {
        StringBuilder page = new StringBuilder();
        String section = "";
        List<CommandOption> listed = ControllerManagerCommand.OPTIONS.options().stream()
                .filter(option -> !option.description().isEmpty())
                .toList();
        for (CommandOption option : listed) {
            if (!option.section().equals(section)) {
                section = option.section();
                page.append("\n**")
                        .append(section)
                        .append("**\n\n| flag | type | default | purpose |\n| --- | --- | --- | --- |\n");
            }
            String effect = option.hasEffect() ? "" : " *No effect: " + option.without() + ".*";
            page.append("| `" + option.flag() + "` | " + option.type().name().toLowerCase(Locale.ROOT) + " | "
                    + (option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`") + " | "
                    + option.description().replace("|", "\\|").replace("*", "\\*") + effect + " |\n");
        }
        return page.append('\n').toString();
    }
}
