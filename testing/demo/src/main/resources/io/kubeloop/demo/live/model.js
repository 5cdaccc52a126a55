// What the page shows at its position: the state of the stages with rates, and the latest passages.

const LATEST = 80;
const TRACE = 200;

/** The last digits of a version: versions of one demo differ only there. */
const short = (version) => (version.length > 8 ? '…' + version.slice(-7) : version);

const sum = (items, value) => items.reduce((total, item) => total + value(item), 0);

export class Model {
  constructor() {
    this.reset();
    this.follow = '';
  }

  reset() {
    this.states = [];
    this.latest = [];
    this.trace = [];
    this.counts = {};
  }

  get state() {
    return this.states.at(-1);
  }

  applyState(state) {
    this.states.push(state);
    while (this.states.length > 2 && state.t - this.states[0].t > 2500) this.states.shift();
  }

  applyPassage(passage, visible) {
    this.counts[passage.stage] = (this.counts[passage.stage] ?? 0) + 1;
    if (visible) this.latest.push(passage);
    if (this.latest.length > LATEST) this.latest.shift();
    if (this.follow && (passage.key === this.follow || passage.by?.endsWith(' ' + this.follow))) {
      this.trace.push(passage);
      if (this.trace.length > TRACE) this.trace.shift();
    }
  }

  followed(key) {
    this.follow = key;
    this.trace = this.latest.filter((passage) => passage.key === key || passage.by?.endsWith(' ' + key));
  }

  /** Returns how much a number grows in a second. */
  rate(read) {
    const [first, last] = [this.states[0], this.state];
    if (!first || first === last) return 0;
    return Math.max(0, ((read(last) - read(first)) / (last.t - first.t)) * 1000);
  }

  /** Returns depth, rate, state and last error of each box; empty lane or queue means all. */
  boxes(lane, queue) {
    const now = this.state;
    if (!now) return {};
    const lanes = (state) => state.informers.filter((informer) => !lane || informer.resource === lane);
    const queues = (state) => state.queues.filter((each) => !queue || each.name === queue);
    const handlers = (state) => lanes(state).flatMap((informer) => informer.handlers);
    const shown = lanes(now);
    const broken = shown.filter((informer) => informer.error);
    const watching = shown.filter((informer) => informer.state === 'watching').length;
    const waiting = handlers(now).filter((handler) => handler.pending > 0).sort((a, b) => b.pending - a.pending);
    const per = (read) => this.rate(read).toFixed(1);
    const failed = sum(handlers(now), (handler) => handler.failed);
    const recovers = handlers(this.states[0]).length && failed > sum(handlers(this.states[0]), (handler) => handler.failed);
    return {
      server: {
        rows: { 'requests/s': per((s) => s.client.requests), errors: now.client.errors, ...(now.clock ? { time: now.clock.slice(11, 19) } : {}) },
        error: this.rate((s) => s.client.errors) > 0 ? now.client.error : '',
      },
      transport: { rows: { watches: now.client.watches, 'events/s': per((s) => s.client.frames), events: now.client.frames } },
      reflector: {
        rows: {
          state: shown.length === 1 ? shown[0].state : `${watching} of ${shown.length} watch`,
          lists: sum(shown, (informer) => informer.lists),
          watches: sum(shown, (informer) => informer.watches),
          ...(shown.length === 1 ? { version: short(shown[0].received) } : {}),
        },
        error: broken.map((informer) => `${informer.resource}: ${informer.error}`).join('; '),
      },
      deltas: { rows: { queued: sum(shown, (informer) => informer.queued) }, depth: sum(shown, (informer) => informer.queued) },
      store: {
        rows: {
          objects: sum(shown, (informer) => informer.objects),
          ...(shown.length === 1 ? { version: short(shown[0].stored), synced: shown[0].synced ? 'yes' : 'no' } : { synced: `${shown.filter((i) => i.synced).length} of ${shown.length}` }),
        },
      },
      listeners: {
        rows: {
          handlers: handlers(now).length,
          pending: sum(handlers(now), (handler) => handler.pending),
          'calls/s': per((s) => sum(handlers(s), (handler) => handler.delivered)),
          failed,
          ...(waiting.length ? { longest: `${waiting[0].name} ${waiting[0].pending}` } : {}),
        },
        depth: sum(handlers(now), (handler) => handler.pending),
        error: recovers ? 'a handler throws exceptions' : '',
      },
      queue: {
        rows: {
          keys: sum(queues(now), (each) => each.depth),
          'adds/s': per((s) => sum(queues(s), (each) => each.adds)),
          delayed: sum(queues(now), (each) => each.retries),
        },
        depth: sum(queues(now), (each) => each.depth),
      },
      workers: {
        rows: {
          busy: sum(queues(now), (each) => each.busy),
          'syncs/s': per((s) => sum(queues(s), (each) => each.syncs)),
          syncs: sum(queues(now), (each) => each.syncs),
          expected: now.expectations.length ? sum(now.expectations, (e) => e.add + e.del) : 0,
        },
        depth: sum(queues(now), (each) => each.busy),
      },
      writes: { rows: { 'writes/s': per((s) => s.client.writes), writes: now.client.writes } },
    };
  }
}
