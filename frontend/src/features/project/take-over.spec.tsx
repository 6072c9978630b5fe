import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Role } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { REMOVED_USER } from '@roughmix/contracts/users/user.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openPage } from '../../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const nobody = { ...personCalled('Zora'), username: REMOVED_USER, firstName: '', lastName: '' };
const levelOf = (role: Role) => ({ role, access: 3, comment: true, download: true, write: role === 'Collaborator', owner: false }) as const;
const orphan = (role: Role, write: readonly string[] = []) =>
  projectCalled('Low Tide', nobody, { permissionLevel: levelOf(role), userPermissions: { read: ['ana-3'], write: [...write] } });

let server: StubServer;
beforeEach(async () => {
  server = await startStubServer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }) });
});
afterEach(() => server.close());

const withProject = (project: ProjectView) =>
  server.answer({
    'GET /api/projects/:id/visitor/ana': () => ({ json: { data: { project, versions: project.versions, regions: [], todos: [], comments: [] } } }),
  });
function open(project: ProjectView) {
  withProject(project);
  return openPage('/[removed-user]/projects/low_tide');
}
const become = () => screen.findByRole('button', { name: 'Become the owner' });

test.each<[who: string, project: ProjectView]>([
  ['a collaborator', orphan('Collaborator', ['ana-3'])],
  ['a viewer, if there are no collaborators,', orphan('Viewer')],
])('%s can become the owner of a project whose owner was removed', async (_who, project) => {
  const own = projectCalled('Low Tide', ana, { position: 2 });
  const page = open(project);
  await userEvent.click(await become());
  const question = await screen.findByRole('alertdialog', { name: 'Become the owner of Low Tide?' });
  expect(question).toHaveTextContent('The other members keep their permissions, and all files and texts stay.');
  withProject(own);
  server.answer({ 'POST /api/projects/:id/takeOver': () => ({ json: { updatedProject: own } }) });
  await userEvent.click(within(question).getByRole('button', { name: 'Become the owner' }));
  await waitFor(() => expect(page.address()).toBe('/projects/low_tide'));
  expect(await screen.findByText('You are now the owner of Low Tide.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Become the owner' })).not.toBeInTheDocument());
});

test('a viewer beside collaborators only learns that one of these can', async () => {
  open(orphan('Viewer', ['bob-3']));
  expect(await screen.findByText("The account of this project's owner was removed. A collaborator can become the owner.")).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Become the owner' })).not.toBeInTheDocument();
});

test.each<[who: string, project: ProjectView]>([
  ['visitors', orphan('Visitor')],
  ['members of a project that has an owner', { ...orphan('Collaborator', ['ana-3']), owner: { ...orphan('Visitor').owner, username: 'Zora' } }],
])('%s see nothing of it', async (_who, project) => {
  open(project);
  await screen.findByRole('heading', { level: 1, name: 'Low Tide' });
  expect(screen.queryByText(/owner was removed/)).not.toBeInTheDocument();
});

test('if another member was faster, it says so', async () => {
  open(orphan('Collaborator', ['ana-3', 'bob-3']));
  server.answer({
    'POST /api/projects/:id/takeOver': () => ({ status: 409, json: { code: 'project.has-owner', status: 409, detail: 'There is already an owner.' } }),
  });
  await userEvent.click(await become());
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Become the owner' }));
  expect(await screen.findByText('There is already an owner.')).toBeInTheDocument();
});
