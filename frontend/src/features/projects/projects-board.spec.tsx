import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { openPage } from '../../testing/open-page';
import { styleSheet } from '../../testing/style-sheet';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';

const ana = selfCalled('Ana');
const bob = personCalled('Bob');
const collaborator = { role: 'Collaborator', access: 3, comment: true, download: true, write: true, owner: false } as const;
const lowTide = projectCalled('Low Tide', ana, { commentCount: 2, todoCount: 1, completedTodoCount: 3, addedUsers: [bob] });
const paperMoon = projectCalled('Paper Moon', ana);
const ferryDemo = projectCalled('Ferry Demo', bob, { permissionLevel: collaborator });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/collections/ana': () => ({ json: { collections: [] } }),
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  return server.close();
});

const withProjects = (...projects: ListedProject[]) => server.answer({ 'GET /api/projects/ana': () => ({ json: { projects } }) });
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('li');
  if (row === null) throw new Error(`${name} is not in a row`);
  return within(row);
};

test('without projects it explains how to start', async () => {
  withProjects();
  openPage('/projects');
  expect(await screen.findByText(/Click "Add Project" above to add a track you're working on/)).toBeInTheDocument();
  expect(screen.queryByText('Projects shared with you')).not.toBeInTheDocument();
});

test('with only the tutorial project it does the same, and links to it', async () => {
  withProjects(projectCalled('Tutorial', ana, { initialLogin: true }));
  openPage('/projects');
  expect(await screen.findByText('Nothing here yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Open the tutorial project' })).toBeInTheDocument();
});

test('an empty list is fetched again after 3 seconds, because the tutorial of a new user takes some', async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'queueMicrotask', 'requestAnimationFrame', 'setImmediate', 'setTimeout', 'nextTick'] });
  withProjects();
  openPage('/projects');
  await screen.findByText('Nothing here yet');
  withProjects(projectCalled('Tutorial', ana, { initialLogin: true }));
  act(() => jest.advanceTimersByTime(3_000));
  expect(await screen.findByRole('button', { name: 'Open the tutorial project' })).toBeInTheDocument();
});

test('a list that is looked at again shows what changed meanwhile', async () => {
  withProjects(lowTide);
  openPage('/projects');
  await rowOf('Low Tide');
  withProjects({ ...lowTide, projectName: 'High Tide' });
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByRole('link', { name: 'High Tide' })).toBeInTheDocument();
});

test('each row shows version, comment count and last change; a shared one also its owner and the user’s role', async () => {
  withProjects({ ...lowTide, dateModified: Date.now() }, { ...ferryDemo, completedTodoCount: 2 });
  openPage('/projects');

  const own = await rowOf('Low Tide');
  expect(own.getByText('1.0 Initial Version')).toBeInTheDocument();
  expect(own.getByText('moments ago')).toBeInTheDocument();
  expect(own.getByTitle('2 comments')).toBeInTheDocument();
  expect(own.getByTitle('1 todo left')).toBeInTheDocument();
  expect(own.getByRole('img', { name: 'Bob' })).toBeInTheDocument();
  const shared = await rowOf('Ferry Demo');
  expect(shared.getByText('Bob, 1.0 Initial Version')).toBeInTheDocument();
  expect(shared.getByText('Collaborator')).toBeInTheDocument();
  expect(shared.getByText('all done')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Low Tide' })).toHaveAttribute('href', '/projects/low_tide');
  expect(screen.getByRole('link', { name: 'Ferry Demo' })).toHaveAttribute('href', '/bob/projects/ferry_demo');
});

test('completed projects say so, and the list can show only these or only the others', async () => {
  withProjects({ ...lowTide, completed: true }, paperMoon, ferryDemo);
  openPage('/projects');
  expect((await rowOf('Low Tide')).getByText('Completed')).toBeInTheDocument();
  const shows = async (choice: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Filter projects' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: choice }));
    return screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  };
  expect(await shows('Completed')).toEqual(['Low Tide']);
  expect(await shows('In progress')).toEqual(['Paper Moon', 'Ferry Demo']);
  await userEvent.click(screen.getByRole('link', { name: /Projects shared with you/ }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Paper Moon' })).not.toBeInTheDocument());
  expect(await shows('All')).toEqual(['Ferry Demo']);
});

test('the filter is there only if there are completed projects, and says when it hides all', async () => {
  withProjects(lowTide);
  const { cache } = openPage('/projects');
  await screen.findByRole('link', { name: 'Low Tide' });
  expect(screen.queryByRole('button', { name: 'Filter projects' })).not.toBeInTheDocument();
  withProjects({ ...lowTide, completed: true });
  await act(() => cache.invalidateQueries({ queryKey: ['projects'] }));
  await userEvent.click(await screen.findByRole('button', { name: 'Filter projects' }));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'In progress' }));
  expect(await screen.findByText('No projects in progress.')).toBeInTheDocument();
  withProjects({ ...lowTide, completed: true }, ferryDemo);
  await act(() => cache.invalidateQueries({ queryKey: ['projects'] }));
  expect(await screen.findByRole('link', { name: 'Ferry Demo' })).toBeInTheDocument();
  expect(screen.queryByText('No projects in progress.')).not.toBeInTheDocument();
});

test('the shared view shows only shared projects', async () => {
  withProjects(lowTide, ferryDemo);
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('link', { name: /Projects shared with you/ }));
  await waitFor(() => expect(page.address()).toBe('/projects?view=shared'));
  expect(screen.getByRole('link', { name: 'Ferry Demo' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Low Tide' })).not.toBeInTheDocument();
});

test('the views are in a sidebar on wide screens and in a dropdown on narrow ones', async () => {
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
  ['without delay if the user prefers reduced motion', true],
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

test('a user who navigates elsewhere during the slide-out stays there', async () => {
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

test('the slide-out lasts 140 ms and the shake 400 ms', async () => {
  const tokens = await styleSheet('shared/styles/tokens.css');
  expect([tokens.declared(':root', '--t-slide'), tokens.declared(':root', '--t-shake')]).toEqual(['140ms', '400ms']);
  const list = await styleSheet('features/projects/projects.css');
  expect(list.declared('.leaves > .projects > main', 'transition')).toMatch(/^transform var\(--t-slide\)/);
  const base = await styleSheet('shared/styles/base.css');
  expect(base.declared('.shakes', 'animation')).toBe('shakes calc(var(--t-shake) / 3) var(--ease-move) 3');
});

test('a list that fails to load shows why, and can be retried', async () => {
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

test('selected projects are removed after a confirmation that says what is kept; shared ones cannot be selected', async () => {
  withProjects(lowTide, paperMoon, ferryDemo);
  server.answer({
    'POST /api/projects/removeProject/:id': (_, [id]) => ({ json: { removed: id } }),
    'GET /api/site': () => ({ json: { supportEmail: null, limits: { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays: 12 } } }),
  });
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  expect(await screen.findAllByRole('checkbox')).toHaveLength(2);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Low Tide' }));
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Remove' }));

  const question = await screen.findByRole('alertdialog', { name: 'Remove Low Tide?' });
  expect(question).toHaveTextContent('Are you sure you want to remove this project? Everyone in it loses access too.');
  await waitFor(() => expect(question).toHaveTextContent('The audio files are kept for 12 days. Downloaded copies are not affected.'));
  await userEvent.click(within(question).getByRole('button', { name: 'Remove project' }));

  // The page is inert while the dialog is open.
  expect(await screen.findByRole('link', { name: 'Paper Moon' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Low Tide' })).not.toBeInTheDocument();
  expect(screen.getByText('0 selected')).toBeInTheDocument();
});

test('selected projects are marked as completed, or, if all of them are, as in progress', async () => {
  withProjects({ ...lowTide, completed: true }, paperMoon);
  const saved: string[] = [];
  server.answer({
    'PUT /api/projects/:id': ({ body }, [id]) => {
      saved.push(`${id} ${JSON.stringify(body)}`);
      const isDone = saved.length === 1;
      withProjects({ ...lowTide, completed: isDone }, { ...paperMoon, completed: isDone });
      return { json: {} };
    },
  });
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  for (const name of ['Low Tide', 'Paper Moon']) await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Mark as completed' }));
  await waitFor(() => expect(screen.getAllByText('Completed')).toHaveLength(2));
  await userEvent.click(screen.getByRole('button', { name: 'Mark as in progress' }));
  await waitFor(() => expect(screen.queryAllByText('Completed')).toHaveLength(0));
  expect(saved).toEqual([
    'paper_moon {"submission":{"completed":true}}',
    'low_tide {"submission":{"completed":false}}',
    'paper_moon {"submission":{"completed":false}}',
  ]);
});

test('the edit toggle is a cog, in the bar above the list', async () => {
  withProjects(lowTide);
  openPage('/projects');
  const edit = await screen.findByRole('button', { name: 'Edit', pressed: false });
  expect(edit.querySelector('svg')).toHaveClass('lucide-settings');
  await userEvent.click(edit);
  expect(screen.getByRole('button', { name: 'Edit', pressed: true })).toBe(edit);
});

test('with nothing selected, Remove only shakes', async () => {
  withProjects(lowTide);
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const remove = await screen.findByRole('button', { name: 'Remove' });
  await userEvent.click(remove);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  expect(remove.parentElement).toHaveClass('shakes');
});

test('Done ends the selection and leaves the focus on Edit', async () => {
  withProjects(lowTide);
  openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
});

test('a project without its first version can be continued or removed', async () => {
  withProjects(projectCalled('Half Begun', ana, { versionIds: [], versions: [], currentVersion: null, firstVersionId: 'v9' }));
  openPage('/projects');
  expect(await screen.findByText('Its first version is missing')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Continue' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Remove' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Half Begun' })).not.toBeInTheDocument();
});
