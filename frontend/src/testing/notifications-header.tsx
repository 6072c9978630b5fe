import type { NotificationPush } from '@roughmix/contracts/live.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { notificationOf } from '../features/notifications/notification-fixture';
import { NotificationsMenu, useNotifications } from '../features/notifications/notifications-menu';
import '../features/notifications/notifications-panel';
import { PopIns } from '../features/notifications/pop-ins';
import { handle, type LiveSubscriber } from '../shared/live/handlers';
import type { Live } from '../shared/live/live';
import { LiveProvider } from '../shared/live/live-provider';
import { giveHeights } from './give-heights';
import { idleLive } from './open-page';
import { personCalled, selfCalled } from './people-and-projects';
import { startStubServer, type StubServer } from './stub-server';
import { renderFor } from './with-session';

export const bob = personCalled('Bob');
export const comment = notificationOf(bob);
export const invited = notificationOf(bob, {
  _id: 'n2',
  type: 'ProjectUsersInvited',
  message: 'Bob invited you to Tune: Come in',
  parentResourceId: 'tune',
  parentResourceName: 'Tune',
  href: '/bob/projects/tune',
  refs: { projectId: 'tune' },
});
export const counts = (other: number) => ({ other, groups: 0, messages: 0, byGroup: {} });
export const added = (view: NotificationView, other = 1): NotificationPush => ({
  type: 'NotificationAdded',
  view,
  counts: counts(other),
  actorUid: 'bob',
  commandId: null,
  position: view.position,
});

export const bell = () => screen.findByRole('button', { name: /^Notifications/ });
export async function openList() {
  await userEvent.click(await bell());
  return within(await screen.findByRole('dialog', { name: 'Notifications' }));
}

interface HeaderOptions {
  readonly unread?: number;
  /** The project whose page is open. */
  readonly viewed?: string | null;
}

/** A server, and the header of a page that shows Ana's notifications. */
export interface NotificationsHeader extends StubServer {
  /** Shows the header, with these notifications on the server. */
  readonly show: (list: readonly NotificationView[], options?: HeaderOptions) => { readonly push: (push: NotificationPush) => void };
  /** The path and body of each command so far. */
  readonly commands: () => Promise<readonly (readonly [path: string, body: unknown])[]>;
  /** The changes of the checklist that were sent. */
  readonly ticked: readonly unknown[];
}

const Address = () => <output aria-label="Address">{useLocation().pathname + useLocation().search}</output>;

function Header({ viewed }: { readonly viewed: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const { unread } = useNotifications('ana');
  return (
    <>
      <NotificationsMenu uid="ana" unread={unread} isOpen={isOpen} onOpenChange={setOpen} onLeft={() => undefined} />
      <PopIns uid="ana" viewedProject={viewed} />
      <Address />
    </>
  );
}

export async function startNotificationsHeader(): Promise<NotificationsHeader> {
  const server = await startStubServer({});
  const takeHeights = giveHeights();
  const ticked: unknown[] = [];
  const subscribers = new Set<LiveSubscriber>();
  const live: Live = {
    ...idleLive(() => undefined),
    listen: (subscriber) => {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    tickChecklist: async (change) => {
      ticked.push(change);
      return { ok: true, checklist: { tutorial: true, upload: true, share: true, feedback: true } };
    },
  };
  return {
    ...server,
    ticked,
    show: (list, { unread = list.filter(({ isUnread }) => isUnread).length, viewed = null } = {}) => {
      server.answer({ 'GET /api/notifications/ana': () => ({ json: { notifications: list, counts: counts(unread), next: null, position: 5 } }) });
      const { cache } = renderFor(
        selfCalled('Ana'),
        <MemoryRouter initialEntries={['/projects']}>
          <LiveProvider live={live}>
            <Header viewed={viewed} />
          </LiveProvider>
        </MemoryRouter>,
        { bringsRouter: true },
      );
      return { push: (push) => act(() => subscribers.forEach(({ handlers }) => handle(handlers, cache, push))) };
    },
    commands: async () => (await server.settledRequests()).filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body] as const),
    close: async () => {
      takeHeights();
      await server.close();
    },
  };
}
