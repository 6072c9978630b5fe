import { Injectable } from '@nestjs/common';
import { type InboxEvent, inboxStream } from '@roughmix/contracts/notifications/notification.events.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { Streams } from '../platform/streams/streams.js';
import { type InboxCommand, inboxDecider } from './inbox.decider.js';
import { INBOXES, NOTIFICATIONS } from './notifications.documents.js';

/** Runs commands on a user's inbox and waits until their notifications show what they did. */
@Injectable()
export class InboxStreams extends BoundStream<Readonly<Record<string, never>>, InboxCommand, InboxEvent> {
  constructor(streams: Streams, readSide: ReadSide) {
    super({ decider: inboxDecider, stream: inboxStream, collections: [INBOXES, NOTIFICATIONS] }, streams, readSide);
  }
}
