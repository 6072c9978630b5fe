// Promise: every acknowledged mention is pushed, and a message that is sent again has the same tag
// Breaks: kills of the program while a push service is busy, down or silent
// Gate: backend/src/push/push-delivery.spec.ts "is sent once, however often it is queued"
// Gate: backend/src/push/push-delivery.spec.ts "that its push service cannot take is tried again after ten seconds, a minute and five minutes, then given up"
import { setTimeout as pause } from 'node:timers/promises';
import { PushService } from '../../backend/dist/testing/push-service.js';
import { startProgram } from './lib/program.mjs';
import { loading } from './lib/read-models.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { aProject, person, until } from './lib/studio.mjs';

const PATH = '/planted-endpoint';
/** What the push service answers to the first attempt of a message; null: nothing. */
const FIRST = [201, 201, 429, 503, null];
/** Longer than the wait after the first and the second attempt together, so that every message is due. */
const LATER_MS = 2 * 60_000;

/** Every message that the push service has accepted, by the comment that it is about: how often, and under which tags. */
class Accepted {
  byComment = new Map();
  #tried = new Set();

  constructor(service, random) {
    service.answer = () => {
      const { href, tag } = service.read(service.received.at(-1));
      const status = this.#tried.has(tag) ? 201 : oneOf(random, FIRST);
      this.#tried.add(tag);
      if (status === 201) this.#accept(new URL(href, 'http://here').searchParams.get('comment'), tag);
      return status === null ? null : { status };
    };
  }

  #accept(commentId, tag) {
    const before = this.byComment.get(commentId) ?? { times: 0, tags: new Set() };
    this.byComment.set(commentId, { times: before.times + 1, tags: before.tags.add(tag) });
  }
}

/** Mentions Bob until the end. @returns the ids of the acknowledged comments */
async function mention({ ana, bob, projectId, end }) {
  const acknowledged = [];
  while (Date.now() < end) {
    const { status, body } = await ana.call('POST', '/api/comments', { projectId, submission: { content: `Listen %MENTION_${bob.username}_END%` } });
    if (status === 201) acknowledged.push(body.newComment._id);
    await pause(status === 201 ? 40 : 100);
  }
  return acknowledged;
}

function compare(acknowledged, { byComment }, { wrong, count }) {
  for (const id of acknowledged) if (!byComment.has(id)) wrong(`the mention in ${id} was acknowledged and never pushed`);
  for (const [id, { tags }] of byComment) if (tags.size > 1) wrong(`the mention in ${id} was pushed under ${tags.size} tags`);
  count('mentions', acknowledged.length);
  count('messages accepted more than once', [...byComment.values()].filter(({ times }) => times > 1).length);
}

export const fault = {
  name: 'push',
  async run({ random, short, folder, wrong, count }) {
    const service = await PushService.start();
    const accepted = new Accepted(service, random);
    const options = { folder, env: { OUTBOUND_ALLOW: service.host } };
    let program = await startProgram(options);
    const [ana, bob] = [await person(program.url, 'Ana'), await person(program.url, 'Bob')];
    const { projectId } = await aProject(ana, { collaborators: [bob] });
    await bob.must('POST', '/api/push/subscriptions', service.browser(PATH));
    const end = Date.now() + (short ? 4_000 : 40_000);
    const writing = mention({ ana, bob, projectId, end });
    let { output } = program;
    while (Date.now() < end) {
      await pause(between(random, 300, short ? 900 : 2_500));
      await program.kill();
      output += program.output;
      program = await startProgram({ ...options, port: program.port });
      count('kills of the program');
    }
    const acknowledged = await writing;
    await program.kill();
    program = await startProgram({ ...options, nodeArgs: loading('clock-ahead.mjs'), env: { ...options.env, CLOCK_AHEAD_MS: String(LATER_MS) } });
    await until('every mention is pushed', async () => acknowledged.every((id) => accepted.byComment.has(id))).catch(() => undefined);
    compare(acknowledged, accepted, { wrong, count });
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
    if (`${output}${program.output}`.includes(PATH)) wrong('the output of the program contains the path of an endpoint');
    await service.stop();
  },
};
