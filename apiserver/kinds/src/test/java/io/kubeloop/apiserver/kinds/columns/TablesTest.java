/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Tables;
import io.kubeloop.apiserver.table.Tables.IncludeObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.Manifests;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T01:00:00Z"), ZoneOffset.UTC);
    private static final Map<String, List<Column>> COLUMNS = BuiltInKinds.create().definitions().stream()
            .collect(Collectors.toMap(
                    definition -> definition.resource().type().apiVersion() + " "
                            + definition.resource().type().kind(),
                    ResourceDefinition::columns));
    private static final String CLASS = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {";
    private static final Tables TABLES = new Tables(TablesTest::columns, CLOCK);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{phase: Pending};0/2|Pending|0",
                "{phase: Running, containerStatuses: [{ready: true, state: {running: {}}}, {ready: false, state: "
                        + "{running: {}}}]};1/2|Running|0",
                "{phase: Pending, containerStatuses: [{state: {waiting: {reason: "
                        + "ContainerCreating}}}]};0/2|ContainerCreating|0",
                "{phase: Running, containerStatuses: [{restartCount: 3, state: {waiting: {reason: "
                        + "CrashLoopBackOff}}}]};0/2|CrashLoopBackOff|3",
                "{phase: Running, containerStatuses: [{restartCount: 3, ready: true, state: {running: {}}, lastState: "
                        + "{terminated: {finishedAt: 2026-01-01T00:55:00Z}}}]};1/2|Running|3 (5m ago)",
                "{phase: Succeeded, containerStatuses: [{state: {terminated: {reason: Completed, exitCode: "
                        + "0}}}]};0/2|Completed|0",
                "{phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 7}}}]};0/2|ExitCode:7|0",
                "{phase: Failed, containerStatuses: [{state: {terminated: {signal: 9, exitCode: "
                        + "137}}}]};0/2|Signal:9|0",
                "{phase: Failed, reason: Evicted};0/2|Evicted|0",
                "{phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{state: "
                        + "{terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}]};1/2|Running|0",
                "{phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, {ready: true, "
                        + "state: {running: {}}}]};1/2|NotReady|0",
                "{phase: Pending, initContainerStatuses: [{state: {running: {}}}]};0/2|Init:0/1|0",
                "{phase: Pending, initContainerStatuses: [{state: {terminated: {exitCode: 2}}, restartCount: "
                        + "4}]};0/2|Init:ExitCode:2|4",
                "{phase: Pending, initContainerStatuses: [{state: {waiting: {reason: "
                        + "ImagePullBackOff}}}]};0/2|Init:ImagePullBackOff|0",
                "{phase: Running, initContainerStatuses: [{state: {terminated: {exitCode: 0}}}], containerStatuses: "
                        + "[{ready: true, state: {running: {}}}]};1/2|Running|0",
                "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
                        + "SchedulingGated}]};0/2|SchedulingGated|0",
            })
    void pod_inAnyState_isSummedUpAsKubectlDoes(String status, String cells) {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {initContainers: [{name: i}],"
                + " containers: [{name: a}, {name: b}]}, status: " + status + "}";
        assertThat(cells(pod).subList(1, 4)).containsExactly(cells.split("\\|"));
    }

    @Test
    void pod_terminating_saysSo() {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, deletionTimestamp: 2026-01-01T00:59:00Z, creationTimestamp: 2026-01-01T00:00:00Z}
                spec: {nodeName: node1, containers: [{name: a}], readinessGates: [{conditionType: x}, {conditionType: \
                y}]}
                status: {phase: Running, podIP: 10.0.0.1, conditions: [{type: x, status: 'True'}]}
                """;
        assertThat(cells(pod))
                .containsExactly("p", "0/1", "Terminating", "0", "60m", "10.0.0.1", "node1", "<none>", "1/2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{type: ClusterIP, clusterIP: 10.1.2.3, ports: [{port: 80, protocol: TCP}, {port: 53, protocol: "
                        + "UDP}], selector: {b: '2', a: '1'}};ClusterIP|10.1.2.3|<none>|80/TCP,53/UDP|60m|a=1,b=2",
                "{type: ClusterIP, clusterIP: None};ClusterIP|None|<none>|<none>|60m|<none>",
                "{type: NodePort, clusterIP: 10.1.2.3, externalIPs: [1.1.1.1, 2.2.2.2], ports: [{port: 80, nodePort: "
                        + "30080}]};NodePort|10.1.2.3|1.1.1.1,2.2.2.2|80:30080/TCP|60m|<none>",
                "{type: LoadBalancer, clusterIP: 10.1.2.3};LoadBalancer|10.1.2.3|<pending>|<none>|60m|<none>",
                "{type: ExternalName, externalName: example.com};ExternalName|<none>|example.com|<none>|60m|<none>",
            })
    void service_ofAnyType_showsWhereItIsReached(String spec, String cells) {
        String service =
                "{apiVersion: v1, kind: Service, metadata: {name: s, creationTimestamp: 2026-01-01T00:00:00Z}, spec: "
                        + spec + "}";
        assertThat(cells(service)).startsWith("s").endsWith(cells.split("\\|"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "apiVersion: v1, kind: Endpoints, subsets: [{addresses: [{ip: a}, {ip: b}], ports: [{port: 1}, {port: "
                        + "2}]}];x|a:1,b:1,a:2 + 1 more...|<unknown>",
                "apiVersion: v1, kind: Endpoints, subsets: [{addresses: [{ip: 'f::1'}], ports: [{port: "
                        + "1}]}];x|[f::1]:1|<unknown>",
                "apiVersion: v1, kind: Endpoints, subsets: [{addresses: [{ip: a}]}];x|a|<unknown>",
                "apiVersion: v1, kind: Endpoints, subsets: [{notReadyAddresses: [{ip: a}], ports: [{port: "
                        + "1}]}];x||<unknown>",
                "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, ports: [{port: 80}, {name: "
                        + "any}, {}], endpoints: [{addresses: [a]}, {addresses: [b]}, {addresses: [c]}, {addresses: "
                        + "[d]}];x|IPv4|80,any,*|a,b,c + 1 more...|<unknown>",
                "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: "
                        + "IPv4;x|IPv4|<unset>|<unset>|<unknown>",
                "apiVersion: apps/v1, kind: ReplicaSet, spec: {replicas: 3, selector: {matchLabels: {a: b}, "
                        + "matchExpressions: [{key: k, operator: In, values: [z, w]}, {key: q, operator: "
                        + "DoesNotExist}]}, template: {spec: {containers: [{name: c, image: i}, {name: d, "
                        + "image: j}]}}}, status: {replicas: 2, readyReplicas: "
                        + "1};x|3|2|1|<unknown>|c,d|i,j|a=b,k in (w,z),!q",
                "apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3, selector: {matchLabels: {a: b}}, "
                        + "template: {spec: {containers: [{name: c, image: i}, {name: d, image: j}]}}}, status: "
                        + "{replicas: 4, updatedReplicas: 2, readyReplicas: 1};x|1/3|2|0|<unknown>|c,d|i,j|a=b",
                "apiVersion: v1, kind: ReplicationController, spec: {replicas: 0, selector: {a: "
                        + "b}};x|0|0|0|<unknown>|||a=b",
                "apiVersion: v1, kind: Namespace, status: {phase: Active};x|Active|<unknown>",
                "apiVersion: v1, kind: ServiceAccount, secrets: [{name: a}];x|<unknown>",
                "apiVersion: coordination.k8s.io/v1, kind: Lease, spec: {holderIdentity: me};x|me|<unknown>",
                "apiVersion: v1, kind: ConfigMap, data: {a: b}, binaryData: {c: d};x|2|<unknown>",
                "apiVersion: v1, kind: Secret, type: Opaque, data: {a: b};x|Opaque|1|<unknown>",
                "apiVersion: v1, kind: PodTemplate, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: "
                        + "c, image: i}]}};x|c|i|a=b",
                "apiVersion: example.com/v1, kind: Widget;x|<unknown>",
                "apiVersion: v1, kind: Node, spec: {unschedulable: true}, status: {conditions: [{type: Ready, status: "
                        + "'True'}], addresses: [{type: InternalIP, address: 1.2.3.4}], nodeInfo: {kubeletVersion: "
                        + "v1, osImage: o}};"
                        + "x|Ready,SchedulingDisabled|<none>|<unknown>|v1|1.2.3.4|<none>|o|<unknown>|<unknown>",
                "apiVersion: v1, kind: Event, type: Normal, reason: R, message: ' hi ', involvedObject: {kind: Pod, "
                        + "name: p, fieldPath: f}, source: {component: c, host: h}, firstTimestamp: "
                        + "2026-01-01T00:00:00Z, lastTimestamp: 2026-01-01T00:59:50Z, count: "
                        + "4;10s|Normal|R|pod/p|f|c, h|hi|60m|4|x",
                "apiVersion: v1, kind: Event, eventTime: 2026-01-01T00:59:00.000000Z, reportingComponent: c, "
                        + "involvedObject: {kind: Node};60s|||node||c||60s|1|x",
                "apiVersion: v1, kind: Event, eventTime: 2026-01-01T00:00:00.000000Z, series: {count: 5, "
                        + "lastObservedTime: 2026-01-01T00:59:58.000000Z}, involvedObject: {kind: "
                        + "Node};2s|||node||||60m|5|x",
                "apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, spec: {mutations: [{}], "
                        + "paramKind: {apiVersion: v1, kind: ConfigMap}};x|1|v1/ConfigMap|<unknown>",
                "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, spec: {validations: "
                        + "[{}, {}]};x|2|<unset>|<unknown>",
                "apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, spec: "
                        + "{policyName: p, paramRef: {name: nn}};x|p|*/nn|<unknown>",
                "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, spec: "
                        + "{policyName: p, paramRef: {selector: {matchLabels: {a: b}, matchExpressions: [{key: k, "
                        + "operator: In, values: [v, "
                        + "w]}]}}};x|p|&LabelSelector{MatchLabels:map[string]string{a: "
                        + "b,},MatchExpressions:"
                        + "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,"
                        + "Operator:In,Values:[v w],},},}|<unknown>",
                "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, webhooks: "
                        + "[{}];x|1|<unknown>",
                "apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {group: g, scope: "
                        + "Cluster, names: {kind: K, shortNames: [a, b]}, versions: [{name: v2, served: true}, {name: "
                        + "v1, served: true, storage: true}, {name: v0}]}, status: {conditions: [{type: "
                        + "Established, status: 'True'}]};x|Cluster|v1(storage),v2||g|K|a,b|true",
                "apiVersion: certificates.k8s.io/v1, kind: ClusterTrustBundle;x|<none>",
                "apiVersion: certificates.k8s.io/v1, kind: PodCertificateRequest, spec: {podName: p, "
                        + "serviceAccountName: s, nodeName: node1, signerName: a/b, unverifiedUserAnnotations: {d: e, "
                        + "b: c}}, status: {conditions: [{type: Issued, status: "
                        + "'True'}]};x|p|s|node1|a/b|Issued|b=c,d=e",
                "apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, spec: {taint: {key: k, value: v, effect: "
                        + "NoExecute, timeAdded: 2026-01-01T00:59:50Z}};x|k|v|NoExecute|10s|<unknown>",
                "apiVersion: storagemigration.k8s.io/v1, kind: StorageVersionMigration, spec: {resource: {group: g, "
                        + "resource: r}}, status: {conditions: [{type: Running, status: 'False'}, {type: Succeeded, "
                        + "status: 'True'}]};x|r.g|Succeeded",
                "apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: {service: {namespace: nn, name: s}}, "
                        + "status: {conditions: [{type: Available, status: 'False', reason: Why}]};x|nn/s|False "
                        + "(Why)|<unknown>",
                "apiVersion: apiregistration.k8s.io/v1, kind: APIService;x|Local|Unknown|<unknown>",
                "apiVersion: apps/v1, kind: ControllerRevision, revision: 4;x|<none>|4|<unknown>",
                "apiVersion: apps/v1, kind: DaemonSet, spec: {selector: {matchLabels: {a: b}}, template: {spec: "
                        + "{nodeSelector: {d: f}, containers: [{name: c, image: i}]}}}, status: "
                        + "{desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, "
                        + "updatedNumberScheduled: 2, numberAvailable: "
                        + "1};x|5|4|3|2|1|d=f|<unknown>|c|i|a=b",
                "apiVersion: apps/v1, kind: StatefulSet, spec: {replicas: 3, template: {spec: {containers: [{name: c, "
                        + "image: i}]}}}, status: {readyReplicas: 2};x|2/3|<unknown>|c|i",
                "apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {scaleTargetRef: {kind: K, name: "
                        + "nn}, maxReplicas: 5, metrics: [{type: External, external: {metric: {name: m}, target: "
                        + "{averageValue: '5'}}}, {type: Resource, resource: {name: cpu, target: "
                        + "{averageUtilization: 80}}}, {type: Pods}]}, status: {currentReplicas: 1, "
                        + "currentMetrics: [{}, {type: Resource, resource: {name: cpu, "
                        + "current: {averageUtilization: 50}}}]};x|K/nn|<unknown>/5 "
                        + "(avg), cpu: 50%/80% + 1 "
                        + "more...|<unset>|5|1|<unknown>",
                "apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {scaleTargetRef: {kind: K, name: "
                        + "nn}, minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 70};x|K/nn|cpu: "
                        + "<unknown>/70%|2|5|0|<unknown>",
                "apiVersion: batch/v1, kind: CronJob, spec: {schedule: '@hourly', suspend: true}, status: {active: "
                        + "[{}], lastScheduleTime: "
                        + "2026-01-01T00:00:00Z};x|@hourly|<none>|True|1|60m|<unknown>|||<none>",
                "apiVersion: batch/v1, kind: Job, spec: {parallelism: 3}, status: {succeeded: 1, startTime: "
                        + "2026-01-01T00:00:00Z, completionTime: 2026-01-01T00:01:00Z, conditions: [{type: Complete, "
                        + "status: 'True'}]};x|Complete|1/1 of 3|60s|<unknown>|||<none>",
                "apiVersion: batch/v1, kind: Job, spec: {completions: 3}, status: {conditions: [{type: Suspended, "
                        + "status: 'True'}]};x|Suspended|0/3||<unknown>|||<none>",
                "apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, spec: {signerName: s, username: "
                        + "u, expirationSeconds: 3600}, status: {certificate: YQ==, conditions: [{type: Approved}, "
                        + "{type: Failed}]};x|<unknown>|s|u|60m|Approved,Failed,Issued",
                "apiVersion: events.k8s.io/v1, kind: Event, type: Normal, reason: R, note: hi, regarding: {kind: Pod, "
                        + "name: p}, reportingController: c, reportingInstance: i, eventTime: "
                        + "2026-01-01T00:59:00.000000Z;60s|Normal|R|pod/p||c, i|hi|60s|1|x",
                "apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, spec: {priorityLevelConfiguration: "
                        + "{name: p}, matchingPrecedence: 9, distinguisherMethod: {type: "
                        + "ByUser}};x|p|9|ByUser|<unknown>|?",
                "apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, spec: {type: Limited, "
                        + "limited: {nominalConcurrencyShares: 2, limitResponse: {queuing: {queues: 4, handSize: 2, "
                        + "queueLengthLimit: 5}}}};x|Limited|2|4|2|5|<unknown>",
                "apiVersion: networking.k8s.io/v1, kind: IngressClass, spec: {controller: c, parameters: {apiGroup: "
                        + "g, kind: K, name: nn}};x|c|K.g/nn|<unknown>",
                "apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: [{host: a}, {host: b}, {host: c}, "
                        + "{host: d}], tls: [{}]}, status: {loadBalancer: {ingress: [{ip: '2.2.2.2'}, {hostname: "
                        + "h}]}};x|<none>|a,b,c + 1 more...|2.2.2.2,h|80, 443|<unknown>",
                "apiVersion: networking.k8s.io/v1, kind: IPAddress, spec: {parentRef: {group: g, resource: things, "
                        + "namespace: nn, name: s}};x|things.g/nn/s|<unknown>",
                "apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}};x|<none>|<unknown>",
                "apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, spec: {cidrs: [a, b]};x|a,b|<unknown>",
                "apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: h;x|h|<unknown>",
                "apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 1}, status: "
                        + "{disruptionsAllowed: 2};x|1|N/A|2|<unknown>",
                "apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleRef: {kind: Role, name: r}, "
                        + "subjects: [{kind: User, name: u}, {kind: User, name: v}, {kind: Group, name: g}, {kind: "
                        + "ServiceAccount, namespace: nn, name: s}];x|Role/r|<unknown>|u, v|g|nn/s",
                "apiVersion: resource.k8s.io/v1, kind: ResourceClaim, status: {allocation: {}, reservedFor: "
                        + "[{}]};x|allocated,reserved|<unknown>",
                "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, spec: {driver: d, pool: {name: "
                        + "p}};x||d|p|<unknown>",
                "apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, value: 5, preemptionPolicy: "
                        + "Never;x|5|false|<unknown>|Never",
                "apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {tokenRequests: [{audience: a}, {audience: "
                        + "b}], volumeLifecycleModes: [Persistent]};x|true|false|false|a,b|false|Persistent|<unknown>",
                "apiVersion: storage.k8s.io/v1, kind: CSINode, spec: {drivers: [{}]};x|1|<unknown>",
                "apiVersion: storage.k8s.io/v1, kind: StorageClass, provisioner: "
                        + "p;x|p|Delete|Immediate|false|<unknown>",
                "apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, spec: {attacher: a, nodeName: nn, source: "
                        + "{persistentVolumeName: v}}, status: {attached: true};x|a|v|nn|true|<unknown>",
                "apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, driverName: d;x|d|<unknown>",
                "apiVersion: v1, kind: PersistentVolume, spec: {capacity: {storage: 1Gi}, accessModes: "
                        + "[ReadWriteMany, ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, claimRef: "
                        + "{namespace: nn, name: c}, storageClassName: s}, status: {phase: "
                        + "Bound};x|1Gi|RWO,RWX|Delete|Bound|nn/c|s|<unset>||<unknown>|<unset>",
                "apiVersion: v1, kind: PersistentVolumeClaim, spec: {volumeName: v, volumeMode: Block}, status: "
                        + "{phase: Bound, accessModes: [ReadOnlyMany], capacity: {storage: "
                        + "2Gi}};x|Bound|v|2Gi|ROX||<unset>|<unknown>|Block",
                "apiVersion: v1, kind: ResourceQuota, status: {hard: {pods: '3', limits.cpu: '2'}, used: {pods: "
                        + "'1'}};x|pods: 1/3|limits.cpu: 0/2|<unknown>",
                "apiVersion: v1, kind: LimitRange;x|",
                "apiVersion: v1, kind: ComponentStatus, conditions: [{type: Healthy, status: 'True', message: "
                        + "ok}];x|Healthy|ok|",
            })
    void kind_withItsOwnColumns_fillsThem(String members, String cells) {
        assertThat(cells("{metadata: {name: x}, " + members + "}")).containsExactly(cells.split("\\|", -1));
    }

    @Test
    void pod_withASidecar_countsIt() {
        String pod =
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {initContainers: [{name: s, restartPolicy: "
                        + "Always}],"
                        + " containers: [{name: a}]}, status: {phase: Running, initContainerStatuses: [{name: s, "
                        + "started: true,"
                        + " ready: true, restartCount: 2, state: {running: {}}}], containerStatuses: [{ready: true, "
                        + "restartCount: 1,"
                        + " state: {running: {}}}]}}";
        assertThat(cells(pod).subList(1, 4)).containsExactly("2/2", "Running", "3");
    }

    @Test
    void pod_thatHasEnded_hasARowCondition() {
        JsonObject pod = JsonObject.parse("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"status\":{\"phase\":\"Failed\"}}");
        assertThat(row(TABLES.of(pod, "v1", IncludeObject.NONE)).array("conditions"))
                .hasToString("[{\"type\":\"Completed\",\"status\":\"True\",\"reason\":\"Failed\","
                        + "\"message\":\"The pod failed.\"}]");
        JsonObject running = pod.with("status", JsonObject.EMPTY.with("phase", "Running"));
        assertThat(row(TABLES.of(running, "v1", IncludeObject.NONE)).has("conditions"))
                .isFalse();
    }

    @Test
    void defaultClass_isMarkedInItsName() {
        assertThat(cells("{apiVersion: networking.k8s.io/v1, kind: IngressClass, metadata: {name: s, annotations: {"
                        + "ingressclass.kubernetes.io/is-default-class: 'true'}}}"))
                .startsWith("s (default)");
    }

    @Test
    void newestDefaultClassOfAList_isMarkedInItsName() {
        String mark = "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}";
        JsonObject list = JsonObject.EMPTY
                .with("apiVersion", "storage.k8s.io/v1")
                .with("kind", "StorageClassList")
                .with(
                        "items",
                        JsonArray.of(Stream.of(
                                        "name: old, creationTimestamp: '2026-01-01T00:00:00Z', " + mark,
                                        "name: plain, creationTimestamp: '2026-01-01T00:00:02Z'",
                                        "name: z, creationTimestamp: '2026-01-01T00:00:01Z', " + mark,
                                        "name: new, creationTimestamp: '2026-01-01T00:00:01Z', " + mark)
                                .map(metadata -> Manifests.read("test", CLASS + metadata + "}}")
                                        .get(0))
                                .toList()));
        assertThat(TABLES.of(list, "v1", IncludeObject.NONE).array("rows").objects())
                .extracting(row -> row.array("cells").get(0))
                .containsExactly(
                        new JsonString("old"),
                        new JsonString("plain"),
                        new JsonString("z"),
                        new JsonString("new (default)"));
        assertThat(cells(CLASS + "name: new, " + mark + "}}")).startsWith("new");
    }

    @Test
    void revision_ofAController_namesIt() {
        assertThat(cells("{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: r, ownerReferences: "
                        + "[{apiVersion: "
                        + "apps/v1, kind: StatefulSet, name: web, controller: true}]}, revision: 1}"))
                .containsExactly("r", "statefulset.apps/web", "1", "<unknown>");
    }

    @Test
    void everyColumn_hasACell() {
        COLUMNS.forEach((kind, columns) -> {
            JsonObject object = JsonObject.EMPTY
                    .with("apiVersion", kind.substring(0, kind.indexOf(' ')))
                    .with("kind", kind.substring(kind.indexOf(' ') + 1))
                    .with("metadata", JsonObject.EMPTY.with("name", "n"));
            JsonObject table = TABLES.of(object, "v1", IncludeObject.NONE);
            int cells = row(table).array("cells").size() - (kind.endsWith(" IPAddress") ? 1 : 0);
            assertThat(table.array("columnDefinitions").size()).as(kind).isEqualTo(cells);
        });
    }

    @Test
    void node_roles_comeFromLabels() {
        String node =
                "{apiVersion: v1, kind: Node, metadata: {name: nn, labels: {node-role.kubernetes.io/control-plane: "
                        + "'', node-role.kubernetes.io/a: ''}}}";
        assertThat(cells(node).subList(1, 3)).containsExactly("Unknown", "a,control-plane");
    }

    @Test
    void list_asTable_keepsPagingAndPutsWideColumnsLast() {
        JsonObject list =
                JsonObject.parse("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
                        + "\"continue\":\"c\",\"remainingItemCount\":2},\"items\":[{\"metadata\":{\"name\":\"a\"}},"
                        + "{\"metadata\":{\"name\":\"b\"}}]}");
        JsonObject table = TABLES.of(list, "v1", IncludeObject.METADATA);
        assertThat(table.string("kind")).isEqualTo("Table");
        assertThat(table.string("apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(table.object("metadata"))
                .hasToString("{\"resourceVersion\":\"7\",\"continue\":\"c\",\"remainingItemCount\":2}");
        assertThat(table.array("columnDefinitions").objects())
                .extracting(column -> column.string("name") + column.number("priority"))
                .containsExactly(
                        "Name0",
                        "Ready0",
                        "Status0",
                        "Restarts0",
                        "Age0",
                        "IP1",
                        "Node1",
                        "Nominated Node1",
                        "Readiness Gates1");
        assertThat(table.array("rows").objects())
                .extracting(row -> row.object("object").toString())
                .containsExactly(
                        "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                                + "\"metadata\":{\"name\":\"a\"}}",
                        "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                                + "\"metadata\":{\"name\":\"b\"}}");
    }

    @Test
    void row_includesAsMuchOfTheObjectAsAsked() {
        JsonObject object =
                JsonObject.parse("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{}}");
        assertThat(row(TABLES.of(object, "v1", IncludeObject.NONE)).get("object"))
                .isEqualTo(JsonNull.NULL);
        assertThat(row(TABLES.of(object, "v1", IncludeObject.OBJECT)).get("object"))
                .isEqualTo(object);
    }

    @Test
    void status_asTable_staysAStatus() {
        JsonObject status = JsonObject.parse("{\"kind\":\"Status\",\"apiVersion\":\"v1\"}");
        assertThat(TABLES.of(status, "v1", IncludeObject.METADATA)).isSameAs(status);
    }

    @Test
    void events_ofAWatch_defineColumnsOnlyOnce() {
        JsonObject event =
                JsonObject.parse("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Namespace\",\"apiVersion\":\"v1\","
                        + "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"}}}");
        JsonObject first = TABLES.ofEvent(event, "v1", IncludeObject.METADATA, true);
        JsonObject second = TABLES.ofEvent(event, "v1", IncludeObject.METADATA, false);
        assertThat(first.string("type")).isEqualTo("ADDED");
        assertThat(first.array("object", "columnDefinitions").size()).isEqualTo(3);
        assertThat(first.array("object", "rows").size()).isEqualTo(1);
        assertThat(second.get("object", "columnDefinitions")).isEqualTo(JsonNull.NULL);
        assertThat(second.string("object", "metadata", "resourceVersion")).isEqualTo("3");
    }

    @Test
    void bookmark_asTable_hasNoRows() {
        JsonObject event = JsonObject.parse("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                + "\"metadata\":{\"resourceVersion\":\"9\"}}}");
        JsonObject table =
                TABLES.ofEvent(event, "v1", IncludeObject.METADATA, true).object("object");
        assertThat(table.array("rows").isEmpty()).isTrue();
        assertThat(table.string("metadata", "resourceVersion")).isEqualTo("9");
    }

    @Test
    void error_inAWatch_staysAStatus() {
        JsonObject event = JsonObject.parse("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}");
        assertThat(TABLES.ofEvent(event, "v1", IncludeObject.METADATA, true)).isSameAs(event);
    }

    @Test
    void includeObject_unknownWord_isNull() {
        assertThat(IncludeObject.of("All")).isNull();
        assertThat(IncludeObject.of("")).isEqualTo(IncludeObject.METADATA);
    }

    private static List<Column> columns(String apiVersion, String kind) {
        return COLUMNS.getOrDefault(apiVersion + " " + kind, List.of(Column.NAME, Column.AGE));
    }

    private static JsonObject row(JsonObject table) {
        return (JsonObject) table.array("rows").get(0);
    }

    private static List<String> cells(String yaml) {
        JsonObject object = Manifests.read("test", yaml).get(0);
        JsonArray cells = row(TABLES.of(object, "v1", IncludeObject.METADATA)).array("cells");
        return StreamSupport.stream(cells.spliterator(), false)
                .map(TablesTest::text)
                .collect(Collectors.toList());
    }

    private static String text(JsonValue cell) {
        return cell instanceof JsonString string ? string.value() : cell.toString();
    }
}
