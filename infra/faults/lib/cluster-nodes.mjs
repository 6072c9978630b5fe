import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
/** Longer than any election of the double. */
const LED_MS = 30_000;

/** The nodes of EventStoreDB's double, which its switches kill, freeze and cut off one by one. */
export class ClusterNodes {
  #control;

  /** @param {{ EVENTSTORE_CONTROL_URL: string }} env */
  constructor({ EVENTSTORE_CONTROL_URL }) {
    this.#control = EVENTSTORE_CONTROL_URL;
  }

  /** Turns a switch of the double, such as `kill-node?n=1`. @throws when it refuses */
  async turn(asked) {
    const answer = await fetch(`${this.#control}/${asked}`, { method: 'POST' });
    if (!answer.ok) throw new Error(`${asked}: ${answer.status} ${await answer.text()}`);
  }

  async turnAll(name) {
    for (const { n } of await this.all()) await this.turn(`${name}?n=${n}`);
  }

  /** @returns {Promise<readonly { n: number, port: number, state: string, isDown: boolean, isSilent: boolean, isCut: boolean }[]>} */
  async all() {
    const { nodes } = await (await fetch(this.#control)).json();
    return nodes;
  }

  /** The node that leads the others; undefined if none does. */
  async leader() {
    return (await this.all()).find(({ state, isDown, isSilent, isCut }) => state === 'leader' && !isDown && !isSilent && !isCut);
  }

  async follower() {
    return (await this.all()).find(({ state }) => state === 'follower');
  }

  /** Waits until a node leads. @returns the milliseconds it took. @throws if none does */
  async untilLed() {
    const from = performance.now();
    while ((await this.leader()) === undefined) {
      if (performance.now() - from > LED_MS) throw new Error('no node of EventStoreDB leads');
      await pause(POLL_MS);
    }
    return performance.now() - from;
  }
}
