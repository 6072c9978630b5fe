import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { notificationOf } from '../features/notifications/notification-fixture';
import '../features/notifications/invitation-question';
import '../features/notifications/notifications-panel';
import { giveHeights } from '../testing/give-heights';
import { openPage } from '../testing/open-page';
import { personCalled, projectCalled } from '../testing/people-and-projects';
import { startProjectServer } from '../testing/project-server';
import type { StubServer } from '../testing/stub-server';

const bob = personCalled('Bob');
const tune = projectCalled('Tune', bob);
const song = projectCalled('Song', bob);
const invited: NotificationView = notificationOf(bob, {
  type: 'ProjectUsersInvited',
  message: 'Bob invited you to Tune',
  parentResourceId: tune._id,
  parentResourceName: 'Tune',
  isUnread: false,
});
let server: StubServer;
let takeHeights: () => void;

beforeEach(async () => {
  takeHeights = giveHeights();
  let isIn = true;
  const counts = { other: 0, groups: 0, messages: 0, byGroup: {} };
  server = await startProjectServer(
    tune,
    {},
    {
      'GET /api/projects/ana': () => ({ json: { projects: isIn ? [tune, song] : [song] } }),
      'GET /api/notifications/ana': () => ({ json: { notifications: [{ ...invited, gone: !isIn }], counts, next: null, position: 5 } }),
      'POST /api/projects/tune/leave': () => {
        isIn = false;
        return { status: 204 };
      },
    },
  );
});
afterEach(async () => {
  takeHeights();
  await server.close();
});

async function leaveTune() {
  await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave Tune' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Leave Tune?' }));
  await userEvent.click(question.getByRole('button', { name: 'Leave project' }));
  expect(await screen.findByText('You left Tune.')).toBeInTheDocument();
}

test.each(['/projects', '/bob/projects/tune'])('a project that is left from its invitation leaves the list, and %s shows the list', async (address) => {
  const page = openPage(address);
  await screen.findAllByText('Tune');
  await leaveTune();
  await waitFor(() => expect(page.address()).toBe('/projects'));
  expect(await screen.findByText('Song')).toBeInTheDocument();
  await waitFor(() => expect(within(screen.getByRole('main')).queryByText('Tune')).not.toBeInTheDocument());
});
