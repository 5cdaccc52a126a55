// The guided scenes. lessons.json has their texts, the requests that they send, and the conditions that end their steps.

import { docsLink } from './panels.js';
import { byId, el } from './words.js';

/** Returns the value at a path such as informers/pods/objects; arrays are searched by resource and name. */
function valueAt(state, path) {
  return path.split('/').reduce((value, part) => {
    if (!Array.isArray(value)) return value?.[part];
    return part === 'length' ? value.length : value.find((item) => item.resource === part || item.name === part);
  }, state);
}

function holds(value, { is, atLeast, atMost }) {
  return (is === undefined || value === is) && (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

function matches(passage, wanted) {
  return Object.entries(wanted).every(([name, value]) => String(passage[name] ?? '').startsWith(value));
}

/** Waits for what a step wants to have happened. */
class Conditions {
  constructor(wanted) {
    this.open = wanted.map((condition) => ({ ...condition, left: condition.count ?? 1 }));
  }

  passage(passage) {
    for (const condition of this.open) {
      if (condition.passage && matches(passage, condition.passage)) condition.left--;
    }
    this.open = this.open.filter((condition) => !condition.passage || condition.left > 0);
  }

  state(state) {
    this.open = this.open.filter((condition) => condition.passage || !holds(valueAt(state, condition.value), condition));
  }
}

export class Lessons {
  /**
   * @param command sends a command and returns the answer
   * @param prepare shows the lane of a lesson and follows its object
   */
  constructor(command, prepare) {
    this.command = command;
    this.prepare = prepare;
  }

  async load() {
    this.entries = (await (await fetch('live/lessons.json')).json()).entries;
    byId('lessons').hidden = false;
    byId('lesson-list').append(...this.entries.map((lesson, i) => {
      const button = el('button', { type: 'button', id: 'lesson-' + lesson.name }, `${i + 1} ${lesson.title}`);
      button.onclick = () => this.start(lesson);
      return button;
    }));
  }

  async start(lesson) {
    this.lesson = lesson;
    this.at = -1;
    for (const each of this.entries) byId('lesson-' + each.name).setAttribute('aria-current', String(each === lesson));
    this.step = null;
    this.scene(el('p', {}, 'Preparing the scene: every informer must watch…'));
    await this.command({ do: 'reset' });
    this.prepare(lesson);
    await new Promise((resolve) => (this.settled = resolve));
    if (lesson !== this.lesson) return;
    const begin = this.button('Begin', () => this.next());
    this.scene(el('p', { className: 'say' }, lesson.about), el('p', {}, 'Read more: ', docsLink(lesson.docs)), begin);
    begin.focus({ preventScroll: true });
  }

  button(text, onclick) {
    return el('button', { type: 'button', className: 'primary', id: 'next', onclick }, text);
  }

  scene(...content) {
    byId('scene').replaceChildren(el('h3', {}, this.lesson.title), ...content);
  }

  async next() {
    const step = this.lesson.steps[++this.at];
    if (!step) {
      this.ask();
      return;
    }
    this.conditions = new Conditions(step.until ?? []);
    const calls = el('div');
    this.status = el('p', { className: 'note' }, 'waiting…');
    this.scene(el('p', { className: 'note' }, `Step ${this.at + 1} of ${this.lesson.steps.length}`), el('p', { className: 'say' }, step.say), calls, this.status);
    const lesson = this.lesson;
    for (const command of step.do ?? []) {
      calls.append(el('code', {}, this.words(command)));
      const answer = await this.command(command);
      if (answer.error) this.status = this.fail(answer.error);
    }
    if (lesson !== this.lesson) return;
    this.step = step;
    this.check();
  }

  words(command) {
    if (command.do === 'request') return `${command.method} ${command.path}`;
    return Object.values(command).join(' ');
  }

  fail(message) {
    const failed = el('p', { className: 'failed' }, message);
    byId('scene').append(failed);
    return failed;
  }

  onPassage(passage) {
    this.conditions?.passage(passage);
  }

  onState(state) {
    if (state.lease.holder && state.informers.every((informer) => informer.synced && informer.state === 'watching')) this.settled?.();
    this.conditions?.state(state);
    this.check();
  }

  /** Shows what one sees once everything that the step waits for has happened. */
  check() {
    if (!this.step || this.conditions.open.length) return;
    const { see } = this.step;
    this.step = null;
    const last = this.at === this.lesson.steps.length - 1;
    const next = this.button(last ? 'A question' : 'Next', () => this.next());
    this.status.replaceWith(el('p', { className: 'see' }, see), next);
    next.focus({ preventScroll: true });
  }

  ask() {
    this.conditions = null;
    const answer = this.button('Show the answer', () => {
      answer.replaceWith(el('p', { className: 'see', id: 'answer' }, this.lesson.answer));
      this.command({ do: 'reset' });
    });
    this.scene(el('p', { className: 'say' }, this.lesson.question), answer);
    answer.focus({ preventScroll: true });
  }
}
