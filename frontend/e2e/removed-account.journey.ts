import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { versionUrl } from '@roughmix/contracts/versions/version.view.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createProject } from './support/api';
import { generatedWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { expectComments, openComments, playerOf, sendComment } from './support/project-page';
import { type RunningServer, startServer } from './support/server';

let server: RunningServer;
let zora: Person;
/** Pages of the person who is removed: two in one browser, one in another. */
let projectPage: Page;
let listPage: Page;
let elsewhere: Page;
/** The page of a collaborator. */
let ana: Page;
let project: ProjectView;

beforeAll(async () => {
  server = await startServer();
  const reis = await addUser(server, 'Ana', 'Reis');
  zora = await addUser(server, 'Zora', 'Quill');
  const [first, second, third] = await Promise.all([openAs(server, zora), openAs(server, zora), openAs(server, reis)]);
  ({ page: projectPage } = first);
  ({ page: elsewhere } = second);
  ({ page: ana } = third);
  project = await createProject(projectPage, {
    title: 'Shared tide',
    song: generatedWav('tide.wav', 6),
    invited: [{ person: reis, level: 3 }],
  });
  listPage = await first.context.newPage();
  await listPage.goto('/projects');
  await listPage.getByRole('link', { name: /^Shared tide/ }).waitFor();
  await Promise.all([projectPage.goto(`/projects/${project._id}?tab=comments`), ana.goto(`/zora-quill/projects/${project._id}?tab=comments`)]);
  await Promise.all([projectPage, ana].map((page) => playerOf(page).waitFor()));
  await sendComment(projectPage, 'Louder, please');
  await Promise.all([projectPage, ana].map((page) => expectComments(page, ['Louder, please'])));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

test(
  'the operator sees who is meant, and removes the account',
  withScreenshots(async () => {
    const operator = await (await openContext({ baseURL: server.address })).newPage();
    await operator.goto('/rwmsl9j7-register');
    await operator.getByLabel('Secret key').fill(await server.adminKey());
    await operator.getByLabel('User id or email').fill(zora.email);
    await operator.getByRole('button', { name: 'Remove User' }).click();
    const question = operator.getByRole('alertdialog', { name: 'Remove Zora Quill?' });
    await question.getByText(zora.email).waitFor();
    await question.getByRole('button', { name: 'Remove User' }).click();
    await operator.getByText('Delete Confirmed').waitFor();
    expect(await operator.getByLabel('User id or email').inputValue()).toBe('');
  }),
);

test(
  'every open page of the account says that its session has ended, and reads nothing more',
  withScreenshots(async () => {
    const pages = [projectPage, listPage, elsewhere];
    await Promise.all(
      pages.map((page) =>
        page
          .getByRole('dialog', { name: 'Log In' })
          .getByText(/^Your session has ended\./)
          .waitFor(),
      ),
    );
    await sendComment(ana, 'Without you');
    await expectComments(ana, ['Without you', 'Louder, please']);
    await expectComments(projectPage, ['Louder, please']);
    const paths = ['/api/auth/session', PROJECT_PATHS.page(project._id, zora.uid), PROJECT_PATHS.list(zora.uid), ...project.versionIds.map(versionUrl)];
    const answers = await Promise.all(paths.flatMap((path) => pages.map((page) => page.request.get(path))));
    expect(answers.map((answer) => answer.status())).toEqual(answers.map(() => 401));

    await projectPage.keyboard.press('Escape');
    await projectPage.waitForURL((url) => url.pathname === '/login');
    const dialog = elsewhere.getByRole('dialog', { name: 'Log In' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(zora.password);
    await dialog.getByRole('button', { name: 'Log In', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await elsewhere.reload();
    await elsewhere.waitForURL((url) => url.pathname === '/login');
  }),
);

test(
  'the project stays with its other member, who reads a removed user instead of the name',
  withScreenshots(async () => {
    await ana.goto('/projects');
    await ana.getByRole('link', { name: /^Shared tide/ }).click();
    await playerOf(ana).waitFor();
    await openComments(ana);
    await expectComments(ana, ['Without you', 'Louder, please']);
    await ana.getByRole('article', { name: /\[removed user\]/ }).waitFor();
    expect(await ana.getByText('Zora').count()).toBe(0);
  }),
);

test('no page logged an error to its console', () => {
  expect(consoleErrors(/ 401 \(Unauthorized\) \/api\/auth\/login$/)).toEqual([]);
});
