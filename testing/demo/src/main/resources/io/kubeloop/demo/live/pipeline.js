// Draws the pipeline: the boxes of the stages as elements, the tokens on a canvas above them.

import { LOOKS, STAGES, el, indexOf, lookOf, outline, picture, say } from './words.js';

const HOP = 380; // milliseconds from one box to the next: slow enough for the eye
const MOST = 300; // tokens that are drawn at a time
const BURST = 100; // tokens that can start at once
const PACE = 150; // tokens that start in a second, once a burst is over: an even stream instead of waves
const STAY = 900; // milliseconds for which a token stays in the last box that it reached

/** Where a token of a passage comes from: the boxes on its way to the box of the passage. */
function way(passage) {
  const at = indexOf(passage.stage);
  switch (passage.stage) {
    case 'reflector': return passage.kind === 'listed' || passage.kind === 'watch-ended' ? [1, 2] : [0, 1, 2, 3];
    case 'store': return [3, at];
    case 'listeners': return [4, at];
    case 'queue': return [5, at];
    case 'workers': return passage.kind === 'taken' ? [6, at] : [];
    case 'writes': return [7, at];
    default: return [8, 0];
  }
}

export class Pipeline {
  constructor(stages, canvas) {
    this.canvas = canvas;
    this.boxes = new Map(STAGES.map((stage) => [stage.id, this.box(stage)]));
    stages.append(...[...this.boxes.values()].map((box) => box.root));
    this.tokens = [];
    this.allowed = BURST;
    this.skipped = 0;
    this.blank = true;
    canvas.dataset.tokens = 0;
    this.frames = [];
    const measure = () => this.measure();
    const observer = new ResizeObserver(measure);
    observer.observe(stages);
    observer.observe(canvas.parentElement); // text above the stages moves them
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', measure);
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
    measure();
  }

  box(stage) {
    const rows = el('dl');
    const error = el('p', { className: 'error', hidden: true });
    const number = stage.step ? [el('b', {}, stage.step + ' · ')] : [];
    const root = el('article', { className: 'stage', title: stage.does }, el('h3', {}, ...number, stage.name), rows, error);
    root.setAttribute('aria-label', `${stage.step ? 'Step ' + stage.step + ', ' : ''}${stage.name}: ${stage.does}`);
    return { root, rows, error, cells: new Map() };
  }

  /** Shows depth, rate, state and error of each box. */
  show(values) {
    for (const [id, box] of this.boxes) {
      const { rows = {}, error = '', depth = 0 } = values[id] ?? {};
      const names = Object.keys(rows);
      if (names.join() !== [...box.cells.keys()].join()) {
        box.cells = new Map(names.map((name) => [name, el('dd')]));
        box.rows.replaceChildren(...names.flatMap((name) => [el('dt', {}, name), box.cells.get(name)]));
      }
      for (const name of names) say(box.cells.get(name), String(rows[name] ?? ''));
      say(box.error, error);
      box.error.hidden = !error;
      box.root.classList.toggle('bad', Boolean(error));
      box.root.classList.toggle('busy', depth > 100);
    }
  }

  /**
   * Reads positions and colors, which change with the window and the theme. The canvas covers only the line on which tokens travel,
   * because each frame costs what the area of the canvas costs.
   */
  measure() {
    const frame = this.canvas.parentElement.getBoundingClientRect();
    const tall = matchMedia('(max-width: 62rem)').matches;
    const ports = STAGES.map(({ id }) => {
      const box = this.boxes.get(id).root.getBoundingClientRect();
      return tall
        ? { x: box.left - frame.left + 24, y: box.top - frame.top + box.height / 2, dx: 0, dy: 1 }
        : { x: box.left - frame.left + box.width / 2, y: box.top - frame.top + 19, dx: 1, dy: 0 };
    });
    const margin = tall ? { left: 24, right: 230, top: 24, bottom: 24 } : { left: 90, right: 90, top: 32, bottom: 22 };
    const left = Math.min(...ports.map((port) => port.x)) - margin.left;
    const top = Math.min(...ports.map((port) => port.y)) - margin.top;
    const width = Math.max(...ports.map((port) => port.x)) + margin.right - left;
    const height = Math.max(...ports.map((port) => port.y)) + margin.bottom - top;
    this.ports = ports.map((port) => ({ ...port, x: port.x - left, y: port.y - top }));
    this.ratio = devicePixelRatio || 1;
    const place = [left, top, width, height].map(Math.round).join();
    if (this.place !== place) {
      Object.assign(this.canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      this.canvas.width = Math.round(width * this.ratio);
      this.canvas.height = Math.round(height * this.ratio);
      this.place = place;
    }
    const style = getComputedStyle(document.documentElement);
    this.ink = style.getPropertyValue('--ink');
    this.sprites = new Map(Object.keys(LOOKS).map((look) =>
      [look, [false, true].map((followed) => this.sprite(look, followed, style))]));
  }

  /** Returns the picture of a token. To copy it costs less than to fill its outline in each frame. */
  sprite(look, followed, style) {
    const size = followed ? 26 : 18;
    const sprite = el('canvas', { width: size * this.ratio, height: size * this.ratio });
    const context = sprite.getContext('2d');
    const path = new Path2D(outline(look));
    context.scale(this.ratio, this.ratio);
    context.translate(size / 2, size / 2);
    if (followed) context.scale(1.5, 1.5);
    context.fillStyle = style.getPropertyValue('--' + look);
    context.fill(path);
    context.strokeStyle = style.getPropertyValue(followed ? '--ink' : '--card');
    context.lineWidth = followed ? 1.4 : 0.8;
    context.stroke(path);
    return { sprite, size };
  }

  /** Starts a token on its way. */
  send(passage, followed) {
    const stops = way(passage);
    if (!stops.length || passage.kind === 'returned') return;
    if ((this.tokens.length >= MOST || this.allowed < 1) && !followed) {
      this.skipped++;
      return;
    }
    this.allowed = Math.max(0, this.allowed - 1);
    // Tokens of one stage spread around its line, so that none hides another.
    const spread = ((this.tokens.length * 7) % 19) - 9;
    const label = passage.key.slice(passage.key.indexOf('/') + 1);
    this.tokens.push({ look: lookOf(passage), stops, done: 0, stay: 0, spread, label, followed });
  }

  clear() {
    this.tokens = [];
    this.blank = false;
  }

  /** Draws one frame, a time after the last one. */
  draw(millis, paused) {
    this.frames.push(performance.now());
    while (this.frames.length > 1 && this.frames.at(-1) - this.frames[0] > 1000) this.frames.shift();
    this.allowed = Math.min(BURST, this.allowed + (millis * PACE) / 1000);
    if (!this.tokens.length && this.blank) return;
    const context = this.canvas.getContext('2d');
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.font = '11px system-ui, sans-serif';
    const hurry = this.tokens.length > 60 ? 2 : 1;
    this.labels = new Set();
    for (const token of this.tokens) {
      const last = token.stops.length - 1;
      if (token.done < last) {
        token.done = this.still.matches ? last : Math.min(last, token.done + (millis * hurry) / HOP);
      } else if (!paused) {
        token.stay += millis * hurry;
      }
      this.drawToken(context, token, last);
    }
    this.tokens = this.tokens.filter((token) => token.stay < STAY);
    this.blank = this.tokens.length === 0;
    this.canvas.dataset.tokens = this.tokens.length;
  }

  drawToken(context, token, last) {
    const from = this.ports[token.stops[Math.min(last, Math.floor(token.done))]];
    const to = this.ports[token.stops[Math.min(last, Math.ceil(token.done))]];
    const part = token.done - Math.floor(token.done);
    const eased = part * part * (3 - 2 * part);
    // Whole pixels: the picture is copied and not resampled.
    const x = this.whole(from.x + (to.x - from.x) * eased + token.spread * to.dy);
    const y = this.whole(from.y + (to.y - from.y) * eased + token.spread * to.dx);
    const { sprite, size } = this.sprites.get(token.look)[Number(token.followed)];
    context.globalAlpha = Math.min(1, Math.max(0, 2 - (2 * token.stay) / STAY));
    context.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    const place = token.label + Math.round(x / 50) + Math.round(y / 50);
    if ((token.followed || this.tokens.length < 7) && !this.labels.has(place)) {
      this.labels.add(place); // tokens of one object in one place need one label
      context.fillStyle = this.ink;
      context.textAlign = to.dx ? 'center' : 'left';
      context.fillText(token.label.slice(0, 26), x + 9 * to.dy, to.dx ? y - 9 : y + 4);
    }
    context.globalAlpha = 1;
  }

  whole(position) {
    return Math.round(position * this.ratio) / this.ratio;
  }

  /** Returns the frames of the last second. */
  framesPerSecond() {
    const span = this.frames.at(-1) - this.frames[0];
    return span > 0 ? ((this.frames.length - 1) * 1000) / span : 0;
  }

  legend(list) {
    list.append(...Object.entries(LOOKS).map(([look, { text }]) => el('li', {}, picture(look), text)));
  }
}
