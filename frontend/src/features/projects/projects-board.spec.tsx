import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { answeringServer, type AnsweringServer } from '../../testing/answering-server';
import { openPage } from '../../testing/open-page';
import { styleSheet } from '../../testing/style-sheet';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';

const ana = selfCalled('Ana');
const bob = personCalled('Bob');
const collaborator = { role: 'Collaborator', access: 3, comment: true, download: true, write: true, owner: false } as const;
const lowTide = projectCalled('Low Tide', ana, { commentCount: 2, addedUsers: [bob] });
const paperMoon = projectCalled('Paper Moon', ana);
const ferryDemo = projectCalled('Ferry Demo', bob, { permissionLevel: collaborator });
let server: AnsweringServer;

beforeEach(async () => {
  server = await answeringServer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }) });
});
afterEach(() => {
  jest.restoreAllMocks();
  return server.close();
});

const withProjects = (...projects: ListedProject[]) => server.answer({ 'GET /api/projects/ana': () => ({ json: { projects } }) });
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('li');
  if (row === null) throw new Error(`${name} stands in no row`);
  return within(row);
};

test('without projects it says how to begin', async () => {
  withProjects();
  openPage('/projects');
  expect(await screen.findByText(/Click "Add Project" above to add a track you're working on/)).toBeInTheDocument();
  expect(screen.queryByText('Projects shared with you')).not.toBeInTheDocument();
});

test('with the tutorial project alone it says the same, and leads there', async () => {
  withProjects(projectCalled('Tutorial', ana, { initialLogin: true }));
  openPage('/projects');
  expect(await screen.findByText('Nothing here yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Open the tutorial project' })).toBeInTheDocument();
});

test('each project says its version, its comments and when it changed; a shared one whose it is and what one is in it', async () => {
  withProjects({ ...lowTide, dateModified: Date.now() }, ferryDemo);
  openPage('/projects');

  const own = await rowOf('Low Tide');
  expect(own.getByText('1.0 Initial Version')).toBeInTheDocument();
  expect(own.getByText('moments ago')).toBeInTheDocument();
  expect(own.getByTitle('2 comments')).toBeInTheDocument();
  expect(own.getByRole('img', { name: 'Bob' })).toBeInTheDocument();
  const shared = await rowOf('Ferry Demo');
  expect(shared.getByText('Bob, 1.0 Initial Version')).toBeInTheDocument();
  expect(shared.getByText('Collaborator')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Low Tide' })).toHaveAttribute('href', '/projects/low_tide');
  expect(screen.getByRole('link', { name: 'Ferry Demo' })).toHaveAttribute('href', '/bob/projects/ferry_demo');
});

test('the shared view shows shared projects alone', async () => {
  withProjects(lowTide, ferryDemo);
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('link', { name: /Projects shared with you/ }));
  await waitFor(() => expect(page.address()).toBe('/projects?view=shared'));
  expect(screen.getByRole('link', { name: 'Ferry Demo' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Low Tide' })).not.toBeInTheDocument();
});

test('the views stand at the side of a wide screen, and in a dropdown on a narrow one', async () => {
  withProjects(lowTide, ferryDemo);
  const page = openPage('/projects');
  await screen.findByRole('link', { name: 'Low Tide' });
  const side = within(screen.getByRole('navigation', { name: 'Collections' }));
  expect(side.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['All Projects2', 'Projects shared with you1']);
  await userEvent.click(screen.getByRole('button', { name: /^All Projects/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Projects shared with you/ }));
  await waitFor(() => expect(page.address()).toBe('/projects?view=shared'));

  const { declared } = await styleSheet('features/projects/projects.css');
  const displays = (media?: string) => ['.projects .side', '.projects .coldrop'].map((selector) => declared(selector, 'display', media));
  expect([displays(), displays('(max-width: 767.98px)')]).toEqual([
    ['', 'none'],
    ['none', 'flex'],
  ]);
});

test.each([
  ['for 140 ms before a project opens', false],
  ['not at all where less motion is wanted', true],
])('the list slides away %s', async (_how, wantsLess) => {
  withProjects(lowTide);
  const asMedia = window.matchMedia.bind(window);
  jest.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(asMedia(query), { matches: wantsLess && query.includes('reduce') }));
  const page = openPage('/projects');
  const link = await screen.findByRole('link', { name: 'Low Tide' });
  const waits = jest.spyOn(globalThis, 'setTimeout');
  fireEvent.click(link);
  expect(waits.mock.calls.some(([, ms]) => ms === 140)).toBe(!wantsLess);
  expect(link.closest('.leaves')).not.toBeNull();
  expect(page.address()).toBe('/projects');
  await waitFor(() => expect(page.address()).toBe('/projects/low_tide'));
});

test('who goes elsewhere while the list slides away stays there', async () => {
  withProjects(lowTide);
  const page = openPage('/projects');
  const link = await screen.findByRole('link', { name: 'Low Tide' });
  const waits = jest.spyOn(globalThis, 'setTimeout');
  const ended = jest.spyOn(globalThis, 'clearTimeout');
  fireEvent.click(link);
  const slide = waits.mock.results[waits.mock.calls.findIndex(([, ms]) => ms === 140)]?.value;
  expect(slide).toBeDefined();
  await act(() => page.router.navigate('/projects/other'));
  expect(ended.mock.calls.map(([timer]) => timer)).toContain(slide);
  expect(page.address()).toBe('/projects/other');
});

test('the slide and the shake last 140 and 400 ms', async () => {
  const tokens = await styleSheet('shared/styles/tokens.css');
  expect([tokens.declared(':root', '--t-slide'), tokens.declared(':root', '--t-shake')]).toEqual(['140ms', '400ms']);
  const list = await styleSheet('features/projects/projects.css');
  expect(list.declared('.leaves > .projects > main', 'transition')).toMatch(/^transform var\(--t-slide\)/);
  const base = await styleSheet('shared/styles/base.css');
  expect(base.declared('.shakes', 'animation')).toBe('shakes calc(var(--t-shake) / 3) var(--ease-move) 3');
});

test('a list that does not come says why, and comes with another try', async () => {
  server.answer({
    'GET /api/projects/ana': () => ({
      status: 503,
      json: { code: 'store.away', status: 503, detail: 'Roughmix cannot reach its data right now. Please try again soon.' },
    }),
  });
  openPage('/projects');
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByRole('alert')).toHaveTextContent('Roughmix cannot reach its data right now. Please try again soon.');
  withProjects(lowTide);
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'Low Tide' })).toBeInTheDocument();
});

test('selected projects are removed after a question that says what stays; what is shared cannot be selected', async () => {
  withProjects(lowTide, paperMoon, ferryDemo);
  server.answer({ 'POST /api/projects/removeProject/:id': (_, [id]) => ({ json: { removed: id } }) });
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  expect(await screen.findAllByRole('checkbox')).toHaveLength(2);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Low Tide' }));
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Remove' }));

  const question = await screen.findByRole('alertdialog', { name: 'Remove Low Tide?' });
  expect(question).toHaveTextContent('Are you sure you want to remove this project? Everyone in it loses access too.');
  expect(question).toHaveTextContent('The audio files are kept for 30 days.');
  await userEvent.click(within(question).getByRole('button', { name: 'Remove project' }));

  // While the question stands, nothing behind it is found.
  expect(await screen.findByRole('link', { name: 'Paper Moon' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Low Tide' })).not.toBeInTheDocument();
  expect(screen.getByText('0 selected')).toBeInTheDocument();
});

test('with nothing selected Remove asks nothing', async () => {
  withProjects(lowTide);
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const remove = await screen.findByRole('button', { name: 'Remove' });
  await userEvent.click(remove);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  expect(remove.parentElement).toHaveClass('shakes');
});

test('a project whose first version never came offers to go on or to remove', async () => {
  withProjects(projectCalled('Half Begun', ana, { versionIds: [], versions: [], currentVersion: null, firstVersionId: 'v9' }));
  openPage('/projects');
  expect(await screen.findByText('Its first version is missing')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Continue' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Remove' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Half Begun' })).not.toBeInTheDocument();
});
