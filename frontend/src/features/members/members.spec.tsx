import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { InviteUsersDialog } from './invite-users-dialog';
import { ProjectUsersDialog } from './project-users-dialog';

const ana = selfCalled('Ana');
const [bob, cleo] = [personCalled('Bob'), personCalled('Cleo')];
const project = projectCalled('P1', ana, { addedUsers: [bob, cleo], userPermissions: { read: ['bob-1'], write: ['cleo-3'] } });
const HINT = 'Without download rights there is no download button, but anyone who can listen can still keep a copy.';
const owner = { uid: 'ana', role: 'Owner', access: null, may: { comment: true, download: true, write: true, owner: true } } as const;
const viewer = { uid: 'bob', role: 'Viewer', access: 1, may: { comment: true, download: false, write: false, owner: false } } as const;
const refused = { status: 400, json: { code: 'invite.unknown-user', status: 400, detail: 'One of these people cannot be invited.' } };
let server: StubServer;
let closed = 0;

beforeEach(async () => {
  closed = 0;
  server = await startStubServer({
    'GET /api/users/ana/fetchUserConnections': () => ({ json: { connections: [] } }),
    'GET /api/users/search': () => ({ json: { users: [bob, personCalled('Bobby'), ana] } }),
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});
const close = () => void (closed += 1);
function closesAfter3s() {
  pass(2_999);
  expect(closed).toBe(0);
  pass(1);
  expect(closed).toBe(1);
}

async function openInvite() {
  renderFor(ana, <InviteUsersDialog project={project} onClose={close} onProject={() => undefined} />);
  return within(await screen.findByRole('dialog', { name: 'Invite Users' }));
}

test('offers connections before anything is typed, and first after that; only an arrow key makes one active', async () => {
  const [zoe, dora] = [personCalled('Zoe'), personCalled('Dora')];
  server.answer({
    'GET /api/users/ana/fetchUserConnections': () => ({ json: { connections: [bob, dora, zoe] } }),
    'GET /api/users/search': () => ({ json: { users: [personCalled('Zoela'), zoe] } }),
  });
  const dialog = await openInvite();
  await dialog.findByRole('option', { name: /Dora/ });
  const offered = () => dialog.getAllByRole('option').map(({ textContent }) => textContent);
  expect(offered()).toEqual(['DoraDora', 'ZoeZoe']);
  await userEvent.keyboard('{Enter}');
  expect(dialog.queryByRole('list', { name: 'Selected people' })).not.toBeInTheDocument();
  await userEvent.type(dialog.getByRole('combobox', { name: 'People' }), 'zo');
  expect(offered()).toEqual(['ZoeZoe']);
  await dialog.findByRole('option', { name: /Zoela/ });
  expect(offered()).toEqual(['ZoeZoe', 'ZoelaZoela']);
  await userEvent.clear(dialog.getByRole('combobox', { name: 'People' }));
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(within(dialog.getByRole('list', { name: 'Selected people' })).getByText('Dora')).toBeInTheDocument();
});

describe('Invite Users', () => {
  test('starts with comment and download on and write off, and hints at 140 characters', async () => {
    const dialog = await openInvite();
    await waitFor(() => expect(dialog.getByRole('combobox', { name: 'People' })).toHaveFocus());
    expect(dialog.getByRole('switch', { name: 'Comment' })).toBeChecked();
    expect(dialog.getByRole('switch', { name: 'Download' })).toBeChecked();
    expect(dialog.getByRole('switch', { name: /^Write/ })).not.toBeChecked();
    expect(dialog.getByPlaceholderText('Add a message, up to 140 characters')).toBeInTheDocument();
  });

  test('requires at least one person', async () => {
    const dialog = await openInvite();
    await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Select user(s) first.');
    expect((await server.settledRequests()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('does not suggest members, sends people with their level, confirms, and closes after 3 s', async () => {
    const dialog = await openInvite();
    await userEvent.type(dialog.getByRole('combobox', { name: 'People' }), 'bob');
    await dialog.findByRole('option', { name: /Bobby/, selected: true });
    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['BobbyBobby']);
    await userEvent.keyboard('{Enter}');
    await userEvent.click(dialog.getByRole('switch', { name: 'Download' }));
    await userEvent.type(dialog.getByLabelText('Message'), 'Come in');
    server.answer({ 'PUT /api/projects/ana/inviteUsers/p1': () => refused });
    await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('One of these people cannot be invited.');
    expect(dialog.getByLabelText('Message')).toHaveValue('Come in');

    server.answer({ 'PUT /api/projects/ana/inviteUsers/p1': () => ({ json: { updatedProject: project } }) });
    stopClock();
    fireEvent.click(dialog.getByRole('button', { name: 'Retry' }));
    await meanwhile(() => expect(dialog.getByText('Invitations sent.')).toBeInTheDocument());
    expect(server.requests.at(-1)?.body).toEqual({ invitedUsers: ['bobby-1'], writeAccess: false, message: 'Come in' });
    closesAfter3s();
  });

  test('Enter does not pick a result of the previous search text', async () => {
    const boris = personCalled('Boris');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const found = async ({ path }: { readonly path: string }) => {
      if (!path.endsWith('bor')) return { json: { users: [personCalled('Bobby'), boris] } };
      await released;
      return { json: { users: [boris] } };
    };
    server.answer({ 'GET /api/users/search': found });
    const dialog = await openInvite();
    await userEvent.type(dialog.getByRole('combobox', { name: 'People' }), 'bo');
    await dialog.findByRole('option', { name: /Bobby/ });
    await userEvent.keyboard('r{ArrowDown}{Enter}');
    expect(dialog.queryByRole('list', { name: 'Selected people' })).not.toBeInTheDocument();

    release();
    await dialog.findByRole('option', { name: /Boris/, selected: true });
    expect(dialog.getAllByRole('option')).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    expect(within(dialog.getByRole('list', { name: 'Selected people' })).getByText('Boris')).toBeInTheDocument();
  });

  test('write access sets the level to 3, regardless of the other switches', async () => {
    const dialog = await openInvite();
    server.answer({ 'PUT /api/projects/ana/inviteUsers/p1': () => ({ json: { updatedProject: project } }) });
    await userEvent.type(dialog.getByRole('combobox', { name: 'People' }), 'bob');
    await dialog.findByRole('option', { name: /Bobby/, selected: true });
    await userEvent.keyboard('{Enter}');
    await userEvent.click(dialog.getByRole('switch', { name: 'Comment' }));
    await userEvent.click(dialog.getByRole('switch', { name: /^Write/ }));
    expect(dialog.getByRole('switch', { name: 'Comment' })).toBeDisabled();
    await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
    await dialog.findByText('Invitations sent.');
    expect(server.requests.at(-1)?.body).toEqual({ invitedUsers: ['bobby-3'], writeAccess: true });
  });
});

describe('Project Users', () => {
  async function open(who: Parameters<typeof ProjectUsersDialog>[0]['viewer'] = owner) {
    renderFor(ana, <ProjectUsersDialog project={project} viewer={who} onClose={close} onProject={() => undefined} />);
    return within(await screen.findByRole('dialog', { name: 'Project Users' }));
  }

  test('marks changed members, and unmarks them when the change is undone', async () => {
    const dialog = await open();
    const row = within(dialog.getByRole('listitem', { name: 'Bob' }));
    const downloads = row.getByRole('checkbox', { name: 'downloads of Bob' });
    await userEvent.click(downloads);
    expect(row.getByText('Modified')).toBeInTheDocument();
    await userEvent.click(downloads);
    expect(row.queryByText('Modified')).not.toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  test('a removal is marked, can be undone, and only changes are sent; it closes after 3 s', async () => {
    const dialog = await open();
    server.answer({ 'PUT /api/projects/ana/editPermissions/p1': () => ({ json: { updatedProject: project } }) });
    await userEvent.click(dialog.getByRole('button', { name: 'Remove Bob' }));
    expect(dialog.getByText('will be removed')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Undo removing Bob' }));
    expect(dialog.queryByText('will be removed')).not.toBeInTheDocument();

    await userEvent.click(dialog.getByRole('button', { name: 'Remove Bob' }));
    await userEvent.click(within(dialog.getByRole('listitem', { name: 'Cleo' })).getByRole('button', { name: /Role of Cleo/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Viewer' }));
    expect(dialog.getByText('2 changes')).toBeInTheDocument();
    stopClock();
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await meanwhile(() => expect(dialog.getByText('Changes saved.')).toBeInTheDocument());
    expect(server.requests.at(-1)?.body).toEqual({
      permissionDiffs: [
        { uid: 'bob', permissions: { comment: true, download: false }, write: false, removed: true },
        { uid: 'cleo', permissions: { comment: true, download: true }, write: false },
      ],
    });
    closesAfter3s();
  });

  test('members other than the owner see a read-only list', async () => {
    const dialog = await open(viewer);
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'AnaOwner',
      'BobcommentsViewer',
      'Cleocomments, downloadsCollaborator',
    ]);
    expect(dialog.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
  });
});

test('a member who gives or takes the download right reads what it does and what it does not', async () => {
  const shared = { project, onClose: close, onProject: () => undefined };
  const says = async (name: string) => within(await screen.findByRole('dialog', { name })).queryByText(HINT) !== null;
  const { unmount } = renderFor(ana, <InviteUsersDialog {...shared} />);
  expect(await says('Invite Users')).toBe(true);
  unmount();
  const users = renderFor(ana, <ProjectUsersDialog {...shared} viewer={owner} />);
  expect(await says('Project Users')).toBe(true);
  users.unmount();
  renderFor(ana, <ProjectUsersDialog {...shared} viewer={viewer} />);
  expect(await says('Project Users')).toBe(false);
});
