import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { TopicKind } from './topics.js';

/** A slice's part in the catch-up of `user:` rooms: the streams whose events have pushes for a person. */
export interface UserStreams {
  /** Streams without events after the position may be left out. null: they are not known or too many, so the client has to reload. */
  streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null>;
}

/** The `user:` room: a person's own sockets, fed by streams of several slices. */
export function userTopicKind(sources: readonly UserStreams[]): TopicKind {
  return {
    kind: 'user',
    access: (id) => Promise.resolve((uid) => uid === id),
    async streamsOf(id, after) {
      const streams = new Set<string>();
      for (const source of sources) {
        const found = await source.streamsOf(id, after);
        if (found === null) return null;
        for (const stream of found) streams.add(stream);
      }
      return [...streams];
    },
  };
}
