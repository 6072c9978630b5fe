// Promise: browsers that come back receive each missed message once, in order
// Breaks: connections are lost at random moments under load, even within messages
// Gate: backend/src/platform/live/coming-back.live.spec.ts "delivers the missed pushes in order and once, before newer ones"
// Gate: backend/src/restart.api.spec.ts "a reconnected socket receives what it missed while the server was down"
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, caughtUp, compareReceived, comparePage } from './lib/browser.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { Proxy } from './lib/proxy.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { person, until } from './lib/studio.mjs';
import { Band } from './lib/work.mjs';

const LONGER_THAN_ALLOWED = 70_000;

/** Ways to lose a connection. */
const LOSSES = {
  'the page drops it': ({ browser }) => browser.drop(),
  'it breaks between two bytes': ({ proxy, random }) => proxy.cutAfter(between(random, 1, 6_000)),
  'it breaks at once': ({ proxy }) => proxy.cut(),
  'nothing comes through': async ({ proxy, random }) => {
    proxy.freeze();
    await pause(between(random, 50, 800));
    proxy.cut();
  },
  'the server ends it': ({ browser }) => browser.socket.emit('login', 'x'.repeat(LONGER_THAN_ALLOWED)),
};

/** Browsers on the projects, each through a proxy, and for each a witness in the same room that never disconnects. */
async function audience({ program, band, wrong }) {
  const visitor = await person(program.url, 'Visitor');
  const seats = [];
  for (const [at, { projectId, writers }] of band.projects.entries()) {
    await writers[0].must('PUT', `/api/projects/${projectId}`, { submission: { visibility: 'public' } });
    for (const who of at === 0 ? [...writers, visitor] : [writers[1]]) {
      const proxy = await Proxy.to(program.url);
      const witness = await new Browser(who, projectId, { wrong, name: `witness ${who.username}` }).open();
      const browser = await new Browser(who, projectId, { wrong, url: proxy.url }).open();
      seats.push({ proxy, witness, browser });
    }
  }
  return seats;
}

/** Repeatedly loses the connection and reconnects. */
async function comeAndGo({ proxy, browser }, { random, until: end, longest, count }) {
  while (Date.now() < end) {
    await pause(between(random, 20, 700));
    const how = oneOf(random, Object.keys(LOSSES));
    await LOSSES[how]({ proxy, browser, random });
    await until(`${browser.name} is cut off`, () => !browser.isIn, 2_000).catch(() => proxy.cut());
    await pause(between(random, 0, longest));
    await browser.connect();
    browser.comebacks += 1;
    count(`lost: ${how}`);
  }
}

/** Sends commands at a constant rate until the signal. @returns how many */
async function load(band, { random, ledger, perSecond, signal }) {
  const sent = [];
  for (let at = performance.now(); !signal.aborted; at += 1_000 / perSecond) {
    await pause(Math.max(0, at - performance.now()));
    sent.push(band.command(random, ledger));
  }
  await Promise.all(sent);
  return sent.length;
}

/** One event that causes many messages at one position: a change of a region with comments and todos. */
async function together(band, { signal }) {
  const [{ projectId, versionId, writers }] = band.projects;
  const [owner] = writers;
  const { newRegion } = await owner.must('POST', '/api/regions', { projectId, submission: { versionId, start: 0.1, end: 0.9, tag: 'mix' } });
  band.together = newRegion._id;
  for (let at = 0; at < 8; at += 1) {
    await owner.must('POST', at % 2 === 0 ? '/api/comments' : '/api/todos', {
      projectId,
      submission: { content: `here ${at}`, taggedRegions: [{ _id: newRegion._id }] },
    });
  }
  for (let at = 0; !signal.aborted; at += 1) {
    await owner.call('PUT', `/api/regions/${newRegion._id}`, { projectId, submission: { end: (500 + (at % 400)) / 1_000 } });
    await pause(60);
  }
  return 0;
}

/** The messages of each of these positions must be complete. */
function compareTogether(browser, witness, regionId, wrong) {
  const at = new Set(witness.handled.filter(({ body }) => body.view?._id === regionId && body.type === 'RegionEdited').map(({ body }) => body.position));
  const received = new Set(browser.handled.map(({ body }) => `${body.position} ${body.view?._id}`));
  const missing = witness.handled.filter(({ body }) => at.has(body.position) && !received.has(`${body.position} ${body.view?._id}`));
  if (missing.length > 0)
    wrong(`${browser.name} missed ${missing.length} messages, as ${missing[0].body.type} at ${missing[0].body.position}, of positions with several messages`);
}

/** A final change in each project; a browser that received it has received everything. */
async function ends(band) {
  const positions = new Map();
  for (const { projectId, writers } of band.projects) {
    const { headers } = await writers[0].insist('PUT', `/api/projects/${projectId}`, { submission: { description: 'the end' } });
    positions.set(projectId, Number(headers['x-position']));
  }
  return positions;
}

async function compare(seats, band, { wrong, count }) {
  const end = await ends(band);
  for (const { browser, witness } of seats) {
    for (const each of [browser, witness]) await caughtUp(each, end.get(browser.projectId));
    if (browser.reloads === 0) {
      compareReceived(browser, witness, wrong);
      compareTogether(browser, witness, band.together, wrong);
    }
    for (const each of [browser, witness]) await comparePage(each, wrong);
    if (witness.repeats > 0) wrong(`${witness.name} was always connected and received ${witness.repeats} messages twice`);
    count('comebacks', browser.comebacks);
    count('messages handled', browser.handled.length);
    count('repeated messages ignored by the page', browser.repeats);
    count('told to reload', browser.reloads);
  }
}

/** After more than 500 missed changes the browser gets only a reload. */
async function longAway({ browser, proxy }, { ledger, wrong }) {
  proxy.cut();
  browser.socket.disconnect();
  const [handled, reloads] = [browser.handled.length, browser.reloads];
  const edit = (at) =>
    ledger.send(browser.who, { method: 'PUT', path: `/api/projects/${browser.projectId}`, body: { submission: { description: `Words ${at}` } } });
  for (let at = 0; at < 510; at += 34) await Promise.all(Array.from({ length: 34 }, (_, nth) => edit(at + nth)));
  const before = browser.state;
  await browser.connect();
  if (browser.reloads !== reloads + 1 || browser.state === before) wrong('a browser that missed more than 500 changes did not reload');
  const stale = browser.handled.slice(handled).filter(({ body }) => body.position <= browser.after - 400);
  if (stale.length > 0) wrong(`a browser that reloaded received ${stale.length} old messages`);
}

/** After a minute away from a slowly changing project, every missed message arrives. */
async function minute({ program, band, wrong, count, until: end }) {
  const { projectId, writers } = band.projects[1];
  const [who] = writers;
  const witness = await new Browser(who, projectId, { wrong, name: 'witness of the minute' }).open();
  const browser = await new Browser(who, projectId, { wrong, name: 'a minute away', url: program.url }).open();
  browser.drop();
  await pause(end - Date.now());
  return async () => {
    await browser.connect();
    await caughtUp(browser, (await ends(band)).get(projectId));
    if (browser.reloads > 0) wrong('a browser away for a minute had to reload');
    compareReceived(browser, witness, wrong);
    await comparePage(browser, wrong);
    count('missed in a minute', witness.handled.length);
  };
}

export const fault = {
  name: 'away',
  async run({ random, short, folder, print, wrong, count }) {
    const program = await startProgram({ folder });
    const ledger = new Ledger({ isPatient: true });
    const band = await Band.form(program, { size: 2 });
    const slow = await Band.form({ url: program.url }, { size: 2, prefix: 'Slow' });
    const seats = await audience({ program, band, wrong });
    const stop = new AbortController();
    const loads = [
      load(band, { random, ledger, perSecond: 80, signal: stop.signal }),
      load(slow, { random, ledger, perSecond: 4, signal: stop.signal }),
      together(band, { signal: stop.signal }),
    ];
    const end = Date.now() + (short ? 4_000 : 62_000);
    const coming = short ? null : minute({ program, band: slow, wrong, count, until: end });
    let back = null;
    try {
      await Promise.all(seats.map((seat) => comeAndGo(seat, { random, until: end, longest: 1_500, count })));
      back = await coming;
      if (!short) await longAway(seats[0], { ledger, wrong });
    } finally {
      stop.abort();
    }
    const sent = (await Promise.all(loads)).reduce((sum, each) => sum + each, 0);
    print(
      `${sent} commands sent at a constant rate, ${ledger.acknowledged.size} acknowledged in all, ${ledger.deferred.size} sent again; ${seats.length} browsers`,
    );
    await back?.();
    await compare(seats, band, { wrong, count });
    for (const { browser, witness, proxy } of seats) for (const each of [browser, witness, proxy]) each.close();
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
  },
};
