import { mention } from '@roughmix/contracts/shared/mentions.js';
import type { PushPayload } from '@roughmix/contracts/push/push.view.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type LoopbackCertificate, loopbackCertificate } from '../../backend/src/testing/loopback-certificate';
import { PushService } from '../../backend/src/testing/push-service';
import { callApi, createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs, type Person, signIn } from './support/people';
import { commentsOf } from './support/project-page';
import { DrivenWorker, givePushService, isSubscribed } from './support/push-browser';
import { type RunningServer, startServer } from './support/server';

const title = 'Long Night';
let certificate: LoopbackCertificate;
let service: PushService;
let server: RunningServer;
let bob: Person;
let owner: Page;
/** Bob's tab, which is never loaded again. */
let tab: Page;
let worker: DrivenWorker;
let projectId: string;

beforeAll(async () => {
  certificate = await loopbackCertificate();
  service = await PushService.start(certificate);
  server = await startServer({ OUTBOUND_ALLOW: service.host, NODE_EXTRA_CA_CERTS: certificate.file });
  const [ana, other] = await Promise.all([addUser(server, 'Ana', 'Reis'), addUser(server, 'Bob', 'Stone')]);
  bob = other;
  [owner, tab] = await Promise.all([openOwner(ana), openTab()]);
});

async function openOwner(ana: Person): Promise<Page> {
  const { page } = await openAs(server, ana);
  ({ _id: projectId } = await createProject(page, { title, song: generatedWav('long night.wav', 3), invited: [{ person: bob, level: 3 }] }));
  return page;
}

async function openTab(): Promise<Page> {
  const context = await openContext({ baseURL: server.address, serviceWorkers: 'allow' });
  await givePushService(context, service.browser('/first'));
  const page = await context.newPage();
  await signIn(page, server, bob);
  return page;
}

afterAll(async () => {
  await closeBrowser();
  await server.stop();
  await service.stop();
  await certificate.remove();
});

const mentionBob = (text: string) =>
  callApi<{ newComment: { _id: string } }>(owner, 'POST', '/api/comments', { projectId, submission: { content: `${text} ${mention(bob.username)}` } });

/** The push message about a comment, as the browser reads it. */
async function arrivesAt(path: string): Promise<PushPayload> {
  const received = (await service.messages(path, 1)).at(-1);
  if (received === undefined) throw new Error(`nothing was received at ${path}`);
  return service.read<PushPayload>(received);
}

test(
  'push notifications are turned on in the settings, a mention arrives encrypted and is shown, and a click opens the comment in the open tab',
  withScreenshots(async () => {
    await tab.goto('/projects?settings=notifications');
    const here = tab.getByRole('group', { name: 'On this browser' });
    await here.getByRole('button', { name: 'Turn on' }).click();
    await here.getByText('On, also while Roughmix is closed, until you sign out.').waitFor();
    await tab.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Done' }).click();
    worker = await DrivenWorker.of(tab);
    await tab.evaluate(() => Object.assign(window, { isSamePage: true }));

    const { newComment } = await mentionBob('The intro drags,');
    const payload = await arrivesAt('/first');
    const href = `/ana-reis/projects/${projectId}?comment=${newComment._id}`;
    const { body, icon, tag } = payload;
    expect(payload).toEqual({
      title: 'Roughmix',
      body: `Ana Reis mentioned you in ${title}: The intro drags, @${bob.username}`,
      icon: '/site/icon-192.png',
      href,
      tag: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const picture = await fetch(new URL(icon, server.address));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);

    await worker.push(server.address, JSON.stringify(payload));
    await eventually(async () => expect((await worker.acts()).shown).toEqual([{ title: 'Roughmix', body, icon, tag, data: href }]));
    await worker.click();
    await tab.waitForURL((url) => `${url.pathname}${url.search}` === href);
    await commentsOf(tab).filter({ hasText: 'The intro drags,' }).first().waitFor();
    await eventually(async () => expect((await worker.acts()).focused).toHaveLength(1));
    expect([(await worker.acts()).opened, await tab.evaluate(() => 'isSamePage' in window)]).toEqual([[], true]);
  }),
);

test(
  'a subscription that the browser replaces goes on, and with no open tab a click opens a window',
  withScreenshots(async () => {
    await worker.replaceSubscription(service.browser('/second'));
    // The worker tells the server beside this.
    await eventually(async () => {
      await mentionBob('Once more,');
      expect(service.received.some(({ path }) => path === '/second')).toBe(true);
    });
    const payload = await arrivesAt('/second');
    await tab.goto('/docs');
    await worker.push(server.address, JSON.stringify(payload));
    await eventually(async () => expect((await worker.acts()).shown).toHaveLength(2));
    await worker.click();
    await eventually(async () => expect((await worker.acts()).opened).toEqual([payload.href]));
  }),
);

test(
  'signing out ends the subscription',
  withScreenshots(async () => {
    await tab.goto('/projects');
    expect(await isSubscribed(tab)).toBe(true);
    await tab.getByRole('button', { name: /^Account menu/ }).click();
    await tab.getByRole('menuitem', { name: 'Sign Out' }).click();
    await tab.waitForURL((url) => url.pathname === '/login');
    expect(await isSubscribed(tab)).toBe(false);
  }),
);

// A page that has just got its worker preloads a script that the worker answers, about which Chromium warns.
test('no page logged an error', () => expect(consoleErrors().filter((line) => !line.startsWith('warning: A preload'))).toEqual([]));
