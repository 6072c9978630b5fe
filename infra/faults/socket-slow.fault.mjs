// Promise: browsers that do not read are cut off before they fill the memory, and others receive everything
// Breaks: browsers stop reading; after reconnecting they are up to date
// Gate: short form
import { readFileSync } from 'node:fs';
import { Browser, caughtUp, comparePage } from './lib/browser.mjs';
import { startProgram } from './lib/program.mjs';
import { Proxy } from './lib/proxy.mjs';
import { aProject, person, until } from './lib/studio.mjs';

/** Three bytes each: a comment's longest text makes messages of 30 kB. */
const LONG = '\u266a'.repeat(9_900);
const COMMENTS = 20;
const MEGABYTE = 1024 * 1024;
/** The send buffer limit of one socket plus its kernel buffers. */
const MOST_MB = 16;

const memory = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** A region with long comments, all of which are pushed again whenever it changes. */
async function heavyRegion(owner, { projectId, versionId }) {
  const { newRegion } = await owner.must('POST', '/api/regions', { projectId, submission: { versionId, start: 0.1, end: 0.9, tag: 'mix' } });
  for (let at = 0; at < COMMENTS; at += 1) {
    await owner.must('POST', '/api/comments', { projectId, submission: { content: LONG, taggedRegions: [{ _id: newRegion._id }] } });
  }
  return newRegion._id;
}

/** Changes the region until `isEnough` or `megabytes` were pushed. @returns the megabytes pushed to each socket */
async function changeRegion(owner, { projectId, regionId, megabytes, isEnough }) {
  let pushed = 0;
  for (let at = 0; pushed < megabytes && !isEnough(); at += 1) {
    await owner.must('PUT', `/api/regions/${regionId}`, { projectId, submission: { end: (500 + (at % 400)) / 1_000 } });
    pushed += (COMMENTS * LONG.length * 3) / MEGABYTE;
  }
  return pushed;
}

export const fault = {
  name: 'socket-slow',
  async run({ short, folder, print, wrong, count }) {
    const program = await startProgram({ folder, env: { LOG_LEVEL: 'info' } });
    const closed = () => program.output.split('socket closed: its send buffer is full').length - 1;
    const [owner, who] = [await person(program.url, 'Olga'), await person(program.url, 'Slavko')];
    const made = await aProject(owner, { collaborators: [who] });
    const { projectId } = made;
    const regionId = await heavyRegion(owner, made);
    const proxy = await Proxy.to(program.url);
    const slow = await Promise.all(
      Array.from({ length: short ? 2 : 10 }, (_, at) => new Browser(who, projectId, { wrong, url: proxy.url, name: `slow ${at}` }).open()),
    );
    const quick = await new Browser(owner, projectId, { wrong, name: 'quick' }).open();
    const before = memory(program);
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, memory(program))), 50);
    proxy.stall();
    const megabytes = await changeRegion(owner, { projectId, regionId, megabytes: 120, isEnough: () => closed() >= slow.length });
    await until('the slow sockets are cut off', () => closed() >= slow.length, 30_000).catch(() => undefined); // reported below
    clearInterval(watching);
    if (closed() !== slow.length) wrong(`${closed()} of ${slow.length} sockets that do not read were cut off after ${Math.round(megabytes)} MB each`);
    print(`${Math.round(megabytes)} MB pushed; memory ${Math.round(before)} MB before, ${Math.round(most)} MB at most`);
    if (most - before > 250 + slow.length * MOST_MB) wrong(`memory grew by ${Math.round(most - before)} MB`);
    const { headers } = await owner.insist('PUT', `/api/projects/${projectId}`, { submission: { description: 'the end' } });
    await caughtUp(quick, Number(headers['x-position']));
    await comparePage(quick, wrong);
    proxy.cut();
    for (const browser of slow) {
      await until(`${browser.name} notices`, () => !browser.socket.connected);
      await browser.connect();
      await comparePage(browser, wrong);
      browser.close();
    }
    count('sockets cut off', closed());
    quick.close();
    proxy.close();
    await program.stop();
  },
};
