import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { styleSheet } from '../../testing/style-sheet';
import { renderFor } from '../../testing/with-session';
import { InvitePopover } from './invite-popover';
import { LogInPopover } from './log-in-popover';
import { SiteHeader } from './site-header';

const REFUSED = { status: 401, json: { code: 'auth.failed', status: 401, detail: 'User or Password not found..' } };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'POST /api/inviteRequests': () => ({ status: 202, json: { message: 'Request sent' } }) });
  renderFor(
    null,
    <>
      <LogInPopover />
      <InvitePopover />
      <a href="/terms">Terms</a>
    </>,
  );
});
afterEach(() => server.close());

const button = (name: string) => screen.getByRole('button', { name, expanded: false });
const open = async (name: string) => {
  await userEvent.click(button(name));
  return within(screen.getByRole('dialog', { name }));
};
describe('a form at its button', () => {
  test('takes the focus, and gives it back when Escape closes it', async () => {
    await open('Request Invite');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(button('Request Invite')).toHaveFocus();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('closes at a press outside, at its button, and when the focus moves on', async () => {
    await open('Request Invite');
    fireEvent.pointerDown(document.body);
    expect(button('Request Invite')).toBeInTheDocument();

    await open('Request Invite');
    await userEvent.click(screen.getByRole('button', { name: 'Request Invite', expanded: true }));
    expect(button('Request Invite')).toBeInTheDocument();

    await open('Request Invite');
    act(() => screen.getByRole('link', { name: 'Terms' }).focus());
    expect(button('Request Invite')).toBeInTheDocument();
  });

  test('takes 500 ms to close', async () => {
    jest.useFakeTimers();
    fireEvent.click(button('Request Invite'));
    fireEvent.keyDown(screen.getByLabelText('Email'), { key: 'Escape' });
    act(() => jest.advanceTimersByTime(499));
    expect(screen.getByRole('dialog')).toHaveAttribute('inert');
    act(() => jest.advanceTimersByTime(1));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    jest.useRealTimers();

    const { declared } = await styleSheet('features/front-door/popover-form.module.css');
    expect(declared('.leaves', 'transition')).toBe('opacity var(--t-panel) var(--ease-out), transform var(--t-panel) var(--ease-out)');
    const tokens = await styleSheet('shared/styles/tokens.css');
    expect(tokens.declared(':root', '--t-panel')).toBe('500ms');
  });

  test('is in the bar under 917 px, at most 26 rem wide', async () => {
    const { declared } = await styleSheet('features/front-door/popover-form.module.css');
    const query = '(max-width: 916.98px)';
    expect([declared('.place', 'position', query), declared('.surface', 'width', query), declared('.surface', 'max-width', query)]).toEqual([
      'static',
      'auto',
      '26rem',
    ]);
    const header = await styleSheet('features/front-door/site-header.module.css');
    expect(header.declared('.menu > :first-child > [role="dialog"]', 'margin-left', query)).toBe('0');
    cleanup();
    renderFor(null, <SiteHeader link="contact" />);
    await open('Log In');
    expect(screen.getByRole('dialog').parentElement).toBe(screen.getByRole('navigation', { name: 'Main' }).firstElementChild);
  });
});

describe('Log In', () => {
  test('has these controls, in this order', async () => {
    await open('Log In');
    expect(controlsOf(screen.getByRole('dialog'))).toEqual(['textbox: Email', 'link: Reset Password', 'password: Password', 'button: Log In']);
    expect(screen.getByRole('form', { name: 'Log In' })).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
    expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
    expect(screen.getByRole('link', { name: 'Reset Password' })).toHaveAttribute('href', '/passwordReset');
  });

  test('a refusal is a line that grows in height, with a frown', async () => {
    server.answer({ 'POST /api/auth/login': () => REFUSED });
    const form = await open('Log In');
    await fill(form.getByLabelText('Email'), 'ana@band.example');
    await fill(form.getByLabelText('Password'), 'not-this-one');
    await userEvent.click(form.getByRole('button', { name: 'Log In' }));

    const line = await form.findByRole('alert');
    expect(line).toHaveTextContent(/^User or Password not found\.\.$/);
    expect(line.querySelector('.lucide-frown')).toBeInTheDocument();
    expect(form.getByLabelText('Password')).toHaveAccessibleDescription('User or Password not found..');
    expect(form.getByLabelText('Password')).toHaveFocus();
    const { declared } = await styleSheet('shared/session/login-form.css');
    expect(declared('.login-form .error', 'animation')).toBe('login-error-grows var(--t-expand) var(--ease-out)');
  });
});

describe('Request Invite', () => {
  test('has these controls, in this order', async () => {
    const form = await open('Request Invite');
    expect(controlsOf(screen.getByRole('dialog'))).toEqual(['textbox: Email', 'button: Request Invite']);
    expect(form.getByRole('form', { name: 'Request Invite' })).toBeInTheDocument();
    expect(form.getByRole('textbox', { name: 'Email' })).toHaveAttribute('autocomplete', 'email');
    expect(form.getByRole('status')).toBeEmptyDOMElement();
  });

  test("an accepted request says 'Request sent', and is not sent twice", async () => {
    const form = await open('Request Invite');
    await userEvent.type(form.getByLabelText('Email'), ' New.Person@band.example {Enter}');
    expect(await form.findByText('Request sent')).toBeInTheDocument();
    expect(form.getByRole('status')).toHaveTextContent(/^Request sent$/);
    await userEvent.keyboard('{Enter}');
    expect((await server.settledRequests()).map(({ body }) => body)).toEqual([{ email: 'New.Person@band.example' }]);

    await userEvent.type(form.getByLabelText('Email'), '2');
    expect(form.getByRole('status')).toBeEmptyDOMElement();
  });

  test.each(['', 'new.person', '@band.example', 'new.person@', 'new person@band.example'])('%j sends nothing and shows nothing', async (text) => {
    const form = await open('Request Invite');
    if (text !== '') await fill(form.getByLabelText('Email'), text);
    await userEvent.keyboard('{Enter}');
    expect(await server.settledRequests()).toEqual([]);
    expect(form.getByRole('status')).toBeEmptyDOMElement();
    expect(form.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('an address that only the server refuses shows nothing either', async () => {
    server.answer({
      'POST /api/inviteRequests': () => ({ status: 400, json: { code: 'email.invalid', status: 400, detail: 'The email address is badly formatted.' } }),
    });
    const form = await open('Request Invite');
    await userEvent.type(form.getByLabelText('Email'), 'me@localhost{Enter}');
    await waitFor(() => expect(server.requests).toHaveLength(1));
    await waitFor(() => expect(form.getByRole('button', { name: 'Request Invite' })).not.toHaveAttribute('aria-busy'));
    expect(form.getByRole('status')).toBeEmptyDOMElement();
    expect(form.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('too many requests are reported', async () => {
    server.answer({
      'POST /api/inviteRequests': () => ({ status: 429, json: { code: 'throttled', status: 429, detail: 'Too many attempts. Please wait a while.' } }),
    });
    const form = await open('Request Invite');
    await userEvent.type(form.getByLabelText('Email'), 'new@band.example{Enter}');
    expect(await form.findByRole('alert')).toHaveTextContent('Too many attempts. Please wait a while.');
  });
});
