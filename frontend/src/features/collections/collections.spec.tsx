import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { openPage } from '../../testing/open-page';
import { collectionCalled, personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const projects = [
  projectCalled('Low Tide', ana),
  projectCalled('Paper Moon', ana),
  projectCalled('Ferry Demo', personCalled('Bob'), {
    permissionLevel: { role: 'Viewer', access: 1, comment: true, download: false, write: false, owner: false },
  }),
];
const collection = (title: string, ids: readonly string[], position?: number): CollectionView => collectionCalled(title, ana, ids, position);

let server: StubServer;
beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects } }),
  });
});
afterEach(() => server.close());

const withCollections = (...collections: CollectionView[]) => server.answer({ 'GET /api/collections/ana': () => ({ json: { collections } }) });
const sidebar = () => within(screen.getByRole('navigation', { name: 'Collections' }));
const rows = () =>
  sidebar()
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const listed = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const select = async (...names: string[]) => {
  for (const name of names) await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
};
const sent = () => server.requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
/** Answers edits with the collection as it is afterwards. */
const answerEdits = (updatedCollection: CollectionView) => server.answer({ 'PUT /api/collections/ana/:id': () => ({ json: { updatedCollection } }) });

test('each collection is listed with the count of its projects, and shows only these', async () => {
  withCollections(collection('Sketches', ['paper_moon']), collection('Empty', []));
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('link', { name: /Sketches/ }));
  await waitFor(() => expect(page.address()).toBe('/projects?collection=sketches'));
  expect(rows()).toEqual(['All Projects3', 'Projects shared with you1', 'Sketches1', 'Empty0']);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Sketches');
  expect(listed()).toEqual(['Paper Moon']);
  await userEvent.click(screen.getByRole('link', { name: /Empty/ }));
  expect(await screen.findByText('No projects in this collection (yet).')).toBeInTheDocument();
});

test('on narrow screens they are in the dropdown, which in edit mode can also rename and remove the shown one', async () => {
  withCollections(collection('Sketches', ['paper_moon']));
  openPage('/projects?collection=sketches');
  const entries = async () => {
    await press(/^Sketches/);
    const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    await userEvent.keyboard('{Escape}');
    return names;
  };
  await screen.findByRole('link', { name: 'Paper Moon' });
  const usual = ['All Projects3', 'Projects shared with you1', 'Sketches1', 'New collection'];
  expect(await entries()).toEqual(usual);
  await press('Edit');
  expect(await entries()).toEqual([...usual, 'Rename this collection', 'Remove this collection']);
});

test('a new collection needs a title, and opens once it is added', async () => {
  withCollections();
  server.answer({ 'POST /api/collections/ana': () => ({ status: 201, json: { newCollection: collection('Sketches', []) } }) });
  const page = openPage('/projects');
  await press('New collection');
  const form = within(await screen.findByRole('dialog', { name: 'New collection' }));
  expect(form.getByRole('button', { name: 'Add' })).toBeDisabled();
  await userEvent.type(form.getByLabelText('Title'), '  ');
  expect(form.getByRole('button', { name: 'Add' })).toBeDisabled();
  await fill(form.getByLabelText('Title'), 'Sketches');
  await userEvent.click(form.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(page.address()).toBe('/projects?collection=sketches'));
  expect(sent()).toEqual([['POST', '/api/collections/ana', { submission: { title: 'Sketches', projects: [] } }]]);
});

test('a title over the limit, or a refusal, is explained in the form', async () => {
  withCollections();
  server.answer({
    'POST /api/collections/ana': () => ({ status: 409, json: { code: 'collection.too-many', status: 409, detail: 'You can have at most 200 collections.' } }),
  });
  openPage('/projects');
  await press('New collection');
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(form.getByLabelText('Title'));
  await userEvent.paste('x'.repeat(81));
  expect(form.getByText('Collection titles have at most 80 characters')).toBeInTheDocument();
  await userEvent.keyboard('{Backspace}{Enter}');
  expect(await form.findByText('You can have at most 200 collections.')).toBeInTheDocument();
});

describe('edit mode', () => {
  test('shows a pencil and a trash icon on each collection, which otherwise are not there', async () => {
    withCollections(collection('Sketches', []));
    openPage('/projects');
    await screen.findByRole('link', { name: /Sketches/ });
    expect(screen.queryByRole('button', { name: 'Remove collection Sketches' })).not.toBeInTheDocument();
    await press('Edit');
    answerEdits({ ...collection('Demos', [], 2), _id: 'sketches' });
    await press('Rename collection Sketches');
    const form = within(await screen.findByRole('dialog', { name: 'Rename collection' }));
    expect(form.getByLabelText('Title')).toHaveValue('Sketches');
    await userEvent.clear(form.getByLabelText('Title'));
    await userEvent.type(form.getByLabelText('Title'), 'Demos{Enter}');
    expect(await screen.findByRole('link', { name: /Demos/ })).toBeInTheDocument();
    expect(sent()).toEqual([['PUT', '/api/collections/ana/sketches', { title: 'Demos' }]]);
  });

  test('removes a collection after a confirmation that says that its projects stay', async () => {
    withCollections(collection('Sketches', ['paper_moon']));
    server.answer({ 'POST /api/collections/ana/:id': () => ({ json: { success: true }, headers: { 'X-Position': '9' } }) });
    const page = openPage('/projects?collection=sketches');
    await press('Edit');
    await press('Remove collection Sketches');
    const question = await screen.findByRole('alertdialog', { name: 'Remove Sketches?' });
    expect(question).toHaveTextContent('Are you sure you want to remove this collection?');
    expect(question).toHaveTextContent('The projects in it are kept.');
    await userEvent.click(within(question).getByRole('button', { name: 'Remove collection' }));
    await waitFor(() => expect(page.address()).toBe('/projects'));
    await waitFor(() => expect(rows()).toEqual(['All Projects3', 'Projects shared with you1']));
    expect(listed()).toContain('Paper Moon');
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });
});

describe('for selected projects', () => {
  test('adds the selected projects to a collection, without those that are in it', async () => {
    withCollections(collection('Sketches', ['paper_moon']));
    answerEdits(collection('Sketches', ['paper_moon', 'low_tide'], 2));
    openPage('/projects');
    await press('Edit');
    await select('Low Tide', 'Paper Moon');
    await press('Add to collection');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sketches' }));
    expect(await screen.findByText('1 project added to Sketches')).toBeInTheDocument();
    expect(sent()).toEqual([['PUT', '/api/collections/ana/sketches', { projectIds: ['low_tide'], willAdd: true }]]);
    expect(rows()).toContain('Sketches2');
  });

  test('makes a new collection of the selected projects', async () => {
    withCollections();
    server.answer({ 'POST /api/collections/ana': () => ({ status: 201, json: { newCollection: collection('Sketches', ['low_tide']) } }) });
    const page = openPage('/projects');
    await press('Edit');
    await select('Low Tide');
    await press('Add to collection');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'New collection' }));
    await userEvent.type(await screen.findByLabelText('Title'), 'Sketches{Enter}');
    expect(await screen.findByText('1 project added to Sketches')).toBeInTheDocument();
    expect(sent()).toEqual([['POST', '/api/collections/ana', { submission: { title: 'Sketches', projects: ['low_tide'] } }]]);
    expect(page.address()).toBe('/projects');
  });

  test('takes the selected projects out of the collection that is shown', async () => {
    withCollections(collection('Sketches', ['paper_moon', 'low_tide']));
    answerEdits(collection('Sketches', ['low_tide'], 2));
    openPage('/projects?collection=sketches');
    await press('Edit');
    await select('Paper Moon');
    await press('Remove from Sketches');
    expect(await screen.findByText('1 project removed from Sketches')).toBeInTheDocument();
    expect(sent()).toEqual([['PUT', '/api/collections/ana/sketches', { projectIds: ['paper_moon'], willAdd: false }]]);
    expect(listed()).toEqual(['Low Tide']);
    expect(screen.getByText('0 selected')).toBeInTheDocument();
  });

  test('with nothing applicable selected, the buttons only shake', async () => {
    withCollections(collection('Sketches', ['paper_moon']));
    openPage('/projects?collection=sketches');
    await press('Edit');
    for (const name of ['Add to collection', 'Remove from Sketches']) {
      await press(name);
      expect(screen.getByRole('button', { name }).parentElement).toHaveClass('shakes');
    }
    await userEvent.click(screen.getByRole('link', { name: /All Projects/ }));
    await select('Paper Moon');
    await press('Add to collection');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sketches' }));
    expect(screen.getByRole('button', { name: 'Add to collection' }).parentElement).toHaveClass('shakes');
    expect((await server.settledRequests()).filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('keeps the selection after a failure, which can be retried', async () => {
    withCollections(collection('Sketches', []));
    server.answer({ 'PUT /api/collections/ana/:id': () => ({ status: 404, json: { code: 'project.not-found', status: 404, detail: 'It is gone.' } }) });
    openPage('/projects');
    await press('Edit');
    await select('Low Tide');
    await press('Add to collection');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sketches' }));
    expect(await screen.findByText('It is gone.')).toBeInTheDocument();
    expect(screen.getByText('1 selected')).toBeInTheDocument();
    answerEdits(collection('Sketches', ['low_tide'], 2));
    await press('Retry');
    await waitFor(() => expect(rows()).toContain('Sketches1'));
  });
});

test('collections that fail to load can be retried, and the projects are there all the same', async () => {
  server.answer({ 'GET /api/collections/ana': () => ({ status: 500, json: { code: 'internal', status: 500, detail: 'Broken.' } }) });
  openPage('/projects');
  expect(await screen.findByRole('link', { name: 'Low Tide' })).toBeInTheDocument();
  expect(await screen.findByText('Your collections failed to load.')).toBeInTheDocument();
  withCollections(collection('Sketches', []));
  await press('Retry');
  expect(await screen.findByRole('link', { name: /Sketches/ })).toBeInTheDocument();
});

test('a collection that does not exist leads to all projects', async () => {
  withCollections();
  const { address } = openPage('/projects?collection=gone');
  expect(await screen.findByRole('heading', { level: 1, name: 'All Projects' })).toBeInTheDocument();
  await waitFor(() => expect(listed()).toEqual(['Low Tide', 'Paper Moon', 'Ferry Demo']));
  await waitFor(() => expect(address()).toBe('/projects'));
});

test('guests cannot add a collection', async () => {
  server.answer({ 'GET /api/auth/session': () => ({ json: { user: { ...ana, isGuest: true }, staffRole: null } }) });
  withCollections();
  openPage('/projects');
  await press('New collection');
  expect(await screen.findByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
