import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { startPage } from './start-page';
import { startWhenNeeded } from './start-when-needed';
import './routes/contact-page';
import './routes/login-page';

// react-dom/server asks for one when it is loaded, and renderToString makes no use of it.
Object.assign(globalThis, {
  MessageChannel: class {
    readonly port1 = {};
  },
});
const { renderPage } = await import('./prerender');
Reflect.deleteProperty(globalThis, 'MessageChannel');

let server: StubServer;
const sent: unknown[] = [];

beforeEach(async () => {
  sent.length = 0;
  const accept =
    (answer: object) =>
    ({ body }: { readonly body: unknown }) => {
      sent.push(body);
      return answer;
    };
  server = await startStubServer({
    'GET /api/auth/session': () => ({ status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } }),
    'GET /api/site': () => ({ json: { supportEmail: null } }),
    'POST /api/auth/login': accept({ status: 401, json: { code: 'auth.failed', status: 401, detail: 'User or Password not found..' } }),
    'POST /api/contact': accept({ status: 202, json: { message: 'Email successfully sent' } }),
  });
});
afterEach(async () => {
  document.body.replaceChildren();
  await server.close();
});

/** The page as the server sends it. Its code runs when `startIt` is called. */
async function sentPage(address: string) {
  window.history.replaceState(null, '', new URL(address, window.location.origin));
  const place = document.createElement('div');
  place.innerHTML = await renderPage(address);
  document.body.append(place);
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => (load = resolve));
  startWhenNeeded({ start: () => loaded.then(() => startPage(place)), waits: true });
  return { startIt: () => act(async () => load()) };
}

test('what was typed and pressed before the code of the login page had loaded counts', async () => {
  const { startIt } = await sentPage('/login');
  await userEvent.type(screen.getByLabelText('Email'), 'ana@band.example');
  await userEvent.type(screen.getByLabelText('Password'), 'almost-right');
  let isSubmitted = false;
  document.addEventListener('submit', () => (isSubmitted = true), { once: true });
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }));
  expect([sent, isSubmitted]).toEqual([[], false]);
  await startIt();
  expect(await screen.findByRole('alert')).toHaveTextContent('User or Password not found..');
  expect(sent).toEqual([expect.objectContaining({ email: 'ana@band.example', password: 'almost-right' })]);
});

test('the fields of the contact form keep what was typed early, and nothing is pressed that was not', async () => {
  const { startIt } = await sentPage('/contact');
  await userEvent.type(screen.getByLabelText('First Name'), 'Ida');
  await userEvent.type(screen.getByLabelText('Message (optional)'), 'Hello');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Send me news about Roughmix' }));
  await startIt();
  await userEvent.type(await screen.findByLabelText('Last Name'), 'Lund');
  await userEvent.type(screen.getByLabelText('Email'), 'ida@lowtide.example');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Email successfully sent')).toBeInTheDocument();
  expect(sent).toEqual([
    { firstName: 'Ida', lastName: 'Lund', fullName: 'Ida Lund', reply_to: 'ida@lowtide.example', subscribe: true, message_content: 'Hello' },
  ]);
});

test('the page stays where it was scrolled to before its code had loaded', async () => {
  const scrollTo = jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const scrollY = jest.replaceProperty(window, 'scrollY', 900);
  const { startIt } = await sentPage('/login');
  await userEvent.hover(screen.getByRole('heading', { name: 'Log In' }));
  await startIt();
  expect(scrollTo.mock.lastCall).toEqual([0, 900]);
  scrollY.restore();
  scrollTo.mockRestore();
});
