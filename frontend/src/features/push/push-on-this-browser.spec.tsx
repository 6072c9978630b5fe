import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { PushBrowser, serverKey } from '../../testing/push-browser';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { renderFor } from '../../testing/with-session';
import { keepPushes } from './push-here';
import { PushOnThisBrowser } from './push-on-this-browser';

const ana = selfCalled('Ana');
const sentAs = (endpoint: string) => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } });
let server: StubServer;
let browser: PushBrowser;
let key: string;

beforeEach(async () => {
  key = serverKey(4);
  browser = new PushBrowser().install();
  server = await startStubServer({
    'GET /api/push/key': () => ({ json: { key } }),
    'POST /api/push/subscriptions': () => ({ status: 201, json: { _id: 's1' } }),
    'DELETE /api/push/subscriptions': () => ({ status: 204 }),
  });
});
afterEach(async () => {
  browser.remove();
  await server.close();
});

const group = async () => screen.findByRole('group', { name: 'On this browser' });
const open = () => renderFor(ana, <PushOnThisBrowser uid="ana" />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const sent = () => server.requests.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);
async function turnOn() {
  open();
  await press('Turn on');
  await screen.findByRole('button', { name: 'Turn off' });
}

test('nothing is asked before the press, and the reason is shown', async () => {
  open();
  expect(await group()).toHaveTextContent(
    'Off. Turn them on to hear about mentions, replies, invitations and reminders even while Roughmix is closed. The browser asks for your permission first.',
  );
  expect([browser.questions, browser.endpoint, sent()]).toEqual([0, null, []]);
});

test('turning on asks for permission, subscribes with the key of the server, and sends the subscription', async () => {
  await turnOn();
  expect(await group()).toHaveTextContent('On, also while Roughmix is closed, until you sign out.');
  expect([browser.questions, browser.key, sent()]).toEqual([1, key, [['POST', sentAs('https://push.example.org/1')]]]);
});

test('turning off ends the subscription, here and on the server', async () => {
  await turnOn();
  await press('Turn off');
  await screen.findByRole('button', { name: 'Turn on' });
  expect([browser.endpoint, sent().at(-1)]).toEqual([null, ['DELETE', { endpoint: 'https://push.example.org/1' }]]);
});

describe('it says why not', () => {
  test('in a browser without push messages', async () => {
    browser.remove();
    open();
    expect(await group()).toHaveTextContent('This browser cannot receive push notifications.');
    expect(within(await group()).queryByRole('button')).not.toBeInTheDocument();
  });

  test('where the page came without HTTPS', async () => {
    browser.isSecure = false;
    open();
    expect(await group()).toHaveTextContent('Push notifications need HTTPS, and this page was opened without it.');
    expect(within(await group()).queryByRole('button')).not.toBeInTheDocument();
  });

  test('where notifications are blocked, and how to allow them', async () => {
    browser.permission = 'denied';
    open();
    expect(await group()).toHaveTextContent('open the settings of this site (the icon beside the address) and set Notifications to Allow.');
    expect(within(await group()).queryByRole('button')).not.toBeInTheDocument();
  });

  test('when the permission is refused or not given', async () => {
    browser.answer = 'default';
    open();
    await press('Turn on');
    await waitFor(() => expect(browser.questions).toBe(1));
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeEnabled();
    browser.answer = 'denied';
    await press('Turn on');
    await waitFor(() => expect(screen.queryByRole('button')).not.toBeInTheDocument());
    expect(sent()).toEqual([]);
    expect(await group()).toHaveTextContent('This browser blocks notifications from Roughmix.');
  });

  test('when the push service cannot be reached, and it can be tried again', async () => {
    browser.isAway = true;
    open();
    await press('Turn on');
    expect(await screen.findByRole('alert')).toHaveTextContent('This browser could not reach its push service. Please try again later.');
    browser.isAway = false;
    await press('Turn on');
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeEnabled();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('when the server refuses, and it stays on when turning off fails', async () => {
    const refusal = {
      status: 400,
      json: { type: 'about:blank', title: '', status: 400, code: 'push.endpoint-refused', detail: 'This is not a valid push endpoint.' },
    };
    server.answer({ 'POST /api/push/subscriptions': () => refusal });
    open();
    await press('Turn on');
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not a valid push endpoint.');
    expect(screen.getByRole('button', { name: 'Turn on' })).toBeEnabled();
    server.answer({ 'POST /api/push/subscriptions': () => ({ status: 201, json: { _id: 's1' } }), 'DELETE /api/push/subscriptions': () => refusal });
    await press('Turn on');
    await press('Turn off');
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Turn off' })).toBeEnabled();
  });
});

test('it shows that it is busy', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  server.answer({ 'GET /api/push/key': () => finished.then(() => ({ json: { key } })) });
  open();
  await press('Turn on');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Turn on' })).toHaveAttribute('aria-busy', 'true'));
  finish();
  await screen.findByRole('button', { name: 'Turn off' });
});

describe('a later visit', () => {
  test('of the same user sends the subscription again, as the session may be a new one', async () => {
    await turnOn();
    await keepPushes('ana');
    expect([browser.questions, sent()]).toEqual([1, Array.from({ length: 2 }, () => ['POST', sentAs('https://push.example.org/1')])]);
  });

  test('subscribes again when the browser has dropped the subscription, or the server has another key', async () => {
    await turnOn();
    browser.endpoint = null;
    await keepPushes('ana');
    key = serverKey(5);
    await keepPushes('ana');
    expect([browser.key, sent().map(([, body]) => body)]).toEqual([key, [1, 2, 3].map((nth) => sentAs(`https://push.example.org/${nth}`))]);
  });

  test('of another user ends what the first one left behind', async () => {
    await turnOn();
    await keepPushes('bob');
    expect([browser.endpoint, sent().length]).toEqual([null, 1]);
    await keepPushes('ana');
    expect([browser.endpoint, sent().length]).toEqual([null, 1]);
  });

  test('after the permission was taken back leaves it off', async () => {
    await turnOn();
    [browser.permission, browser.endpoint] = ['denied', null];
    await keepPushes('ana');
    browser.permission = 'granted';
    await keepPushes('ana');
    expect(sent()).toHaveLength(1);
  });
});
