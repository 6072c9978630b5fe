import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openPage } from '../testing/open-page';
import { selfCalled } from '../testing/people-and-projects';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { styleSheet } from '../testing/style-sheet';

const nobody = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };
const ana = { json: { user: selfCalled('Ana'), staffRole: null } };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': () => nobody, 'GET /api/projects/:uid': () => ({ json: { projects: [] } }) });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const main = async () => within(await screen.findByRole('main'));

describe('the landing page', () => {
  test('has a hero, three feature sections, and a call to action', async () => {
    openPage('/');
    const page = await main();
    expect(page.getAllByRole('heading').map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
      ['H1', 'Your rough mix has something to say. Let the band answer.'],
      ['H2', 'Collaboration in the cloud'],
      ['H2', 'Stay on top of things'],
      ['H2', 'Creative communities'],
      ['H2', 'Bring the song you cannot finish alone.'],
    ]);
    expect(page.getByRole('region', { name: 'A song in progress on Roughmix' })).toBeInTheDocument();
    expect(within(page.getByRole('form', { name: 'Request Invite' })).getByRole('button', { name: 'Request Invite' })).toBeInTheDocument();
    expect(document.title).toBe('Roughmix beta: finish songs together');
  });

  test('has links to the terms, the privacy policy and the contact form, and the year, in its footer', async () => {
    openPage('/');
    const foot = within(await screen.findByRole('contentinfo'));
    expect(foot.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Terms', '/terms'],
      ['Privacy Policy', '/privacy'],
      ['Connect with Us', '/contact'],
    ]);
    expect(foot.getByText('Roughmix, 2022')).toBeInTheDocument();
  });

  test('opens Log In and Request Invite as forms at their buttons', async () => {
    openPage('/');
    const nav = within(await screen.findByRole('navigation', { name: 'Main' }));
    await userEvent.click(nav.getByRole('button', { name: 'Log In' }));
    expect(nav.getByRole('dialog', { name: 'Log In' })).toBeInTheDocument();
    await userEvent.click(nav.getByRole('button', { name: 'Request Invite' }));
    expect(nav.getByRole('dialog', { name: 'Request Invite' })).toBeInTheDocument();
  });

  test('has a menu under 917 px, which a button opens and Escape closes', async () => {
    openPage('/');
    const burger = await screen.findByRole('button', { name: 'Menu' });
    expect(burger).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(burger);
    expect(burger).toHaveAttribute('aria-expanded', 'true');
    await userEvent.keyboard('{Escape}');
    expect(burger).toHaveAttribute('aria-expanded', 'false');
    expect(burger).toHaveFocus();

    const { declared } = await styleSheet('features/front-door/site-header.module.css');
    const narrow = '(max-width: 916.98px)';
    expect([declared('.burger', 'display'), declared('.burger', 'display', narrow), declared('.menu', 'display', narrow)]).toEqual([
      'none',
      'inline-grid',
      'none',
    ]);
  });
});

describe('a visitor on the landing page', () => {
  test('may look around as a guest', async () => {
    server.answer({ 'POST /api/auth/guest': () => ({ json: { user: selfCalled('Guest', { isGuest: true }), staffRole: null } }) });
    const page = openPage('/');
    await userEvent.click(await screen.findByRole('button', { name: 'Look around as a guest' }));
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
  });

  test('sees the versions at the same loudness on request', async () => {
    openPage('/');
    const versions = within(await screen.findByRole('list', { name: 'Versions of Low Tide' }));
    const figures = () => versions.getAllByText(/LUFS/).map(({ textContent }) => textContent);
    expect(figures()).toEqual(['−25.6 LUFS', '−18.3 LUFS', '−8.8 LUFS']);
    await userEvent.click(screen.getByRole('switch', { name: 'Match loudness' }));
    expect(figures()).toEqual(['−25.6 LUFS', '−25.6 LUFS', '−25.6 LUFS']);
    expect(screen.getByText('2.0 turned down 16.8 dB')).toBeInTheDocument();
  });

  test('continues to the projects if they are signed in', async () => {
    server.answer({ 'GET /api/auth/session': () => ana });
    const page = openPage('/');
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeInTheDocument();
    expect(page.address()).toBe('/projects');
  });

  test('can read it while the server cannot be reached', async () => {
    server.answer({ 'GET /api/auth/session': () => 'hang up' });
    openPage('/');
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Your rough mix has something to say.');
  });
});

describe('the demonstration', () => {
  const stage = async () => within(await screen.findByRole('region', { name: 'A song in progress on Roughmix' }));

  test('stands still if the user prefers less motion, until they press play', async () => {
    openPage('/');
    const hero = await stage();
    expect(hero.getByText('0:33.2')).toBeInTheDocument();
    await userEvent.click(hero.getByRole('button', { name: 'Play the demonstration, without sound' }));
    expect(await hero.findByText('0:33.4')).toBeInTheDocument();
    await userEvent.click(hero.getByRole('button', { name: 'Pause the demonstration' }));
    expect(hero.getByRole('button', { name: 'Play the demonstration, without sound' })).toBeInTheDocument();
  });

  test('names each region, who speaks about it, and the moment', async () => {
    openPage('/');
    const hero = await stage();
    expect(hero.getByText('Doubles drag behind the beat')).toBeInTheDocument();
    expect(hero.getAllByRole('listitem').map((item) => item.querySelector('.who')?.textContent)).toEqual([
      'Ravi0:25',
      'Sam0:30',
      'Ines0:38, todo for Friday',
      'Maud0:47',
    ]);
  });
});
