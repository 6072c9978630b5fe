import { Injectable } from '@nestjs/common';
import { type CollectionEvent, collectionsStream } from '@roughmix/contracts/collections/collection.events.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { Streams } from '../platform/streams/streams.js';
import { type CollectionCommand, collectionDecider, type CollectionsState } from './collection.decider.js';
import { COLLECTIONS } from './collections.documents.js';

/** Runs commands on the stream of a user's collections and waits until these show what they did. */
@Injectable()
export class CollectionStreams extends BoundStream<CollectionsState, CollectionCommand, CollectionEvent> {
  constructor(streams: Streams, readSide: ReadSide) {
    super({ decider: collectionDecider, stream: collectionsStream, collections: [COLLECTIONS] }, streams, readSide);
  }
}
