/** @jest-environment-options {"customExportConditions": ["node", "node-addons"]} */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectPush } from '@roughmix/contracts/live.js';
import type { PermissionLevel } from '@roughmix/contracts/projects/project.view.js';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { liveServer, type LiveServer } from '../../testing/live-server';
import { personCalled, projectCalled } from '../../testing/people-and-projects';
import { projectChannel } from './channels';
import type { LiveSubscriber } from './handlers';
import { createLive, type Live } from './live';
import { projectTopic } from './topics';

const longTimeout = { timeout: 10_000 };
const song = projectTopic('p1');

let server: LiveServer;
let live: Live;
let end: () => void;
let reloads: number;
const told: string[] = [];
const membership = (position: number, permissionLevel?: PermissionLevel): ProjectPush => ({
  type: 'ProjectPermissions',
  projectId: 'p1',
  actorUid: 'bob',
  commandId: null,
  uids: ['ana'],
  view: projectCalled('P1', personCalled('Bob')),
  position,
  ...(permissionLevel && { permissionLevel }),
});
const level = { role: 'Viewer', access: 0, comment: false, download: false, write: false, owner: false } as const;
const note = (source: string): LiveSubscriber => ({
  channels: [projectChannel('projects')],
  handlers: { ProjectPermissions: (_, { position }) => void told.push(`${source} ${position}`) },
  onMissed: () => void told.push(`${source} missed`),
});
/** Loses the connection, and waits until the tab has logged in again. */
const reconnect = async () => {
  const before = server.logins.length;
  server.newest()?.conn.close();
  await waitFor(() => expect(server.logins).toHaveLength(before + 1), longTimeout);
};

beforeEach(async () => {
  told.length = 0;
  reloads = 0;
  server = await liveServer();
  server.userRoom = { position: 30, log: 'log-1' };
  live = createLive(new QueryClient(), () => void (reloads += 1));
  end = live.start('ana');
});
afterEach(async () => {
  end();
  await server.close();
});

test('the room of the user is entered by the login, and caught up from the position of its last ack after a lost connection', async () => {
  live.listen(note('everywhere'));
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('projects', membership(45, level));
  server.newest()?.emit('projects', membership(57));
  await waitFor(() => expect(told).toContain('project 57'), longTimeout);
  await reconnect();
  expect(server.logins).toEqual([{}, { after: 30, log: 'log-1' }]);
  await waitFor(() => expect(server.joined[1]).toEqual({ projectId: 'p1', after: 56, log: 'log-1' }), longTimeout);
  server.newest()?.emit('projects', membership(45, level));
  server.newest()?.emit('projects', membership(61, level));
  await waitFor(() => expect(told.filter((one) => one.startsWith('everywhere'))).toEqual(['everywhere 45', 'everywhere 57', 'everywhere 61']), longTimeout);
});

test('a push to the user alone reaches the subscribers of its project as well', async () => {
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.newest()?.emit('projects', membership(45));
  server.newest()?.emit('projects', membership(45, level));
  await waitFor(() => expect(told).toEqual(['project 45', 'project 45']), longTimeout);
});

test('a private note is pushed to its owner alone, so it completes no position of the project', async () => {
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  const { owner, ...view } = projectCalled('P1', personCalled('Ana'));
  const notes = { public: '', private: 'mine', hash: { public: '', private: '' } };
  const facts = { projectId: 'p1', actorUid: 'ana', commandId: null, position: 45 };
  server.newest()?.emit('projects', { ...facts, type: 'ProjectNotes', view: { ...view, owner: { ...owner, notes } } });
  server.newest()?.emit('projects', membership(46, level));
  await waitFor(() => expect(told).toEqual(['project 46']), longTimeout);
  await reconnect();
  await waitFor(() => expect(server.joined[1]).toEqual({ projectId: 'p1', after: 40, log: 'log-1' }), longTimeout);
});

test('a user room that missed too much notifies the listeners of every topic, but does not refetch a project that missed nothing', async () => {
  live.listen(note('everywhere'));
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.userRoom = { position: 900, log: 'log-1', reload: true };
  await reconnect();
  await waitFor(() => expect(told).toEqual(['everywhere missed']), longTimeout);
  server.userRoom = { position: 950, log: 'log-1' };
  await reconnect();
  expect(server.logins[2]).toEqual({ after: 900, log: 'log-1' });
});

test('a different log in the ack of the login makes the page reload', async () => {
  await waitFor(() => expect(server.logins).toHaveLength(1), longTimeout);
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.userRoom = { position: 3, log: 'log-2', reload: true };
  await reconnect();
  await waitFor(() => expect(reloads).toBe(1), longTimeout);
  expect(server.joined).toHaveLength(1);
});

test('a server without catch-up for the user, whose ack contains no log, gets a plain login each time', async () => {
  server.userRoom = { position: 30 };
  await waitFor(() => expect(server.logins).toHaveLength(1), longTimeout);
  await reconnect();
  expect(server.logins).toEqual([{}, {}]);
});

test('a server that refuses catch-up of the user, as after a rollback, gets a plain login and admits the tab to its rooms', async () => {
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.refusesCatchUp = true;
  await reconnect();
  await waitFor(() => expect(server.logins).toEqual([{}, { after: 30, log: 'log-1' }, {}]), longTimeout);
  await waitFor(() => expect(server.joined).toHaveLength(2), longTimeout);
});

test('another user who signs in starts with a room of their own', async () => {
  await waitFor(() => expect(server.logins).toHaveLength(1), longTimeout);
  end();
  end = live.start('bob');
  await waitFor(() => expect(server.logins).toEqual([{}, {}]), longTimeout);
});

test('each login of a page that is shown again advances the position from which a lost connection catches up', async () => {
  live.join(song, note('project'), 12);
  await waitFor(() => expect(server.joined).toHaveLength(1), longTimeout);
  server.userRoom = { position: 70, log: 'log-1' };
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(server.logins).toHaveLength(2), longTimeout);
  server.newest()?.emit('projects', membership(71));
  await waitFor(() => expect(told).toEqual(['project 71']), longTimeout);
  await reconnect();
  expect(server.logins).toEqual([{}, {}, { after: 70, log: 'log-1' }]);
});
