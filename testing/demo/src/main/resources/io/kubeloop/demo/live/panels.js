// The panels beside the pipeline: one object, the store, expectations and lease, the log, the faults.

import { byId, el, headers, look, lookOf, picture, say, sentence } from './words.js';

const seconds = (t) => (t / 1000).toFixed(3) + ' s';

const LINES = 30;
const lines = []; // the elements of the log, used again for each text

function addLine(follow) {
  const line = { time: el('time'), picture: picture('added'), words: el('button', { type: 'button' }) };
  line.item = el('li', {}, line.time, line.picture, line.words);
  line.words.onclick = () => follow(line.passage.key);
  byId('log').append(line.item);
  lines.push(line);
}

/** The log of the latest events; a click follows the object. It stands while one of its lines has the focus. */
export function showLog(model, follow) {
  const log = byId('log');
  if (log.contains(document.activeElement) && document.activeElement !== log) return;
  const latest = model.latest.slice(-LINES).reverse();
  while (lines.length < latest.length) addLine(follow);
  lines.forEach((line, i) => {
    const passage = latest[i];
    line.item.hidden = !passage;
    if (!passage || line.passage === passage) return;
    line.passage = passage;
    say(line.time, seconds(passage.t));
    look(line.picture, lookOf(passage));
    say(line.words, sentence(passage));
    line.words.title = 'Follow ' + passage.key;
  });
}

/** One line for screen readers about what happened since the last one. */
export function showSummary(model, before) {
  const { reflector = 0, store = 0, workers = 0, writes = 0 } = model.counts;
  const now = [reflector, store, workers, writes];
  const grown = now.map((count, i) => Math.max(0, count - (before[i] ?? 0)));
  if (grown.some((count) => count > 0)) {
    const part = model.state?.sample > 1 ? `, of 1 in ${model.state.sample} objects` : '';
    say(byId('summary'), `Since the last report${part}: ${grown[0]} events received, ${grown[1]} stored, ${grown[2]} moves of workers, ${grown[3]} writes`);
  }
  return now;
}

/** The stages that the followed object has passed, with the time at each since the first one. */
export function showTrace(model) {
  const list = byId('trace');
  const start = model.trace[0]?.t ?? 0;
  const shown = `${model.follow} ${start} ${model.trace.at(-1)?.n}`;
  if (list.dataset.of === shown) return;
  list.dataset.of = shown;
  if (!model.follow) {
    list.replaceChildren(el('li', { className: 'note' }, 'Name an object, or choose a line of the log.'));
  } else if (model.trace.length === 0) {
    list.replaceChildren(el('li', { className: 'note' }, 'Nothing has happened to it yet.'));
  } else {
    list.replaceChildren(...model.trace.map((passage) =>
      el('li', {}, el('time', {}, '+' + (passage.t - start).toFixed(2) + ' ms'), picture(lookOf(passage)), sentence(passage))));
    list.scrollTop = list.scrollHeight;
  }
}

function table(caption, head, rows) {
  const body = rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, String(cell)))));
  const title = el('caption', { className: 'note' }, caption);
  return el('table', {}, title, el('thead', {}, el('tr', {}, ...head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, ...body));
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const ROWS = 30; // of a table whose content changes all the time

/** Shows tables that scroll: captions, heads and rows. Cells that exist are used again, because the content changes all the time. */
function showTables(shown, tables) {
  const shape = tables.map(({ head, rows }) => head.join() + rows.length).join();
  if (shown.dataset.shape !== shape) {
    shown.replaceChildren(...tables.map(({ caption, head, rows }) => el('div', { className: 'scroll', role: 'group', tabIndex: 0 }, table(caption, head, rows))));
    shown.dataset.shape = shape;
  }
  const captions = shown.querySelectorAll('caption');
  const cells = shown.querySelectorAll('td');
  tables.forEach((each, i) => {
    say(captions[i], each.caption);
    captions[i].closest('.scroll').setAttribute('aria-label', each.caption);
  });
  tables.flatMap((each) => each.rows.flat()).forEach((text, i) => say(cells[i], String(text)));
}

/** The content of the store of one informer, now, also while the page is paused. */
export async function showStore(resource) {
  const shown = byId('store');
  const content = await (await fetch('live/store.json?resource=' + encodeURIComponent(resource), { headers: headers() })).json();
  if (content.error) {
    shown.replaceChildren(el('p', { className: 'note' }, `${resource}: choose an informer of whole objects to see its content.`));
    shown.dataset.shape = '';
    return;
  }
  const items = content.items.slice(0, ROWS);
  const some = items.length < content.objects ? `, the first ${items.length} by name` : '';
  const objects = {
    caption: `${count(content.objects, 'object')} of ${resource} now${some}`,
    head: ['object', 'version'],
    rows: items.map((item) => [item.key, item.version]),
  };
  const indices = content.indices.map((index) => ({
    caption: `index ${index.name}: ${count(index.count, 'value')}`,
    head: ['value', 'objects'],
    rows: index.values.slice(0, ROWS).map((each) => [each.value || '(empty)', each.objects]),
  }));
  showTables(shown, [objects, ...indices]);
}

/** The expectations of controllers and the lease. */
export function showLoop(state) {
  const { expectations, lease } = state;
  const shown = byId('loop');
  const text = JSON.stringify([expectations, lease]);
  if (shown.dataset.text === text) return;
  shown.dataset.text = text;
  const waits = expectations.length
    ? table('What controllers wait to see before they act again', ['controller', 'owner', 'creations', 'deletions'],
      expectations.map((e) => [e.controller, e.key, e.add, e.del]))
    : el('p', { className: 'note' }, 'No controller waits to see its own writes.');
  const rows = lease?.candidates?.map((c) => [c.name, c.leading ? 'leads' : 'waits']) ?? [];
  const held = !lease ? el('p', { className: 'note' }, 'This process runs without a lease.')
    : rows.length ? table(`Lease ${lease.name}, held by ${lease.holder || 'none'}`, ['candidate', 'role'], rows)
      : el('p', {}, `Lease ${lease.name}: ${lease.leading ? 'this process leads' : 'held by ' + (lease.holder || 'none')}`);
  shown.replaceChildren(waits, held);
}

export const docsLink = (docs) => el('a', { href: 'docs/' + docs.file, target: '_blank', rel: 'noopener' }, docs.title);

/** The buttons of the faults, each with a paragraph. */
export async function showFaults(command) {
  const { entries } = await (await fetch('live/faults.json')).json();
  byId('faults').hidden = false;
  byId('fault-list').append(...entries.map((fault) => {
    const button = el('button', { type: 'button', id: 'fault-' + fault.name }, fault.title);
    button.onclick = async () => {
      byId('fault-text').replaceChildren(el('h3', {}, fault.title), el('p', {}, fault.text), el('p', {}, 'Read more: ', docsLink(fault.docs)));
      await command({ do: 'fault', name: fault.name });
    };
    return button;
  }));
  byId('clear').onclick = () => command({ do: 'clear' });
}

export function showActiveFaults(names) {
  byId('clear').disabled = names.length === 0;
  say(byId('clear'), names.length ? `End all faults (active: ${names.join(', ')})` : 'End all faults');
}
