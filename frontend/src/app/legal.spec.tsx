import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openPage } from '../testing/open-page';
import { selfCalled } from '../testing/people-and-projects';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { styleSheet } from '../testing/style-sheet';

const nobody = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': () => nobody });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const DOCUMENTS = [
  ['/privacy', 'Privacy Policy', 'Effective 3 June 2021', 'Privacy Policy | Roughmix beta'],
  ['/terms', 'Terms of Use', 'Effective 17 May 2021', 'Terms of Use | Roughmix beta'],
  ['/terms/projects-terms-of-service', 'Projects and Community Terms', 'Effective 17 May 2021', 'Projects and Community Terms | Roughmix beta'],
] as const;

/** The sentence of a section in which these words are. */
async function section(path: string, name: string) {
  openPage(path);
  return screen.findByRole('region', { name: new RegExp(`^\\d+\\. ${name}$`) });
}

describe.each(DOCUMENTS)('%s', (path, heading, effective, title) => {
  test('has its date, and says that it is a template for the operator’s lawyer', async () => {
    openPage(path);
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
    expect(screen.getByText(effective)).toBeInTheDocument();
    expect(screen.getByRole('note')).toHaveTextContent('Template: the operator’s lawyer must review and complete this text before it is used.');
    expect(document.title).toBe(title);
  });

  test('lists its sections, with an anchor for each', async () => {
    openPage(path);
    const links = within(await screen.findByRole('navigation', { name: 'Contents' })).getAllByRole('link');
    const sections = within(screen.getByRole('article')).getAllByRole('region');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(sections.map(({ id }) => `#${id}`));
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
  });

  test('links only to anchors and pages that exist', async () => {
    openPage(path);
    const article = await screen.findByRole('article');
    const anchors = [...article.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')?.slice(1) ?? '');
    expect(anchors.filter((id) => document.getElementById(id) === null)).toEqual([]);
    const pages = new Set([...article.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href')?.split('#')[0]));
    expect([...pages].filter((page) => !['/contact', '/privacy', '/terms', '/terms/projects-terms-of-service'].includes(page ?? ''))).toEqual([]);
  });

  test('can be read by signed-in users too', async () => {
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: selfCalled('Ana'), staffRole: null } }) });
    const page = openPage(path);
    expect(await screen.findByRole('link', { name: 'Projects' })).toHaveAttribute('href', '/projects');
    expect(screen.getByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
    expect(page.address()).toBe(path);
  });
});

test('the print button prints, without menus and contents', async () => {
  const print = jest.spyOn(window, 'print').mockImplementation(() => undefined);
  openPage('/terms');
  await userEvent.click(await screen.findByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledTimes(1);
  const page = await styleSheet('features/front-door/legal/legal-page.module.css');
  const header = await styleSheet('features/front-door/site-header.module.css');
  expect([page.declared('.contents, .print', 'display', 'print'), header.declared('.header', 'display', 'print')]).toEqual(['none', 'none']);
});

describe('what the terms must say', () => {
  test.each([
    ['/terms', 'Who may use it', 'You must be 18 or older'],
    ['/terms', 'Your account', 'Your username must not impersonate another person, must not infringe anyone’s rights, and must not be offensive.'],
    ['/terms', 'Your content and its licence', 'You grant us a worldwide, non-exclusive, royalty-free licence'],
    ['/terms', 'Fees and automatic renewal', 'A subscription renews automatically at the end of each period'],
    ['/terms', 'Fees and automatic renewal', 'A payment provider processes the payment; we do not see your full card number.'],
    ['/terms', 'Cooling-off in the UK and the EU', 'you may withdraw from a purchase within 14 days'],
    ['/terms', 'Copyright notices and takedown', 'A repeat infringer is someone whose content was the subject of more than two takedown notices.'],
    ['/terms', 'Limits of liability', 'the greater of $100 and what you paid us in the last six months'],
    ['/terms', 'Arbitration', 'If your claim is for less than $10,000, we reimburse the filing and arbitration fees'],
    ['/terms', 'Arbitration', 'For claims below $250,000 its streamlined rules are used'],
    ['/terms', 'Opting out of arbitration', 'You may opt out within 30 days'],
    ['/terms', 'Force majeure', 'If it lasts for more than 120 days, either side may cancel'],
    ['/privacy', 'Children', 'not directed to children under 16'],
    ['/terms/projects-terms-of-service', 'Private and Public', 'A project is Private until its creator sets it to Public.'],
    ['/terms/projects-terms-of-service', 'Forking', 'The Private Remix License applies while a fork stays private'],
    ['/terms/projects-terms-of-service', 'Licences between creators and collaborators', 'Creator licence: the creator of a project allows its collaborators'],
    ['/terms/projects-terms-of-service', 'Licences between creators and collaborators', 'Collaborator licence: a collaborator allows the creator'],
  ])('%s, %s: %s', async (path, name, words) => {
    expect(await section(path, name)).toHaveTextContent(words);
  });
});
