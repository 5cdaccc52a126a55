// The stream, the recording of the last minute, and the position from which the page plays. Times are milliseconds of the server's view.

import { withKey } from './words.js';

const MINUTE = 60_000;

export class Recording {
  /**
   * @param onMessage called with each message that is played, in order
   * @param onReset called before the messages of a rewound position are played
   */
  constructor(onMessage, onReset) {
    this.onMessage = onMessage;
    this.onReset = onReset;
    this.messages = [];
    this.next = 0; // the first message that has not been played
    this.old = 0; // the first message of the last minute
    this.mode = 'live'; // live, slow, paused
    this.position = 0;
    this.end = 0;
  }

  /** Connects, or connects again with other objects to follow. The earlier stream is used until the new one delivers. */
  connect(follow, onState) {
    const source = new EventSource(withKey('live/stream?follow=' + encodeURIComponent(follow)));
    source.addEventListener('stages', (event) => {
      if (this.source !== source) this.source?.close();
      this.source = source;
      const data = JSON.parse(event.data);
      this.add({ t: data.t, stages: data });
      onState(true);
    });
    source.addEventListener('passages', (event) => {
      for (const passage of JSON.parse(event.data)) this.add({ t: passage.t, passage });
    });
    source.onerror = () => onState(false);
  }

  add(message) {
    if (message.t < this.end - MINUTE) this.restart(); // another server
    this.messages.push(message);
    this.end = Math.max(this.end, message.t);
    while (this.messages[this.old].t < this.end - MINUTE) this.old++;
    if (this.old > 500 && this.old > this.messages.length / 4) {
      this.messages.splice(0, this.old);
      this.next = Math.max(0, this.next - this.old);
      this.old = 0;
    }
  }

  restart() {
    this.messages = [];
    this.next = 0;
    this.old = 0;
    this.end = 0;
    this.position = 0;
    this.onReset();
  }

  /** Returns how far the position is behind the present, in seconds. */
  behind() {
    return Math.max(0, (this.end - this.position) / 1000);
  }

  /** Plays what the passed real time makes due. */
  play(millis) {
    if (this.mode === 'live') {
      this.position = this.end;
    } else if (this.mode === 'slow') {
      this.position = Math.min(this.end, this.position + millis / 10);
    }
    while (this.next < this.messages.length && this.messages[this.next].t <= this.position) {
      this.onMessage(this.messages[this.next++]);
    }
  }

  /** Plays up to the next passage. Returns whether there was one. */
  step() {
    while (this.next < this.messages.length) {
      const message = this.messages[this.next++];
      this.position = Math.max(this.position, message.t);
      this.onMessage(message);
      if (message.passage && message.passage.kind !== 'returned') return true;
    }
    return false;
  }

  /** Stops at a position of the last minute, in seconds before the present, and shows what was there. */
  rewind(seconds) {
    this.mode = 'paused';
    const oldest = this.messages.find((message) => message.stages)?.t ?? this.end; // the page may be younger than a minute
    this.position = Math.max(oldest, this.end - seconds * 1000);
    const at = this.messages.findIndex((message) => message.t > this.position);
    this.next = at < 0 ? this.messages.length : at;
    this.onReset();
    const before = this.messages.slice(0, this.next);
    const states = before.filter((message) => message.stages).slice(-12);
    const passages = before.filter((message) => message.passage).slice(-80);
    [...states, ...passages].sort((a, b) => a.t - b.t).forEach((message) => this.onMessage(message));
  }
}
