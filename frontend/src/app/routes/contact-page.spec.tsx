import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const problem =
  (status: number, code: string, detail: string, more: object = {}) =>
  () => ({ status, json: { code, status, detail, ...more } });
const nobody = problem(401, 'auth.required', 'Please sign in.');
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': nobody,
    'GET /api/site': () => ({ json: { supportEmail: 'help@studio.example' } }),
  });
});
afterEach(async () => {
  await server.close();
});

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const sent = async (path: string) => (await server.settledRequests()).filter((one) => one.path === path).map(({ body }) => body);

const fill = async (more: Readonly<Record<string, string>> = {}) => {
  openPage('/contact');
  const texts = { 'First Name': 'Ida', 'Last Name': 'Lund', Email: 'ida@lowtide.example', ...more };
  for (const [label, text] of Object.entries(texts)) {
    await userEvent.type(await screen.findByLabelText(label), text);
  }
};
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

test('the contact form has these controls, in this order, and names the support address', async () => {
  openPage('/contact');
  await heading('Connect with Us');
  const form = screen.getByRole('form', { name: 'Connect with Us' });
  expect(controlsOf(form)).toEqual([
    'textbox: First Name',
    'textbox: Last Name',
    'textbox: Email',
    'textbox: Company (optional)',
    'textbox: Phone (optional)',
    'textbox: Message (optional)',
    'checkbox: Send me news about Roughmix',
    'button: Send',
  ]);
  const required = [...form.querySelectorAll<HTMLInputElement>(':required')].map(({ name, autocomplete }) => [name, autocomplete]);
  expect(required).toEqual([
    ['firstName', 'given-name'],
    ['lastName', 'family-name'],
    ['reply_to', 'email'],
  ]);
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(await screen.findByRole('link', { name: 'help@studio.example' })).toHaveAttribute('href', 'mailto:help@studio.example');
  expect(document.title).toBe('Connect with Us | Roughmix beta');
});

test("the button reads 'One sec' while it sends, then the page says 'Email successfully sent' and cannot send again", async () => {
  let answer: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  server.answer({
    'POST /api/contact': async () => {
      await held;
      return { status: 202, json: { message: 'Email successfully sent' } };
    },
  });
  await fill({ 'Message (optional)': 'Hello there.' });
  await send();
  expect(await screen.findByRole('button', { name: 'One sec' })).toHaveAttribute('aria-busy', 'true');
  answer?.();
  expect(await screen.findByText('Email successfully sent')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('button', { name: 'Send' })).toHaveFocus();
  await send();
  expect(await sent('/api/contact')).toEqual([
    { firstName: 'Ida', lastName: 'Lund', fullName: 'Ida Lund', reply_to: 'ida@lowtide.example', subscribe: false, message_content: 'Hello there.' },
  ]);
});

test('company, phone and the subscription are sent when given', async () => {
  server.answer({ 'POST /api/contact': () => ({ status: 202, json: { message: 'Email successfully sent' } }) });
  await fill({ 'Company (optional)': 'Low Tide', 'Phone (optional)': '+45 12' });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Send me news about Roughmix' }));
  await send();
  await screen.findByText('Email successfully sent');
  expect(await sent('/api/contact')).toEqual([
    { firstName: 'Ida', lastName: 'Lund', fullName: 'Ida Lund', reply_to: 'ida@lowtide.example', subscribe: true, company: 'Low Tide', phone: '+45 12' },
  ]);
});

test('without a last name nothing is sent', async () => {
  openPage('/contact');
  await userEvent.type(await screen.findByLabelText('First Name'), 'Ida');
  await send();
  expect(screen.getByLabelText('Last Name')).toBeInvalid();
  expect(await sent('/api/contact')).toEqual([]);
});

test.each([
  ['email.invalid', problem(400, 'email.invalid', 'The email address is badly formatted.'), 'Email', 'The email address is badly formatted.'],
  ['a limit', problem(400, 'limit.firstName', 'Names have at most 50 characters', { field: 'firstName' }), 'First Name', 'Names have at most 50 characters'],
  [
    'request.invalid',
    problem(400, 'request.invalid', 'This request is not valid.', { errors: [{ field: 'phone', code: 'maxLength', detail: '' }] }),
    'Phone (optional)',
    'This is not valid.',
  ],
])('%s is said at its field', async (_what, answer, label, text) => {
  server.answer({ 'POST /api/contact': answer });
  await fill();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(text);
  expect(screen.getByLabelText(label)).toHaveFocus();
});

test('a failure is shown, what was typed stays, and it can be sent again', async () => {
  server.answer({ 'POST /api/contact': problem(429, 'throttled', 'Too many attempts. Please wait a while.') });
  await fill();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Please wait a while.');
  expect(screen.getByLabelText('First Name')).toHaveValue('Ida');
  expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled();
});
