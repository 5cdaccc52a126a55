// Connects the stream, the model, the pipeline and the controls.

import { Lessons } from './lessons.js';
import { Model } from './model.js';
import { showActiveFaults, showFaults, showLog, showLoop, showStore, showSummary, showTrace } from './panels.js';
import { Pipeline } from './pipeline.js';
import { Recording } from './recording.js';
import { byId, el, headers, say } from './words.js';

const model = new Model();
const pipeline = new Pipeline(byId('stages'), byId('tokens'));
const lessons = new Lessons(command, prepare);
const recording = new Recording(play, reset);
const LESSONS = 'default/lesson'; // the beginning of the names in lessons, which are never sampled
let controls = false; // whether the server executes commands: a demo
let speed = 'real';

/** Sends a command to the demo; returns its answer, or an object with an error. */
async function command(body) {
  const own = { ...headers(), 'Content-Type': 'application/json', 'X-Kubeloop-Page': '1' };
  try {
    const response = await fetch('live/do', { method: 'POST', headers: own, body: JSON.stringify(body) });
    return response.ok ? await response.json() : { error: await response.text() };
  } catch (error) {
    return { error: String(error) };
  }
}

function play({ stages, passage }) {
  if (stages) {
    if (!model.state) refreshStore();
    model.applyState(stages);
    if (stages.commands && !controls) {
      controls = true;
      showFaults(command);
      lessons.load();
    }
    if (controls) lessons.onState(stages);
    options('lane', 'all informers', stages.informers.map((informer) => informer.resource));
    options('queue', 'all queues', stages.queues.map((queue) => queue.name));
  } else {
    lessons.onPassage(passage);
    const lane = byId('lane').value;
    const ofLane = !lane || passage.lane === lane || !['reflector', 'store', 'listeners'].includes(passage.stage);
    const ofQueue = !byId('queue').value || passage.lane === byId('queue').value || !['queue', 'workers'].includes(passage.stage);
    const metadata = passage.lane.endsWith('(metadata)') && passage.lane !== lane;
    const visible = ofLane && ofQueue && !metadata && passage.kind !== 'returned';
    model.applyPassage(passage, visible);
    if (visible) pipeline.send(passage, passage.key === model.follow);
  }
}

function reset() {
  model.reset();
  pipeline.clear();
}

/** Fills a list once its names change, and keeps the choice. */
function options(id, all, names) {
  const select = byId(id);
  const key = names.join();
  if (select.dataset.names === key) return;
  const chosen = select.value;
  select.replaceChildren(el('option', { value: '' }, all), ...names.map((name) => el('option', { value: name }, name)));
  select.value = names.includes(chosen) ? chosen : '';
  select.dataset.names = key;
}

function follow(key) {
  byId('follow').value = key;
  model.followed(key);
  recording.connect(key ? `${LESSONS},${key}` : LESSONS, connected);
  showTrace(model);
}

function prepare(lesson) {
  byId('lane').value = lesson.lane ?? '';
  byId('queue').value = '';
  setSpeed('real');
  byId('follow').value = lesson.follow;
  model.followed(lesson.follow);
}

function connected(is) {
  if (!is) say(byId('state'), 'the connection is lost; trying again…');
}

async function setSpeed(chosen) {
  speed = chosen;
  recording.mode = chosen === 'paused' ? 'paused' : chosen === 'slow' && !controls ? 'slow' : 'live';
  if (controls) {
    recording.mode = 'live'; // the demo itself stands or is slow, and the page shows it as it is
    await command({ do: 'speed', name: chosen });
  }
  for (const [id, name] of [['pause', 'paused'], ['slow', 'slow'], ['real', 'real']]) byId(id).setAttribute('aria-pressed', String(name === chosen));
  say(byId('pause'), chosen === 'paused' ? 'Continue' : 'Pause');
}

async function step() {
  if (speed !== 'paused') await setSpeed('paused');
  if (!recording.step() && controls) await command({ do: 'step' });
}

byId('pause').onclick = () => setSpeed(speed === 'paused' ? 'real' : 'paused');
byId('slow').onclick = () => setSpeed('slow');
byId('real').onclick = () => setSpeed('real');
byId('step').onclick = step;
byId('rewind').oninput = async (event) => {
  const back = -Number(event.target.value);
  if (speed !== 'paused') await setSpeed('paused');
  if (back > 0) recording.rewind(back);
  else recording.mode = controls ? 'live' : 'paused';
};
byId('follow').onchange = (event) => follow(event.target.value.trim());
byId('lane').onchange = () => refreshStore();
document.addEventListener('keydown', (event) => {
  if (event.target.matches('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { p: 'pause', '.': 'step', s: 'slow', r: 'real' };
  if (keys[event.key]) byId(keys[event.key]).click();
});

const refreshStore = () => showStore(byId('lane').value || 'pods').catch(() => {});

let summary = [];

function refreshBoxes() {
  const { state } = model;
  pipeline.show(model.boxes(byId('lane').value, byId('queue').value));
  say(byId('state'), `${state.state}${controls ? '' : ' (read only)'}`);
  say(byId('frames'), `· ${Math.round(pipeline.framesPerSecond())} frames/s`);
  const left = `${pipeline.tokens.length} tokens; ${pipeline.skipped} not drawn so far`;
  const sampled = state.sample > 1 ? `sampled: shows 1 of ${state.sample} objects, the numbers count all; ` : '';
  say(byId('sample'), sampled || pipeline.skipped ? sampled + left : '');
  const behind = recording.behind();
  say(byId('when'), behind < 0.5 ? (speed === 'paused' ? 'paused' : speed === 'slow' ? 'slow motion' : 'live') : `${behind.toFixed(1)} s ago`);
  if (document.activeElement !== byId('rewind')) byId('rewind').value = -Math.min(60, behind);
  byId('rewind').setAttribute('aria-valuetext', behind < 0.5 ? 'now' : `${behind.toFixed(0)} seconds ago`);
}

/** Offers the names of the latest objects while the field has the focus. */
function offerNames() {
  if (document.activeElement !== byId('follow')) return;
  const names = [...new Set(model.latest.map((passage) => passage.key))].slice(-30);
  if (byId('names').dataset.of !== names.join()) byId('names').replaceChildren(...names.map((name) => el('option', { value: name })));
  byId('names').dataset.of = names.join();
}

function refreshLoop() {
  showLoop(model.state);
  if (controls) showActiveFaults(model.state.faults ?? []);
  offerNames();
}

/** Everything that is text changes at a pace that people can read, one part at a time, so that no frame does all the work. */
const PARTS = [refreshBoxes, () => showTrace(model), refreshLoop, refreshBoxes, () => showLog(model, follow)];
const REFRESH = 120; // milliseconds between two parts
let refreshed = 0; // the number of parts so far
let refreshAt = 0;

function refresh(now) {
  if (now < refreshAt || !model.state) return;
  refreshAt = now + REFRESH;
  PARTS[refreshed++ % PARTS.length]();
}

let last = performance.now();
function frame(now) {
  const millis = Math.min(100, now - last);
  last = now;
  recording.play(millis);
  pipeline.draw(millis, speed === 'paused' && recording.behind() > 0.5);
  refresh(now);
  requestAnimationFrame(frame);
}

pipeline.legend(byId('legend'));
recording.connect(LESSONS, connected);
requestAnimationFrame(frame);
setInterval(refreshStore, 2000);
setInterval(() => (summary = showSummary(model, summary)), 5000);
