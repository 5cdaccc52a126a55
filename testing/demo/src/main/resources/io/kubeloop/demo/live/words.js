// The words and marks of the page: stages with the names and numbers of the tour, kinds of events, and small helpers for elements.

/** The boxes, in the order in which the tour draws them. */
export const STAGES = [
  { id: 'server', step: '', name: 'API server', does: 'stores objects and sends each change to all watches' },
  { id: 'transport', step: '1', name: 'Transport', does: 'bytes become events' },
  { id: 'reflector', step: '2', name: 'Reflector', does: 'lists, then watches' },
  { id: 'deltas', step: '3', name: 'Delta queue', does: 'holds changes until the store takes them' },
  { id: 'store', step: '4', name: 'Store', does: 'changes and notifies in one step' },
  { id: 'listeners', step: '5', name: 'Listeners', does: 'one thread and one backlog per handler' },
  { id: 'queue', step: '6', name: 'Work queue', does: 'from object to key; a waiting key is held once' },
  { id: 'workers', step: '7', name: 'Workers', does: 'read the caches, compare, write' },
  { id: 'writes', step: '', name: 'Writes', does: 'requests of the workers' },
];

/** The index of a stage of the stream among the boxes. */
export const indexOf = (id) => STAGES.findIndex((stage) => stage.id === id);

/** Each look is a color and a shape, so that no color alone carries a meaning. */
export const LOOKS = {
  added: { shape: 'circle', text: 'added' },
  updated: { shape: 'square', text: 'updated' },
  deleted: { shape: 'triangle', text: 'deleted' },
  tombstone: { shape: 'cross', text: 'tombstone: deleted while no watch looked' },
  unchanged: { shape: 'ring', text: 'unchanged: a resync' },
  key: { shape: 'diamond', text: 'a key, no longer an object' },
  write: { shape: 'bar', text: 'a write' },
  bad: { shape: 'star', text: 'a failure' },
};

/** Returns the name of the look of a passage. */
export function lookOf(passage) {
  if (passage.kind === 'failed' || passage.kind === 'no-answer' || (passage.stage === 'server' && passage.kind >= '400')) return 'bad';
  if (passage.stage === 'queue' || passage.stage === 'workers') return 'key';
  if (passage.stage === 'writes' || passage.stage === 'server') return 'write';
  return LOOKS[passage.kind] ? passage.kind : 'unchanged';
}

const CORNERS = {
  square: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
  triangle: [[0, -1.2], [1.2, 1], [-1.2, 1]],
  diamond: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
  bar: [[-1.5, -0.6], [0.6, -0.6], [1.5, 0], [0.6, 0.6], [-1.5, 0.6]],
  cross: [[-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4],
    [-1.2, -0.4], [-0.4, -0.4]],
  star: Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? 0.6 : 1.4;
    return [radius * Math.sin((i * Math.PI) / 5), -radius * Math.cos((i * Math.PI) / 5)];
  }),
};

/** Returns the outline of a look as a path that canvas and SVG share; its radius is about 5. */
export function outline(look) {
  const { shape } = LOOKS[look];
  if (shape === 'circle') return 'M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z';
  if (shape === 'ring') return 'M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0ZM2.5 0A2.5 2.5 0 1 0 -2.5 0A2.5 2.5 0 1 0 2.5 0Z';
  return 'M' + CORNERS[shape].map(([x, y]) => `${(x * 4.5).toFixed(1)} ${(y * 4.5).toFixed(1)}`).join('L') + 'Z';
}

/** Returns an SVG picture of a look. */
export function picture(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '-7 -7 14 14');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.append(path);
  look(svg, name);
  return svg;
}

/** Changes the look of a picture. */
export function look(svg, name) {
  if (svg.dataset.look === name) return;
  svg.dataset.look = name;
  svg.firstChild.setAttribute('d', outline(name));
  svg.firstChild.setAttribute('fill', `var(--${name})`);
}

/** Returns a new element with properties and children. */
export function el(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// The credential of a demo's page comes in the fragment of the printed address; the browser keeps it for this address.
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given) {
  localStorage.setItem('key', given);
  history.replaceState(null, '', location.pathname);
}
const key = given ?? localStorage.getItem('key') ?? '';

/** The headers of a request to the server. */
export const headers = () => (key ? { Authorization: `Bearer ${key}` } : {});

/** The address of a stream, which cannot have headers. */
export const withKey = (address) => (key ? `${address}&key=${encodeURIComponent(key)}` : address);

export const byId = (id) => document.getElementById(id);

/** Sets the text of an element if it differs, so that a screen reader announces changes only. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns a passage as a sentence. */
export function sentence(passage) {
  const { stage, kind, lane, key, by } = passage;
  const cause = by ? ` by ${by}` : '';
  switch (stage) {
    case 'reflector':
      if (kind === 'listed') return `Reflector of ${lane} listed ${key}`;
      if (kind === 'watch-ended') return `Watch of ${lane} ended after ${key}`;
      return `Reflector of ${lane} received ${kind} ${key}`;
    case 'store': return `Store of ${lane}: ${kind} ${key} (${by})`;
    case 'listeners':
      if (kind === 'failed') return `Handler ${by} threw an exception on ${key}`;
      return kind === 'returned' ? `Handler ${by} returned for ${key}` : `Handler ${by} is called: ${kind} ${key}`;
    case 'queue':
      if (kind === 'merged') return `Queue ${lane}: ${key} waits already`;
      return `Queue ${lane}: ${key} ${kind}`;
    case 'workers': return kind === 'taken' ? `Worker of ${lane} syncs ${key}` : `Worker of ${lane} is done with ${key}`;
    case 'writes': return `Write: ${kind.toUpperCase()} ${lane} ${key}${cause}`;
    default: return kind === 'no-answer' ? `No answer for ${lane} ${key}` : `API server answered ${kind} for ${lane} ${key}`;
  }
}
