// The panels beside the pipeline: one object, the store, expectations and lease, the log, the faults.

import { byId, el, lookOf, picture, say, sentence } from './words.js';

const seconds = (t) => (t / 1000).toFixed(3) + ' s';

/** The log of the latest events; a click follows the object. */
export function showLog(model, follow) {
  const items = model.latest.slice(-40).reverse().map((passage) => {
    const words = el('button', { type: 'button', title: 'Follow ' + passage.key }, sentence(passage));
    words.onclick = () => follow(passage.key);
    return el('li', {}, el('time', {}, seconds(passage.t)), picture(lookOf(passage)), words);
  });
  const log = byId('log');
  if (!log.contains(document.activeElement) || document.activeElement === log) log.replaceChildren(...items);
}

/** One line for screen readers about what happened since the last one. */
export function showSummary(model, before) {
  const { reflector = 0, store = 0, workers = 0, writes = 0 } = model.counts;
  const now = [reflector, store, workers, writes];
  const grown = now.map((count, i) => Math.max(0, count - (before[i] ?? 0)));
  if (grown.some((count) => count > 0)) {
    say(byId('summary'), `Since the last report: ${grown[0]} events received, ${grown[1]} stored, ${grown[2]} moves of workers, ${grown[3]} writes`);
  }
  return now;
}

/** The stages that the followed object has passed, with the time at each since the first one. */
export function showTrace(model) {
  const start = model.trace[0]?.t ?? 0;
  const items = model.trace.map((passage) =>
    el('li', {}, el('time', {}, '+' + (passage.t - start).toFixed(2) + ' ms'), picture(lookOf(passage)), sentence(passage)));
  const list = byId('trace');
  if (!model.follow) {
    list.replaceChildren(el('li', { className: 'note' }, 'Name an object, or choose a line of the log.'));
  } else if (items.length === 0) {
    list.replaceChildren(el('li', { className: 'note' }, 'Nothing has happened to it yet.'));
  } else if (list.childElementCount !== items.length || list.dataset.of !== model.follow + start) {
    list.replaceChildren(...items);
    list.scrollTop = list.scrollHeight;
  }
  list.dataset.of = model.follow + start;
}

function table(caption, head, rows) {
  const body = rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, String(cell)))));
  const title = el('caption', { className: 'note' }, caption);
  return el('table', {}, title, el('thead', {}, el('tr', {}, ...head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, ...body));
}

/** The content of the store of one informer, now, also while the page is paused. */
export async function showStore(resource) {
  const shown = byId('store');
  const content = await (await fetch('live/store.json?resource=' + encodeURIComponent(resource))).json();
  if (content.error) {
    shown.replaceChildren(el('p', { className: 'note' }, `${resource}: choose an informer of whole objects to see its content.`));
    return;
  }
  const some = content.items.length < content.objects ? `, the first ${content.items.length} by name` : '';
  shown.replaceChildren(
    el('div', { className: 'scroll', tabIndex: 0 },
      table(`${content.objects} objects of ${resource} now${some}`, ['object', 'version'], content.items.map((item) => [item.key, item.version]))),
    ...content.indices.map((index) => el('div', { className: 'scroll', tabIndex: 0 },
      table(`index ${index.name}: ${index.count} values`, ['value', 'objects'], index.values.map((each) => [each.value || '(empty)', each.objects])))));
}

/** The expectations of controllers and the lease. */
export function showLoop(state) {
  const { expectations, lease } = state;
  const waits = expectations.length
    ? table('What controllers wait to see before they act again', ['controller', 'owner', 'creations', 'deletions'],
      expectations.map((e) => [e.controller, e.key, e.add, e.del]))
    : el('p', { className: 'note' }, 'No controller waits to see its own writes.');
  const rows = lease?.candidates?.map((c) => [c.name, c.leading ? 'leads' : 'waits']) ?? [];
  const held = !lease ? el('p', { className: 'note' }, 'This process runs without a lease.')
    : rows.length ? table(`Lease ${lease.name}, held by ${lease.holder || 'none'}`, ['candidate', ''], rows)
      : el('p', {}, `Lease ${lease.name}: ${lease.leading ? 'this process leads' : 'held by ' + (lease.holder || 'none')}`);
  const content = [waits, held];
  const shown = byId('loop');
  const text = content.map((element) => element.textContent).join();
  if (shown.dataset.text !== text) shown.replaceChildren(...content);
  shown.dataset.text = text;
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
