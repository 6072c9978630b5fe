import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { accessibilityViolations } from './support/accessibility';
import { callApi, createProject } from './support/api';
import { closeBrowser } from './support/browser';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { type RunningServer, startServer } from './support/server';

let server: RunningServer;
let owner: Page;
let collaborator: Page;
let projectId: string;
let cora: Person;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  cora = await addUser(server, 'Cora', 'Bell');
  [owner, collaborator] = (await Promise.all([ana, cora].map(async (person) => (await openAs(server, person)).page))) as [Page, Page];
  ({ _id: projectId } = await createProject(owner, { title: 'Two Pens', song: generatedWav('two pens.wav', 3) }));
  await callApi(owner, 'PUT', PROJECT_PATHS.invite(ana.uid, projectId), { invitedUsers: [`${cora.uid}-3`], writeAccess: true });
  await callApi(owner, 'PUT', PROJECT_PATHS.edit(projectId), { submission: { owner: { notes: { public: 'Tuning: DADGAD' } } } });
  await Promise.all([owner.goto(`/projects/${projectId}?tab=notes`), collaborator.goto(`/ana-reis/projects/${projectId}?tab=notes`)]);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const publicNote = (page: Page) => page.getByRole('textbox', { name: 'Public note' });
const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
const expectNote = (page: Page, text: string) => eventually(async () => expect(await publicNote(page).inputValue()).toBe(text));

test(
  'two people write one note at once, and both keep their words and their place',
  withScreenshots(async () => {
    await publicNote(collaborator).press('Control+End');
    await publicNote(collaborator).pressSequentially(', capo 2');
    await publicNote(owner).press('Control+Home');
    await publicNote(owner).pressSequentially('Guitar. ');
    await Promise.all([owner, collaborator].map((page) => expectNote(page, 'Guitar. Tuning: DADGAD, capo 2')));
    // The carets stayed where they were.
    await publicNote(collaborator).pressSequentially('!');
    await publicNote(owner).pressSequentially('One ');
    await Promise.all([owner, collaborator].map((page) => expectNote(page, 'Guitar. One Tuning: DADGAD, capo 2!')));
  }),
);

test(
  'what could not be saved survives a reload, and a conflict loses neither text',
  withScreenshots(async () => {
    await collaborator.route('**/api/projects/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await publicNote(collaborator).fill('Guitar. One Tuning: open D, capo 2!');
    await collaborator.getByText('Not saved yet').waitFor();
    await publicNote(owner).fill('Guitar. One Tuning: open G, capo 2!');
    await isSaved(owner);
    collaborator.once('dialog', (question) => void question.accept());
    await collaborator.reload();
    await expectNote(collaborator, 'Guitar. One Tuning: open D, capo 2!');
    await collaborator.unroute('**/api/projects/*');
    await collaborator.getByText('Someone else changed the same part.').waitFor();
    expect(await collaborator.getByRole('textbox', { name: 'The saved text' }).inputValue()).toBe('Guitar. One Tuning: open G, capo 2!');
    expect(await accessibilityViolations(collaborator)).toEqual([]);
    await collaborator.getByRole('button', { name: 'Save your text' }).click();
    await expectNote(owner, 'Guitar. One Tuning: open D, capo 2!');
  }),
);

test(
  'the private note is saved when the tab is left, and is the owner’s alone',
  withScreenshots(async () => {
    await owner.getByRole('radio', { name: 'Private' }).check();
    await owner.getByRole('textbox', { name: 'Private note' }).fill('Ask Cora to sing');
    await owner.getByRole('tab', { name: 'Comments' }).click();
    await owner.getByRole('tab', { name: 'Notes' }).click();
    await owner.getByRole('radio', { name: 'Private' }).check();
    await isSaved(owner);
    expect(await collaborator.getByRole('radio', { name: 'Private' }).count()).toBe(0);
    expect(await collaborator.getByText('Ask Cora to sing').count()).toBe(0);
  }),
);

test(
  'a reminder reaches its author and those it mentions wherever they are in the project, and leads to the todo',
  withScreenshots(async () => {
    const dueDate = Date.now() + 2_500;
    const submission = { content: `Print the stems, ${mention(cora.username)}`, dueDate, reminder: { 'When Todo is due': dueDate } };
    await callApi(owner, 'POST', TODO_PATHS.add, { projectId, submission });
    const reminder = (page: Page) => page.getByRole('listitem').filter({ hasText: `Due now: Print the stems, @${cora.username}` });
    const popIn = (page: Page) =>
      page.getByRole('group', { name: 'Notification' }).filter({ hasText: `Due now: Print the stems, @${cora.username} (Two Pens)` });
    await Promise.all([owner, collaborator].flatMap((page) => [reminder(page).waitFor(), popIn(page).waitFor()]));
    await reminder(collaborator).getByRole('button', { name: 'Show' }).click();
    await eventually(async () => expect(await collaborator.locator(':focus').textContent()).toContain('Print the stems'));
    expect(await collaborator.getByRole('tab', { name: 'Todos', selected: true }).count()).toBe(1);
  }),
);
