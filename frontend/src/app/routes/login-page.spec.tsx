import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { controlsOf } from '../../testing/controls-of';
import { openPage } from '../../testing/open-page';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const problem = (status: number, code: string, detail: string) => () => ({ status, json: { code, status, detail } });
const nobody = problem(401, 'auth.required', 'Please sign in.');
const sessionOf = (name: string, changes = {}) => ({ json: { user: selfCalled(name, changes), staffRole: null } });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': nobody,
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
    'GET /api/site': () => ({ json: { supportEmail: 'help@studio.example' } }),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });

describe('the login page', () => {
  test('has these controls, in this order', async () => {
    openPage('/login');
    await heading('Log In');
    expect(controlsOf(document.body)).toEqual([
      'link: Roughmixbeta',
      'link: Contact',
      'textbox: Email',
      'link: Reset Password',
      'password: Password',
      'button: Log In',
      'button: Look around as a guest',
      'button: Request Invite',
      'link: Terms',
      'link: Privacy Policy',
    ]);
  });

  test.each([
    ['slides away for 140 ms before the reset page opens', false],
    ['leads to the reset page at once if the user prefers reduced motion', true],
  ])('%s', async (_what, wantsLess) => {
    const asMedia = window.matchMedia.bind(window);
    jest.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(asMedia(query), { matches: wantsLess && query.includes('reduce') }));
    const page = openPage('/login');
    const link = await screen.findByRole('link', { name: 'Reset Password' });
    const waits = jest.spyOn(globalThis, 'setTimeout');
    fireEvent.click(link);
    expect(waits.mock.calls.some(([, ms]) => ms === 140)).toBe(!wantsLess);
    expect(link.closest('.slides-away')).not.toBeNull();
    await heading('Reset Password');
    expect(page.address()).toBe('/passwordReset');
  });

  test('offers Request Invite, over the page', async () => {
    openPage('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Request Invite' }));
    const dialog = await screen.findByRole('dialog', { name: 'Request Invite' });
    expect(controlsOf(dialog)).toEqual(['button: Close', 'textbox: Email', 'button: Request Invite']);
    expect(within(dialog).getByLabelText('Email')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('has a Contact link that leads to the form, and Back returns', async () => {
    const page = openPage('/login');
    await userEvent.click(await screen.findByRole('link', { name: 'Contact' }));
    await heading('Connect with Us');
    await userEvent.click(screen.getByRole('link', { name: 'Back' }));
    await heading('Log In');
    expect(page.address()).toBe('/login');
  });
});

const PAGES = {
  contact: ['/', '/login'],
  back: [
    '/contact',
    '/passwordReset',
    '/passwordReset/abc',
    '/invite/abc',
    '/unsubscribe/abc',
    '/rwmsl9j7-register',
    '/privacy',
    '/terms',
    '/terms/projects-terms-of-service',
  ],
};

describe('the head of a page', () => {
  /** A link of the page's own header, which comes first. */
  const link = async (name: string) => {
    const [head = document.body] = await screen.findAllByRole('banner');
    return within(head).findByRole('link', { name });
  };

  test.each(PAGES.contact)('%s has a Contact link and no Back link', async (address) => {
    const page = openPage(address);
    const contact = await link('Contact');
    expect(screen.queryByRole('link', { name: 'Back' })).toBeNull();
    await userEvent.click(contact);
    await heading('Connect with Us');
    expect(page.address()).toBe('/contact');
  });

  test.each(PAGES.back)('%s has a Back link and no Contact link; opened directly, Back leads to the login', async (address) => {
    const page = openPage(address);
    const back = await link('Back');
    expect(screen.queryAllByRole('link', { name: 'Contact' }).filter((one) => one.getAttribute('href') === '/contact')).toEqual([]);
    await userEvent.click(back);
    await heading('Log In');
    expect(page.address()).toBe('/login');
  });
});

describe('a user with a session', () => {
  test.each([
    ['an account', sessionOf('Ana')],
    ['the guest', sessionOf('Guest', { isGuest: true })],
  ])('%s finds the contact form in the account menu, and Back returns', async (_who, session) => {
    server.answer({ 'GET /api/auth/session': () => session });
    const page = openPage('/projects');
    await userEvent.click(await screen.findByRole('button', { name: /^Account menu/ }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Contact' }));
    await heading('Connect with Us');
    expect(await screen.findByRole('link', { name: 'help@studio.example' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Roughmix beta' })).toHaveAttribute('href', '/projects');
    await userEvent.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByRole('button', { name: /^Account menu/ });
    expect(page.address()).toBe('/projects');
  });

  test('reaches the contact form from a legal page, and Back leads through both to the projects', async () => {
    server.answer({ 'GET /api/auth/session': () => sessionOf('Ana') });
    const page = openPage('/terms');
    const [inText] = await within(await screen.findByRole('article')).findAllByRole('link', { name: /contact/i });
    if (inText !== undefined) await userEvent.click(inText);
    await heading('Connect with Us');
    expect(page.address()).toBe('/contact');
    await userEvent.click(screen.getByRole('link', { name: 'Back' }));
    await heading('Terms of Use');
    await userEvent.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByRole('button', { name: /^Account menu/ });
    expect(page.address()).toBe('/projects');
  });
});

test.each(['/passwordReset'])('a signed-in user goes from %s to the projects', async (address) => {
  server.answer({ 'GET /api/auth/session': () => sessionOf('Ana') });
  const page = openPage(address);
  await heading('All Projects');
  expect(page.address()).toBe('/projects');
});

test('a guest who meets a refusal is offered Request Invite', async () => {
  server.answer({ 'GET /api/auth/session': () => sessionOf('Guest', { isGuest: true }) });
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Add Project' }));
  const toast = (await screen.findByText("Guests aren't allowed to edit data.")).closest('li');
  expect(toast).not.toBeNull();
  await userEvent.click(within(toast ?? document.body).getByRole('button', { name: 'Request Invite' }));
  expect(await screen.findByRole('dialog', { name: 'Request Invite' })).toBeInTheDocument();
});
