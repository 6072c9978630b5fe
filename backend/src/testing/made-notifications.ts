import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type NotificationDocument, NOTIFICATIONS } from '../notifications/notifications.documents.js';
import { notificationsProjector } from '../notifications/notifications.projector.js';
import type { DocumentStore } from '../platform/documents/documents.js';
import { physicalName } from '../platform/projections/projection-generations.js';
import { projectInto } from './projected-documents.js';
import { storedEvent } from './stored-event.js';
import type { TestStores } from './test-stores.js';

/** The start of the feature, at a position before which news counts as read. */
export const notificationsStarted = (position = 1): StoredEvent =>
  storedEvent<{ type: 'NotificationsStarted'; data: InquiryEvents['NotificationsStarted'] }>(
    { type: 'NotificationsStarted', data: {} },
    { stream: 'site', revision: 0, position },
  );

/** A collection of the notifications' projector, under the name in which it is stored. */
export const storedAs = (collection: string): string => physicalName(collection, notificationsProjector.version, 1);

/** Projects batches of events, in place of whatever was projected before. */
export async function projected({ documents }: TestStores, ...batches: readonly (readonly StoredEvent[])[]): Promise<DocumentStore> {
  const { name, collections } = notificationsProjector;
  for (const collection of collections) await documents.drop(storedAs(collection.name), name);
  await projectInto(documents, notificationsProjector, batches);
  return documents;
}

/** What the event at a position made, by receiver. */
export async function madeAt(documents: DocumentStore, position: number): Promise<readonly NotificationDocument[]> {
  const found = await documents.find(storedAs(NOTIFICATIONS), { where: { field: 'madeAt', value: position }, limit: 1_000 });
  return (found as unknown as readonly NotificationDocument[]).toSorted((one, other) => (one.receiverId < other.receiverId ? -1 : 1));
}
