import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { openPage } from '../testing/open-page';
import { projectCalled, selfCalled } from '../testing/people-and-projects';

const ana = selfCalled('Ana');
const project = projectCalled('Low Tide', ana);
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [project] } }),
    'GET /api/projects/:id/visitor/ana': () => ({
      json: { data: { project, versions: project.versions, regions: [], todos: [], comments: [] } },
    }),
  });
});
afterEach(() => server.close());

const announced = () => [...document.querySelectorAll('[aria-live=polite]:not(section)')].map(({ textContent }) => textContent).filter((text) => text !== '');
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });

test('the first page keeps the focus where the browser put it, and is not announced', async () => {
  openPage('/projects');
  await heading('All Projects');
  expect(document.body).toHaveFocus();
  expect(announced()).toEqual([]);
});

test('a change of route moves the focus to the heading of the new page and announces its title', async () => {
  openPage('/projects');
  await userEvent.click(await screen.findByRole('link', { name: 'Low Tide' }));
  const title = await heading('Low Tide');
  await waitFor(() => expect(title).toHaveFocus());
  await waitFor(() => expect(announced()).toEqual(['Low Tide | Roughmix Studio beta']));

  await userEvent.tab();
  expect(title).not.toHaveAttribute('tabindex');

  const [list] = screen.getAllByRole('link', { name: 'Projects' });
  if (list) await userEvent.click(list);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'All Projects' })).toHaveFocus());
  await waitFor(() => expect(announced()).toEqual(['All Projects, Roughmix Studio beta']));
});

test('a late heading gets the focus only if the user has not moved it in the meantime', async () => {
  let resolveLoad: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => (resolveLoad = resolve));
  server.answer({
    'GET /api/projects/:id/visitor/ana': async () => {
      await loaded;
      return { json: { data: { project, versions: project.versions, regions: [], todos: [], comments: [] } } };
    },
  });
  const page = openPage('/projects');
  await heading('All Projects');
  await act(() => page.router.navigate(`/projects/${project._id}`));
  await screen.findByRole('status', { name: 'Loading the project' });
  act(() => screen.getByRole('button', { name: 'Account menu of Ana' }).focus());
  resolveLoad();

  await heading('Low Tide');
  await waitFor(() => expect(announced()).toEqual(['Low Tide | Roughmix Studio beta']));
  expect(screen.getByRole('button', { name: 'Account menu of Ana' })).toHaveFocus();
});

test('a new view of the same page leaves the focus alone', async () => {
  const page = openPage('/projects');
  const song = await screen.findByRole('link', { name: 'Low Tide' });
  act(() => song.focus());
  await act(() => page.router.navigate('/projects?view=all'));
  expect(page.address()).toBe('/projects?view=all');
  expect(song).toHaveFocus();
  expect(announced()).toEqual([]);
});
