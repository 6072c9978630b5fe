import { mention } from '@roughmix/contracts/shared/mentions.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { addVersion, callApi, createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { commentsOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';

const title = 'Long Night';
let server: RunningServer;
let ana: Person;
let bob: Person;
let owner: Page;
/** Two tabs of Bob in different browsers. */
let here: Page;
let there: Page;
let projectId: string;
let commentId: string;

beforeAll(async () => {
  server = await startServer();
  [ana, bob] = [await addUser(server, 'Ana', 'Reis'), await addUser(server, 'Bob', 'Stone')];
  [{ page: owner }, { page: here }, { page: there }] = [await openAs(server, ana), await openAs(server, bob), await openAs(server, bob)];
  for (const page of [here, there]) await bellOf(page).getByText('unread', { exact: true }).waitFor();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const bellOf = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ });
const popIn = (page: Page, message: string): Locator => page.getByRole('group', { name: 'Notification' }).filter({ hasText: message });
const unreadOf = async (page: Page): Promise<number> => Number.parseInt((await bellOf(page).textContent()) || '0', 10) || 0;

/** Both browsers of Bob show it, here with a pop-in that is dismissed, which is the same there. */
async function arrives(message: string): Promise<void> {
  await popIn(here, message).waitFor();
  await popIn(there, message).waitFor();
  // The welcome card is unread all the time.
  await eventually(async () => expect([await unreadOf(here), await unreadOf(there)]).toEqual([2, 2]));
  await popIn(here, message).getByRole('button', { name: 'Dismiss' }).click();
  await eventually(async () => expect([await unreadOf(here), await unreadOf(there)]).toEqual([1, 1]));
  await popIn(there, message).getByRole('button', { name: 'Dismiss' }).click();
}

const say = (content: string, path = '/api/comments') => callApi<{ newComment: { _id: string } }>(owner, 'POST', path, { projectId, submission: { content } });

test(
  'an invitation, a version, a comment, a reply and a mention arrive in two browsers, each as a pop-in, and reading in one reads in the other',
  withScreenshots(async () => {
    const project = await createProject(owner, { title, song: generatedWav('long night.wav', 3), invited: [{ person: bob, level: 3 }] });
    projectId = project._id;
    await arrives(`Ana Reis invited you to ${title}`);
    await addVersion(owner, projectId, generatedWav('More bass', 3));
    await arrives(`Ana Reis added version 1.1 to ${title}: More bass`);
    ({
      newComment: { _id: commentId },
    } = await say('The intro drags.'));
    await arrives(`Ana Reis commented on ${title}: The intro drags.`);
    const own = await callApi<{ newComment: { _id: string } }>(here, 'POST', '/api/comments', { projectId, submission: { content: 'I like it.' } });
    await say('Then it stays.', `/api/comments/${own.newComment._id}/reply`);
    await arrives(`Ana Reis replied to your comment in ${title}: Then it stays.`);
    await say(`Can you mix it, ${mention(bob.username)}?`);
    await arrives(`Ana Reis mentioned you in ${title}: Can you mix it, @${bob.username}?`);
    expect(await here.getByRole('group', { name: 'Notification' }).count()).toBe(0);
  }),
);

test(
  'the list has all five by project, leads to the comment, also on the open page, and can be dismissed at once',
  withScreenshots(async () => {
    await bellOf(here).click();
    const list = here.getByRole('dialog', { name: 'Notifications' });
    await eventually(async () =>
      expect((await list.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
        `Ana Reis mentioned you in ${title}: Can you mix it, @${bob.username}?`,
        `Ana Reis replied to your comment in ${title}: Then it stays.`,
        `Ana Reis commented on ${title}: The intro drags.`,
        `Ana Reis added version 1.1 to ${title}: More bass`,
        `Ana Reis invited you to ${title}`,
      ]),
    );
    await list.getByRole('link', { name: /The intro drags/ }).click();
    await here.waitForURL((url) => url.pathname.endsWith(`/projects/${projectId}`) && url.searchParams.get('comment') === commentId);
    await commentsOf(here).filter({ hasText: 'The intro drags.' }).first().waitFor();
    await say('And the outro, too.');
    await commentsOf(here).filter({ hasText: 'And the outro, too.' }).first().waitFor();
    expect(await popIn(here, 'And the outro, too.').count()).toBe(0);
    await bellOf(here).click();
    await list.getByRole('button', { name: 'Dismiss All' }).click();
    await list.getByText('No new notifications').waitFor();
    // The welcome card stays.
    await eventually(async () => expect(await unreadOf(there)).toBe(1));
  }),
);

test('no page logged an error', () => expect(consoleErrors()).toEqual([]));
