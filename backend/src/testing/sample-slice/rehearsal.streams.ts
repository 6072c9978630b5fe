import { Injectable } from '@nestjs/common';
import { ReadSide } from '../../platform/projections/read-side.js';
import { BoundStream } from '../../platform/streams/bound-stream.js';
import { Streams } from '../../platform/streams/streams.js';
import { type RehearsalCommand, rehearsalDecider, type RehearsalState } from './rehearsal.decider.js';
import { type RehearsalEvent, rehearsalStream } from './rehearsal.events.js';
import { REHEARSALS } from './rehearsals.documents.js';

/** Runs commands on a rehearsal's stream and waits until the rehearsal shows what they did. */
@Injectable()
export class RehearsalStreams extends BoundStream<RehearsalState, RehearsalCommand, RehearsalEvent> {
  constructor(streams: Streams, readSide: ReadSide) {
    super({ decider: rehearsalDecider, stream: rehearsalStream, collections: [REHEARSALS] }, streams, readSide);
  }
}
