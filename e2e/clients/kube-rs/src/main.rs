//! The Rust client kube-rs, unmodified, against the server of KUBECONFIG. Prints a line per check and a summary.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use futures::{AsyncBufReadExt, StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Event, Namespace, Pod};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{
    Api, AttachParams, DeleteParams, DynamicObject, ListParams, LogParams, ObjectMeta, Patch, PatchParams, PostParams,
    WatchEvent, WatchParams,
};
use kube::discovery::{Discovery, Scope, verbs};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event as NewEvent, EventType, Recorder, Reporter};
use kube::runtime::finalizer::{Event as Finalizer, finalizer};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::{WatchStreamExt, predicates, reflector, watcher};
use kube::{Client, CustomResource, CustomResourceExt, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(60);

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "kube-rs.example.com", version = "v1", kind = "Toy", namespaced, status = "ToyStatus", shortname = "ty")]
struct ToySpec {
    #[schemars(range(min = 1))]
    size: i32,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct ToyStatus {
    state: String,
}

#[derive(Clone)]
struct Suite {
    client: Client,
    namespace: String,
}

impl Suite {
    fn maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    fn pods(&self) -> Api<Pod> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    fn toys(&self) -> Api<Toy> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    async fn create_pod(&self, name: &str) -> Result<()> {
        let pod = serde_json::from_value(json!({
            "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"containers": [{"name": "main", "image": "example.com/app:1", "ports": [{"containerPort": 8080}]}]},
        }))?;
        self.pods().create(&PostParams::default(), &pod).await?;
        timeout(PATIENCE, await_condition(self.pods(), name, conditions::is_pod_running())).await??;
        Ok(())
    }
}

fn map(name: &str, labels: &[(&str, &str)]) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            labels: Some(labels.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("a".into(), "1".into())])),
        ..Default::default()
    }
}

fn data(map: &ConfigMap) -> Vec<(&str, &str)> {
    map.data.iter().flatten().map(|(k, v)| (k.as_str(), v.as_str())).collect()
}

fn refused<T>(result: Result<T, kube::Error>, code: u16, reason: &str) -> Result<String> {
    match result {
        Err(kube::Error::Api(status)) if status.code == code && status.reason == reason => Ok(status.message.clone()),
        Err(other) => bail!("another error: {other:?}"),
        Ok(_) => bail!("not refused"),
    }
}

async fn objects(suite: Suite) -> Result<()> {
    let maps = suite.maps();
    let mut made = maps.create(&PostParams::default(), &map("crud", &[])).await?;
    ensure!(made.uid().is_some() && made.creation_timestamp().is_some());
    refused(maps.create(&PostParams::default(), &map("crud", &[])).await, 409, "AlreadyExists")?;
    let old = made.clone();
    made.data = Some(BTreeMap::from([("b".into(), "2".into())]));
    ensure!(data(&maps.replace("crud", &PostParams::default(), &made).await?) == [("b", "2")]);
    refused(maps.replace("crud", &PostParams::default(), &old).await, 409, "Conflict")?;
    let dry = PostParams { dry_run: true, ..Default::default() };
    maps.create(&dry, &map("dry", &[])).await?;
    ensure!(maps.get_opt("dry").await?.is_none());
    ensure!(maps.delete("crud", &DeleteParams::default()).await?.right().is_some());
    refused(maps.get("crud").await, 404, "NotFound")?;
    let mut entry = maps.entry("entry").await?.or_insert(|| map("entry", &[]));
    entry.get_mut().data = Some(BTreeMap::from([("c".into(), "3".into())]));
    entry.commit(&PostParams::default()).await?;
    ensure!(data(&maps.get("entry").await?) == [("c", "3")]);
    Ok(())
}

async fn pages_and_selectors(suite: Suite) -> Result<()> {
    let maps = suite.maps();
    for i in 0..7 {
        let odd = (i % 2).to_string();
        maps.create(&PostParams::default(), &map(&format!("page-{i}"), &[("set", "page"), ("odd", &odd)])).await?;
    }
    let mut params = ListParams::default().labels("set=page").limit(3);
    let (mut names, mut pages) = (vec![], 0);
    loop {
        let page = maps.list(&params).await?;
        pages += 1;
        names.extend(page.items.iter().map(|m| m.name_any()));
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => params = params.continue_token(&token),
            None => break,
        }
    }
    ensure!(pages == 3 && names == (0..7).map(|i| format!("page-{i}")).collect::<Vec<_>>(), "{names:?}");
    ensure!(maps.list(&ListParams::default().labels("set in (page),odd!=1")).await?.items.len() == 4);
    ensure!(maps.list(&ListParams::default().fields("metadata.name=page-3")).await?.items.len() == 1);
    let metadata = maps.list_metadata(&ListParams::default().labels("set")).await?;
    ensure!(metadata.items.len() == 7 && metadata.items[0].name_any() == "page-0");
    maps.delete_collection(&DeleteParams::default(), &ListParams::default().labels("set=page")).await?;
    ensure!(maps.list(&ListParams::default().labels("set=page")).await?.items.is_empty());
    Ok(())
}

async fn patches(suite: Suite) -> Result<()> {
    let maps = suite.maps();
    maps.create(&PostParams::default(), &map("patched", &[])).await?;
    let params = PatchParams::default();
    let merged = maps.patch("patched", &params, &Patch::Merge(json!({"data": {"a": null, "b": "2"}}))).await?;
    ensure!(data(&merged) == [("b", "2")]);
    let strategic = maps.patch("patched", &params, &Patch::Strategic(json!({"data": {"c": "3"}}))).await?;
    ensure!(data(&strategic) == [("b", "2"), ("c", "3")]);
    let operations: kube::core::params::Patch<ConfigMap> = Patch::Json(serde_json::from_value(
        json!([{"op": "test", "path": "/data/b", "value": "2"}, {"op": "remove", "path": "/data/b"}]),
    )?);
    ensure!(data(&maps.patch("patched", &params, &operations).await?) == [("c", "3")]);
    refused(maps.patch("patched", &params, &operations).await, 422, "Invalid")?;
    Ok(())
}

async fn server_side_apply(suite: Suite) -> Result<()> {
    let maps = suite.maps();
    let wanted = |value| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": value}});
    maps.patch("applied", &PatchParams::apply("one"), &Patch::Apply(wanted("1"))).await?;
    let message = refused(maps.patch("applied", &PatchParams::apply("two"), &Patch::Apply(wanted("2"))).await, 409, "Conflict")?;
    ensure!(message.contains("\"one\""), "{message}");
    let forced = maps.patch("applied", &PatchParams::apply("two").force(), &Patch::Apply(wanted("2"))).await?;
    ensure!(data(&forced) == [("a", "2")] && forced.managed_fields().len() == 1);
    Ok(())
}

async fn watch(suite: Suite) -> Result<()> {
    let maps = suite.maps();
    let version = maps.list(&ListParams::default()).await?.metadata.resource_version.unwrap();
    let params = WatchParams::default().fields("metadata.name=watched").timeout(30);
    let mut events = maps.watch(&params, &version).await?.boxed();
    maps.create(&PostParams::default(), &map("watched", &[])).await?;
    maps.patch("watched", &PatchParams::default(), &Patch::Merge(json!({"data": {"a": "2"}}))).await?;
    maps.delete("watched", &DeleteParams::default()).await?;
    let mut seen = vec![];
    while let Some(event) = timeout(PATIENCE, events.try_next()).await?? {
        match event {
            WatchEvent::Added(_) => seen.push("added"),
            WatchEvent::Modified(_) => seen.push("modified"),
            WatchEvent::Deleted(_) => {
                ensure!(seen == ["added", "modified"], "{seen:?}");
                return Ok(());
            }
            WatchEvent::Bookmark(_) => {}
            WatchEvent::Error(e) => bail!("{e:?}"),
        }
    }
    bail!("the watch has ended after {seen:?}")
}

async fn reflectors(suite: Suite) -> Result<()> {
    for config in [watcher::Config::default().page_size(2), watcher::Config::default().streaming_lists()] {
        for i in 0..5 {
            suite.maps().create(&PostParams::default(), &map(&format!("reflected-{i}"), &[("reflected", "yes")])).await?;
        }
        let (reader, writer) = reflector::store();
        let stream = watcher(suite.maps(), config.labels("reflected")).default_backoff().reflect(writer);
        let task = tokio::spawn(stream.applied_objects().predicate_filter(predicates::resource_version, Default::default()).for_each(|_| async {}));
        timeout(PATIENCE, reader.wait_until_ready()).await??;
        ensure!(reader.state().len() == 5);
        suite.maps().delete("reflected-0", &DeleteParams::default()).await?;
        eventually(|| async { reader.state().len() == 4 }).await?;
        suite.maps().delete_collection(&DeleteParams::default(), &ListParams::default().labels("reflected")).await?;
        eventually(|| async { reader.state().is_empty() }).await?;
        task.abort();
    }
    Ok(())
}

async fn eventually<F: Future<Output = bool>>(condition: impl Fn() -> F) -> Result<()> {
    let poll = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    Ok(timeout(PATIENCE, poll).await?)
}

async fn deployment_scale_and_wait(suite: Suite) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(suite.client.clone(), &suite.namespace);
    let web = serde_json::from_value(json!({
        "metadata": {"name": "web"},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {
            "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main", "image": "example.com/app:1"}]}}},
    }))?;
    deployments.create(&PostParams::default(), &web).await?;
    timeout(PATIENCE, await_condition(deployments.clone(), "web", conditions::is_deployment_completed())).await??;
    let scale = deployments.patch_scale("web", &PatchParams::default(), &Patch::Merge(json!({"spec": {"replicas": 3}}))).await?;
    ensure!(scale.spec.unwrap().replicas == Some(3));
    eventually(|| async { deployments.get_status("web").await.is_ok_and(|d| d.status.unwrap().ready_replicas == Some(3)) }).await?;
    deployments.restart("web").await?;
    timeout(PATIENCE, await_condition(deployments.clone(), "web", conditions::is_deployment_completed())).await??;
    let uid = deployments.get("web").await?.uid().unwrap();
    deployments.delete("web", &DeleteParams::foreground()).await?;
    timeout(PATIENCE, await_condition(deployments, "web", conditions::is_deleted(&uid))).await??;
    ensure!(suite.pods().list(&ListParams::default().labels("app=web")).await?.items.is_empty());
    Ok(())
}

async fn logs(suite: Suite) -> Result<()> {
    suite.create_pod("shell").await?;
    ensure!(!suite.pods().logs("shell", &LogParams::default()).await?.is_empty());
    let params = LogParams { follow: true, timestamps: true, ..Default::default() };
    let mut lines = suite.pods().log_stream("shell", &params).await?.lines();
    ensure!(timeout(PATIENCE, lines.try_next()).await??.is_some());
    let absent = LogParams { container: Some("absent".into()), ..Default::default() };
    refused(suite.pods().logs("shell", &absent).await, 400, "BadRequest")?;
    Ok(())
}

async fn exec_and_attach(suite: Suite) -> Result<()> {
    let mut echo = suite.pods().exec("shell", ["echo", "hello"], &AttachParams::default().stderr(false)).await?;
    let mut output = String::new();
    echo.stdout().unwrap().read_to_string(&mut output).await?;
    ensure!(output == "hello\n", "{output}");
    echo.join().await?;
    let mut cat = suite.pods().exec("shell", ["cat"], &AttachParams::default().stdin(true).stderr(false)).await?;
    let mut input = cat.stdin().unwrap();
    input.write_all(b"through").await?;
    input.shutdown().await?;
    drop(input);
    let mut output = [0; 7];
    timeout(PATIENCE, cat.stdout().unwrap().read_exact(&mut output)).await??;
    ensure!(&output == b"through");
    cat.abort();
    let mut failing = suite.pods().exec("shell", ["sh", "-c", "exit 3"], &AttachParams::default()).await?;
    let status = timeout(PATIENCE, failing.take_status().unwrap()).await?.unwrap();
    ensure!(status.reason.as_deref() == Some("NonZeroExitCode"), "{status:?}");
    Ok(())
}

async fn port_forward(suite: Suite) -> Result<()> {
    let mut forward = suite.pods().portforward("shell", &[8080]).await?;
    let mut stream = forward.take_stream(8080).unwrap();
    stream.write_all(b"GET /path HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await?;
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await??;
    ensure!(answer.starts_with("HTTP/1.1 200") && answer.contains("/path"), "{answer}");
    Ok(())
}

async fn derived_definition(suite: Suite) -> Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(suite.client.clone());
    let name = "toys.kube-rs.example.com";
    definitions.patch(name, &PatchParams::apply("suite").force(), &Patch::Apply(Toy::crd())).await?;
    timeout(PATIENCE, await_condition(definitions, name, conditions::is_crd_established())).await??;
    let toys = suite.toys();
    let mut bear = toys.create(&PostParams::default(), &Toy::new("bear", ToySpec { size: 2 })).await?;
    ensure!(bear.status.is_none());
    bear.status = Some(ToyStatus { state: "lost".into() });
    let stored = toys.replace_status("bear", &PostParams::default(), &bear).await?;
    ensure!(stored.status.as_ref().unwrap().state == "lost");
    let found = toys.patch_status("bear", &PatchParams::default(), &Patch::Merge(json!({"status": {"state": "found"}}))).await?;
    ensure!(found.status.unwrap().state == "found");
    let message = refused(toys.create(&PostParams::default(), &Toy::new("none", ToySpec { size: 0 })).await, 422, "Invalid")?;
    ensure!(message.contains("should be greater than or equal to 1"), "{message}");
    Ok(())
}

async fn dynamic_objects(suite: Suite) -> Result<()> {
    let discovery = Discovery::new(suite.client.clone()).run_aggregated().await?;
    let old = Discovery::new(suite.client.clone()).run().await?;
    ensure!(old.groups().count() == discovery.groups().count());
    let (resource, capabilities) = discovery
        .groups()
        .flat_map(|group| group.recommended_resources())
        .find(|(resource, _)| resource.kind == "Toy")
        .unwrap();
    ensure!(capabilities.scope == Scope::Namespaced && capabilities.supports_operation(verbs::WATCH));
    let toys: Api<DynamicObject> = Api::namespaced_with(suite.client.clone(), &suite.namespace, &resource);
    let plush = DynamicObject::new("plush", &resource).data(json!({"spec": {"size": 3}}));
    toys.create(&PostParams::default(), &plush).await?;
    ensure!(toys.get("plush").await?.data["spec"]["size"] == 3);
    ensure!(suite.client.apiserver_version().await?.major == "1");
    Ok(())
}

async fn controller_with_finalizer(suite: Suite) -> Result<()> {
    let cleaned = Arc::new(AtomicUsize::new(0));
    let reconcile = {
        let (suite, cleaned) = (suite.clone(), cleaned.clone());
        move |toy: Arc<Toy>, _: Arc<()>| {
            let (suite, cleaned) = (suite.clone(), cleaned.clone());
            async move {
                finalizer(&suite.toys(), "kube-rs.example.com/suite", toy, |event| async {
                    match event {
                        Finalizer::Apply(toy) => {
                            let mut child = map(&format!("toy-{}", toy.name_any()), &[]);
                            child.metadata.owner_references = toy.controller_owner_ref(&()).map(|owner| vec![owner]);
                            child.data = Some(BTreeMap::from([("size".into(), toy.spec.size.to_string())]));
                            let name = child.name_any();
                            let patch = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": child.metadata, "data": child.data});
                            suite.maps().patch(&name, &PatchParams::apply("controller").force(), &Patch::Apply(patch)).await?;
                        }
                        Finalizer::Cleanup(_) => {
                            cleaned.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                    Ok::<_, kube::Error>(Action::await_change())
                })
                .await
            }
        }
    };
    let controller = Controller::new(suite.toys(), watcher::Config::default())
        .owns(suite.maps(), watcher::Config::default())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_millis(200)), Arc::new(()))
        .for_each(|_| async {});
    let task = tokio::spawn(controller);
    let maps = suite.maps();
    let size = async |name: &str| maps.get(name).await.ok().map(|m| m.data.unwrap_or_default()["size"].clone());
    eventually(|| async { size("toy-bear").await == Some("2".into()) }).await?;
    eventually(|| async { size("toy-plush").await == Some("3".into()) }).await?;
    maps.patch("toy-bear", &PatchParams::default(), &Patch::Merge(json!({"data": {"size": "wrong"}}))).await?;
    eventually(|| async { size("toy-bear").await == Some("2".into()) }).await?;
    suite.toys().patch("bear", &PatchParams::default(), &Patch::Merge(json!({"spec": {"size": 5}}))).await?;
    eventually(|| async { size("toy-bear").await == Some("5".into()) }).await?;
    suite.toys().delete_collection(&DeleteParams::default(), &ListParams::default()).await?;
    eventually(|| async { suite.toys().list(&ListParams::default()).await.is_ok_and(|toys| toys.items.is_empty()) }).await?;
    eventually(|| async { maps.get_opt("toy-bear").await.is_ok_and(|gone| gone.is_none()) }).await?;
    task.abort();
    ensure!(cleaned.load(Ordering::SeqCst) == 2);
    Ok(())
}

async fn events(suite: Suite) -> Result<()> {
    let pod = suite.pods().get("shell").await?;
    let recorder = Recorder::new(suite.client.clone(), Reporter { controller: "suite".into(), instance: None });
    for _ in 0..2 {
        let event = NewEvent {
            type_: EventType::Normal,
            reason: "Checked".into(),
            note: Some("The pod is checked.".into()),
            action: "Checking".into(),
            secondary: None,
        };
        recorder.publish(&event, &pod.object_ref(&())).await?;
    }
    let events: Api<Event> = Api::namespaced(suite.client.clone(), &suite.namespace);
    let found = events.list(&ListParams::default().fields("reason=Checked")).await?;
    ensure!(found.items.len() == 1 && found.items[0].series.is_some(), "{:?}", found.items);
    Ok(())
}

async fn eviction(suite: Suite) -> Result<()> {
    let uid = suite.pods().get("shell").await?.uid().unwrap();
    suite.pods().evict("shell", &Default::default()).await?;
    timeout(PATIENCE, await_condition(suite.pods(), "shell", conditions::is_deleted(&uid))).await??;
    Ok(())
}

async fn namespace_deletion(suite: Suite) -> Result<()> {
    let namespaces: Api<Namespace> = Api::all(suite.client.clone());
    let uid = namespaces.get(&suite.namespace).await?.uid().unwrap();
    namespaces.delete(&suite.namespace, &DeleteParams::default()).await?;
    timeout(PATIENCE * 2, await_condition(namespaces, &suite.namespace, conditions::is_deleted(&uid))).await??;
    let definitions: Api<CustomResourceDefinition> = Api::all(suite.client.clone());
    definitions.delete("toys.kube-rs.example.com", &DeleteParams::default()).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::try_default().await?;
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let made = Namespace { metadata: ObjectMeta { generate_name: Some("kube-rs-".into()), ..Default::default() }, ..Default::default() };
    let namespace = namespaces.create(&PostParams::default(), &made).await?.name_any();
    let suite = Suite { client, namespace };
    let (mut passed, mut failed) = (0, 0);
    macro_rules! checks {
        ($($check:ident)*) => {$(
            match tokio::spawn($check(suite.clone())).await.map_err(anyhow::Error::from).flatten() {
                Ok(()) => {
                    passed += 1;
                    println!("ok    {}", stringify!($check));
                }
                Err(error) => {
                    failed += 1;
                    println!("FAIL  {}: {}", stringify!($check), format!("{error:?}").replace('\n', " "));
                }
            }
        )*};
    }
    checks!(objects pages_and_selectors patches server_side_apply watch reflectors deployment_scale_and_wait logs exec_and_attach
        port_forward derived_definition dynamic_objects controller_with_finalizer events eviction namespace_deletion);
    println!("kube-rs: {passed} passed, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}
