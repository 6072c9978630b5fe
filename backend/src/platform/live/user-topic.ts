import { Inject, Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { TopicKind, TopicSource } from './topics.js';

/** A slice's part in the catch-up of `user:` rooms: the streams whose events have pushes for a person. */
export interface UserStreams {
  /** Streams without events after the position may be left out. null: they are not known or too many, so the client has to reload. */
  streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null>;
}

export const USER_STREAMS = Symbol('UserStreams');

/** The `user:` room: a person's own sockets, fed by streams of several slices. */
@Injectable()
export class UserTopic implements TopicSource {
  readonly kinds: readonly TopicKind[];

  constructor(@Inject(USER_STREAMS) sources: readonly UserStreams[]) {
    this.kinds = [{ kind: 'user', access: (id) => Promise.resolve((uid) => uid === id), streamsOf: (id, after) => allStreams(sources, id, after) }];
  }
}

async function allStreams(sources: readonly UserStreams[], uid: Uid, after: Position): Promise<readonly string[] | null> {
  const streams = new Set<string>();
  for (const source of sources) {
    const found = await source.streamsOf(uid, after);
    if (found === null) return null;
    for (const stream of found) streams.add(stream);
  }
  return [...streams];
}
