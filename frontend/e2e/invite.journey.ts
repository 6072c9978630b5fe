import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { emailTo, linkedPath } from './support/outbox';
import { signIn } from './support/people';
import { playerOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';

const EMAIL = 'maren.holt@example.test';
const SUPPORT = 'help@example.test';
const PASSWORD = 'low-tide-77';
const SUBJECT = 'Your invite to Roughmix';

let server: RunningServer;
/** Pages of the person who asks for an invite, and of the operator. Neither has a session. */
let visitor: Page;
let operator: Page;

beforeAll(async () => {
  server = await startServer({ SUPPORT_EMAIL: SUPPORT });
  visitor = await (await openContext({ baseURL: server.address })).newPage();
  operator = await (await openContext({ baseURL: server.address })).newPage();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** Waits until React has taken over the HTML that the server sent. It marks the elements that it knows. */
const hydrated = (page: Page) => page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__reactProps')));

const scriptsOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [new URL(name).pathname] : [])));

test(
  'a visitor reads the terms and asks for an invite on the landing page',
  withScreenshots(async () => {
    await visitor.goto('/terms');
    await visitor.getByRole('heading', { level: 1, name: 'Terms of Use' }).waitFor();
    await hydrated(visitor);

    await visitor.goto('/');
    // The landing page loads its packages only once the visitor does something.
    expect((await scriptsOf(visitor)).filter((path) => path.includes('vendor'))).toEqual([]);
    await visitor.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Request Invite' }).click();
    const form = visitor.getByRole('dialog', { name: 'Request Invite' });
    await form.getByLabel('Email').fill(EMAIL);
    await form.getByRole('button', { name: 'Request Invite' }).click();
    await form.getByText('Request sent').waitFor();
    await hydrated(visitor);
    expect((await emailTo(server, SUPPORT, 'Invite request')).text).toContain(EMAIL);
  }),
);

test(
  'the operator accepts it with the secret key alone',
  withScreenshots(async () => {
    await operator.goto('/rwmsl9j7-register');
    await operator.getByLabel('Secret key').fill(await server.adminKey());
    await operator.getByRole('button', { name: 'Show invite requests' }).click();
    await operator.getByRole('button', { name: `Accept: ${EMAIL}` }).click();
    await operator.getByText('Account Created.').waitFor();
    expect((await emailTo(server, EMAIL, SUBJECT)).text).toContain(`${server.address.replace('127.0.0.1', 'localhost')}/invite/`);
  }),
);

test(
  'the e-mailed link leads to the welcome page, and its form to the projects and the tutorial',
  withScreenshots(async () => {
    await visitor.goto(linkedPath(await emailTo(server, EMAIL, SUBJECT)));
    await visitor.waitForURL('**/welcome');
    await visitor.getByLabel('First Name*').fill('Maren');
    await visitor.getByLabel('Last Name*').fill('Holt');
    await visitor.getByLabel('New Password*').fill(PASSWORD);
    await visitor.getByLabel('Confirm Password*').fill(PASSWORD);
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: await visitor.screenshot() };
    await visitor.getByRole('group', { name: 'Profile picture*', exact: true }).locator('input[type=file]').setInputFiles(picture);
    await visitor.getByRole('application', { name: 'Crop' }).waitFor();
    await visitor.getByRole('button', { name: 'Get Started' }).click();
    await visitor.getByRole('heading', { name: 'Welcome, Maren' }).waitFor();
    await visitor.getByRole('link', { name: 'Go to Projects' }).click();
    await visitor.waitForURL('**/projects');
    await visitor.getByRole('button', { name: 'Open the tutorial project' }).click();
    await playerOf(visitor).waitFor();
    expect(new URL(visitor.url()).pathname).toMatch(/^\/projects\/[\w-]+$/);
  }),
);

test(
  'the link works no longer, and the chosen password signs in',
  withScreenshots(async () => {
    await operator.goto(linkedPath(await emailTo(server, EMAIL, SUBJECT)));
    await operator.getByText('This link was used or is too old.').waitFor();
    await signIn(operator, server, { email: EMAIL, password: PASSWORD });
    expect(new URL(operator.url()).pathname).toBe('/projects');
  }),
);

test('no page logged an error to its console', () => {
  expect(consoleErrors(/ 410 \(Gone\) \/api\/auth\/invite\/[\w-]{43}$/)).toEqual([]);
});
