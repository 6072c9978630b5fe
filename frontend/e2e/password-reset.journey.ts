import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { emailTo, linkedPath } from './support/outbox';
import { addUser, openAs, type Person, signIn } from './support/people';
import { type RunningServer, startServer } from './support/server';

const CHOSEN = 'brushes-on-a-snare';

let server: RunningServer;
let ana: Person;
/** A browser in which the user is signed in. */
let elsewhere: Page;
/** The browser in which the password was forgotten. */
let page: Page;

beforeAll(async () => {
  server = await startServer();
  ana = await addUser(server, 'Ana', 'Reis');
  ({ page: elsewhere } = await openAs(server, ana));
  page = await (await openContext({ baseURL: server.address })).newPage();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

async function setPassword(password: string): Promise<void> {
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Set Password' }).click();
}

test(
  'a forgotten password is reset by the e-mailed link, once',
  withScreenshots(async () => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Reset Password' }).click();
    // The login page has a field of the same name.
    const form = page.getByRole('form', { name: 'Reset Password' });
    await form.getByRole('textbox', { name: 'Email' }).fill('nobody@example.test');
    await form.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('No user found with that email address').waitFor();
    await form.getByRole('textbox', { name: 'Email' }).fill(ana.email);
    await form.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('A link has been sent to the email provided').waitFor();

    const link = linkedPath(await emailTo(server, ana.email, 'Reset your password'));
    await page.goto(link);
    await setPassword('password');
    await page.getByText('This password is too common').waitFor();
    await setPassword(CHOSEN);
    await page.waitForURL((url) => url.pathname === '/login');
    await page.getByText('Your password was changed.').waitFor();
    await emailTo(server, ana.email, 'Your password was changed');

    const dialog = elsewhere.getByRole('dialog', { name: 'Log In' });
    await dialog.getByText(/^Your session has ended\./).waitFor();
    await signIn(page, server, { ...ana, password: CHOSEN });
    await emailTo(server, ana.email, 'New sign-in to Roughmix');

    await page.goto(link);
    await setPassword('rim-shots-at-dawn');
    await page.getByText('This link was used or is too old.').waitFor();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Request a new link' }).waitFor();
    expect(consoleErrors(/ (?:400|404|410) \(.*\) \/api\/auth\/passwordReset/, / 401 \(Unauthorized\) \/api\//)).toEqual([]);
  }),
);
