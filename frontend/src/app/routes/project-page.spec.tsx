import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aComment, aReply } from '../../testing/comments';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { openPage } from '../../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { addressOfMoment, targetOf } from './project-page-address';

const ana = selfCalled('Ana');
const bob = personCalled('Bob');
const viewersLevel = { role: 'Viewer', access: 0, comment: false, download: false, write: false, owner: false } as const;
const missing = { status: 404, json: { code: 'project.not-found', status: 404, detail: 'There is no such project, or you have no access to it.' } };
const broken = { status: 500, json: { code: 'internal', status: 500, detail: 'Something went wrong on our side.' } };
let server: StubServer;

const answerWith = (project: ProjectView, comments: readonly CommentView[] = []) =>
  server.answer({ 'GET /api/projects/:id/visitor/ana': () => ({ json: { data: { project, versions: project.versions, regions: [], todos: [], comments } } }) });

beforeEach(async () => {
  sessionStorage.clear();
  localStorage.clear();
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [] } }),
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  scrollTo(0);
  return server.close();
});

const scrollTo = (top: number) => Object.defineProperty(window, 'scrollY', { value: top, configurable: true });

describe('the page', () => {
  test('a project that the user cannot see says so and links to the list', async () => {
    server.answer({ 'GET /api/projects/:id/visitor/ana': () => missing });
    const page = openPage('/projects/p9');
    expect(await screen.findByText('There is no such project, or you have no access to it.')).toBeInTheDocument();
    await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'Projects' }));
    await waitFor(() => expect(page.address()).toBe('/projects'));
  });

  test('a failure is shown, and Retry fetches again', async () => {
    server.answer({ 'GET /api/projects/:id/visitor/ana': () => broken });
    openPage('/projects/p1');
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
    answerWith(projectCalled('P1', ana));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'P1' })).toBeInTheDocument();
  });

  test('its owner invites, manages, adds, downloads and comments; Change Owner is shown and does nothing', async () => {
    answerWith(projectCalled('P1', ana));
    openPage('/projects/p1?tab=comments');
    for (const name of ['Invite Users', 'Manage users', 'New Version']) expect(await screen.findByRole('button', { name })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Download 1.0' })).toHaveAttribute('href', '/api/media/p1_v1/download');
    expect(await screen.findByRole('textbox', { name: 'New comment' })).toBeInTheDocument();
    expect(screen.getByText('No other users added (yet).')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'More project actions' }));
    expect(await screen.findByRole('menuitem', { name: /Change Owner/ })).toHaveAttribute('aria-disabled', 'true');
  });

  test('a viewer without rights sees no box, no invitation and no download, and can leave', async () => {
    answerWith(projectCalled('P1', bob, { addedUsers: [ana], userPermissions: { read: ['ana-0'], write: [] }, permissionLevel: viewersLevel }), [
      aComment('c1'),
    ]);
    openPage('/bob/projects/p1?tab=comments');
    expect(await screen.findByText('words of c1')).toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'New comment' })).not.toBeInTheDocument();
    for (const name of ['Invite Users', 'New Version']) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /Download/ })).not.toBeInTheDocument();
    expect(screen.getByText(/The owner of this project has not allowed you to download it\.$/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'More project actions' }));
    expect(await screen.findByRole('menuitem', { name: 'Leave project' })).toBeInTheDocument();
    expect(screen.queryByRole('menuitem', { name: /Change Owner/ })).not.toBeInTheDocument();
  });
});

test("an address under the owner's old username becomes the current one", async () => {
  answerWith(projectCalled('P1', bob, { addedUsers: [ana], permissionLevel: viewersLevel }), [aComment('c1')]);
  const page = openPage('/bob-the-elder/projects/p1?tab=comments');
  expect(await screen.findByText('words of c1')).toBeInTheDocument();
  await waitFor(() => expect(page.address()).toBe('/bob/projects/p1?tab=comments'));
});

describe('on the page', () => {
  test('the banner leads back to the projects', async () => {
    answerWith(projectCalled('P1', bob, { addedUsers: [ana], permissionLevel: viewersLevel }));
    const page = openPage('/bob/projects/p1');
    expect(within(await screen.findByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Projects' })).toHaveAttribute('aria-current', 'page');
    const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }));
    await userEvent.click(crumbs.getByRole('link', { name: 'Projects' }));
    await waitFor(() => expect(page.address()).toBe('/projects'));
  });

  test('an opened page starts at its top; back restores the scroll position', async () => {
    answerWith(projectCalled('P1', ana));
    server.answer({ 'GET /api/projects/ana': () => ({ json: { projects: [projectCalled('P1', ana)] } }) });
    const scrolled = jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const page = openPage('/projects');
    const link = await screen.findByRole('link', { name: 'P1' });
    scrollTo(700);
    scrolled.mockClear();
    await userEvent.click(link);
    await screen.findByRole('heading', { level: 1, name: 'P1' });
    expect(scrolled.mock.calls).toEqual([[0, 0]]);
    await act(() => page.router.navigate(-1));
    await screen.findByRole('link', { name: 'P1' });
    expect(scrolled.mock.calls.at(-1)).toEqual([0, 700]);
  });

  test('a project opened from the list shows its name while it loads; the route state carries the ids of project and owner', async () => {
    server.answer({
      'GET /api/projects/ana': () => ({ json: { projects: [projectCalled('P1', ana)] } }),
      'GET /api/projects/:id/visitor/ana': () => new Promise(() => undefined),
    });
    const page = openPage('/projects');
    await userEvent.click(await screen.findByRole('link', { name: 'P1' }));
    expect(await screen.findByRole('status', { name: 'Loading the project' })).toHaveTextContent('P1');
    expect(page.router.state.location.state).toEqual({ projectId: 'p1', ownerId: 'ana', projectName: 'P1' });
  });

  test('leaving asks first, then leads to the list', async () => {
    answerWith(projectCalled('P1', bob, { addedUsers: [ana], permissionLevel: viewersLevel }));
    server.answer({ 'POST /api/projects/p1/leave': () => ({ status: 204 }) });
    const page = openPage('/bob/projects/p1');
    await userEvent.click(await screen.findByRole('button', { name: 'More project actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Leave project' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave P1?' }));
    await userEvent.click(question.getByRole('button', { name: 'Leave project' }));
    expect(await screen.findByText('You left P1.')).toBeInTheDocument();
    await waitFor(() => expect(page.address()).toBe('/projects'));
  });

  test('without a version it says what to do', async () => {
    answerWith(projectCalled('P1', ana, { versions: [], versionIds: [], currentVersion: null, versionUrl: null, firstVersionId: 'v1' }));
    openPage('/projects/p1');
    expect(await screen.findByText("No versions (yet). Try uploading a song you're working on!")).toBeInTheDocument();
  });

  test('an address that names a reply opens its thread and highlights it', async () => {
    answerWith(projectCalled('P1', ana), [aComment('c1', { projectId: 'p1', replyIds: ['r1'] }), aReply('r1', 'c1', { projectId: 'p1' })]);
    openPage('/projects/p1?comment=r1');
    const reply = (await screen.findByText('words of r1')).closest('article');
    expect(reply).toHaveClass('is-highlighted');
    await waitFor(() => expect(reply).toHaveFocus());
  });

  test('the description is edited in place, and the choice to hide details is remembered', async () => {
    const project = projectCalled('P1', ana, { description: 'Slow one' });
    answerWith(project);
    server.answer({ 'PUT /api/projects/p1': () => ({ json: { updatedProject: { ...project, description: 'Fast one', position: 5 } } }) });
    openPage('/projects/p1');
    await userEvent.click(await screen.findByRole('button', { name: 'Edit the description' }));
    const area = screen.getByRole('textbox', { name: 'Description' });
    await userEvent.clear(area);
    await userEvent.type(area, 'Fast one');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Fast one')).toBeInTheDocument();
    expect(server.requests.at(-1)?.body).toEqual({ submission: { description: 'Fast one' } });
    await userEvent.click(screen.getByRole('button', { name: 'Hide details' }));
    expect(localStorage.getItem('roughmix.details')).toBe('no');
    expect(screen.queryByText('Fast one')).not.toBeInTheDocument();
  });
});

test('details arrive when they are shown again, not with the page', async () => {
  answerWith({ ...projectCalled('P1', ana), description: 'Slow one' });
  openPage('/projects/p1');
  const body = () => screen.getByText('Slow one').closest('.body');
  const hide = await screen.findByRole('button', { name: 'Hide details' });
  expect(body()).not.toHaveClass('arrives');
  await userEvent.click(hide);
  await userEvent.click(screen.getByRole('button', { name: 'Show details' }));
  expect(body()).toHaveClass('arrives');
});

test('signing out leads to the login, and takes the draft of a comment with it', async () => {
  answerWith(projectCalled('P1', ana));
  server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
  openPage('/projects/p1?tab=comments');
  await userEvent.type(await screen.findByRole('textbox', { name: 'New comment' }), 'Half a thou');
  expect(Object.keys(sessionStorage)).toContain('roughmix.draft.ana.p1');
  await userEvent.click(screen.getByRole('button', { name: 'Account menu of Ana' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
  expect(await screen.findByRole('heading', { name: 'Log In' })).toBeInTheDocument();
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('roughmix.draft'))).toEqual([]);
});

test('an address names a version, a moment or range, a region, a comment, a todo, a tab, a note', () => {
  const nowhere = { version: null, at: null, to: null, region: null, comment: null, todo: null, tab: null, note: null };
  const place = { version: '2.1', at: 77.4, to: null, region: 'r1', comment: 'c1', todo: 't1', tab: 'notes', note: 'private' };
  expect(targetOf(new URLSearchParams('v=2.1&t=1:17.4&region=r1&comment=c1&todo=t1&tab=notes&note=private'))).toEqual(place);
  expect(targetOf(new URLSearchParams('t=soon'))).toEqual(nowhere);
  expect(targetOf(new URLSearchParams('t=17.4-1:21'))).toEqual({ ...nowhere, at: 17.4, to: 81 });
  expect(targetOf(new URLSearchParams('t=21-17.4'))).toEqual({ ...nowhere, at: 21 });
  expect(addressOfMoment('https://mix.example/projects/p1?comment=c1', 'v2', 77.44)).toBe('https://mix.example/projects/p1?v=v2&t=77.4');
});
