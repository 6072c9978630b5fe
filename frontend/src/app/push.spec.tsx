import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { setPushOwner } from '../features/push/push-owner';
import { selfCalled } from '../testing/people-and-projects';
import { openPage } from '../testing/open-page';
import { PushBrowser } from '../testing/push-browser';
import { startStubServer, type StubServer } from '../testing/stub-server';

const ana = selfCalled('Ana');
let server: StubServer;
let browser: PushBrowser;
let subscribed: string | null;

beforeEach(async () => {
  browser = new PushBrowser().install();
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
    'GET /api/collections/:uid': () => ({ json: { collections: [] } }),
    'POST /api/auth/logout': () => {
      subscribed = browser.endpoint;
      return { status: 204 };
    },
  });
});
afterEach(async () => {
  browser.remove();
  await server.close();
});

test('signing out ends the subscription of the browser before the session', async () => {
  [browser.permission, browser.endpoint, subscribed] = ['granted', 'https://push.example.org/1', 'not yet'];
  setPushOwner('ana');
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: /^Account menu of/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
  await waitFor(() => expect(subscribed).toBeNull());
  expect(localStorage).toHaveLength(0);
});

test('a clicked notification opens in the open page, without loading it again', async () => {
  const { address } = openPage('/projects');
  await screen.findByRole('button', { name: /^Account menu of/ });
  let isOpened = false;
  await act(async () => {
    isOpened = await browser.tell({ type: 'open-link', href: '/ana-tester/projects/p1?comment=c1' });
  });
  expect([isOpened, address()]).toEqual([true, '/ana-tester/projects/p1?comment=c1']);
  await act(async () => {
    isOpened = await browser.tell({ type: 'something else', href: '/home' });
  });
  expect([isOpened, address()]).toEqual([false, '/ana-tester/projects/p1?comment=c1']);
});
