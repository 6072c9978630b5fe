import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { GUEST_UID } from '../users/registrations.js';

const STARTED: keyof InquiryEvents = 'NotificationsStarted';

/** Whether the log holds nothing but what the first start appends: the guest's registration and the start of notifications. */
export async function isUntouched(store: EventStore): Promise<boolean> {
  const first = await store.readAll({ after: 0, limit: 3 });
  return first.every(({ stream, type }) => stream === userStream(GUEST_UID) || type === STARTED);
}

/** The versions of existing projects, by the id of the command that added them. */
export async function versionsAdded(store: EventStore): Promise<ReadonlyMap<string, Id>> {
  const found = new Map<string, { readonly stream: string; readonly versionId: Id }>();
  for (let after: Position = 0; ;) {
    const page = await store.readAll({ after });
    for (const { stream, type, data, meta } of page) {
      if (type === 'VersionAdded') found.set(meta.commandId, { stream, versionId: (data as VersionEvents['VersionAdded']).versionId });
      if (type !== 'ProjectRemoved') continue;
      for (const [commandId, version] of found) if (version.stream === stream) found.delete(commandId);
    }
    const last = page.at(-1);
    if (last === undefined) return new Map([...found].map(([commandId, { versionId }]) => [commandId, versionId]));
    after = last.position;
  }
}

/** Waits until all these versions are analysed or rejected. @returns the position of the last result, null on timeout (milliseconds) */
export async function waitUntilAnalysed(store: EventStore, versionIds: Iterable<Id>, milliseconds: number): Promise<Position | null> {
  const missing = new Set(versionIds);
  if (missing.size === 0) return 0;
  const signal = AbortSignal.timeout(milliseconds);
  for await (const page of store.subscribe({ after: 0, signal })) {
    for (const { type, data, position } of page) {
      if (type !== 'VersionAnalyzed' && type !== 'VersionRejected') continue;
      missing.delete((data as VersionEvents['VersionAnalyzed' | 'VersionRejected']).versionId);
      if (missing.size === 0) return position;
    }
  }
  return null;
}
