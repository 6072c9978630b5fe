import type { Ack } from '@roughmix/contracts/live.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveSocket } from './connection';
import { projectTopics } from './project-topics';
import type { TopicKind } from './topics';
import { userTopics } from './user-topics';

/** Where catch-up begins; both fields are absent when nothing was handled yet. */
export interface CatchUpFrom {
  readonly after?: Position;
  readonly log?: string;
}

/** The server's ack when it admits a connection to a room. */
export interface Entered {
  readonly position?: Position;
  /** The log that positions belong to. It changes when a backup is restored. */
  readonly log?: string;
  readonly reload?: true;
  /** Who is present, where presence is shown. */
  readonly users?: readonly PersonView[];
}

/** How the page handles topics of one kind. A new kind is one file like `project-topics.ts` and a line in {@link TOPIC_KINDS}. */
export interface TopicKindRules {
  /**
   * True if the room receives its pushes in the order of the log, so that a push completes all earlier positions. Other rooms are fed by several lanes of the
   * server, each at its own pace, and only acks complete a position there.
   */
  readonly isOrdered: boolean;
  readonly enter: (socket: ReturnType<LiveSocket['timeout']>, id: Id, from: CatchUpFrom) => Promise<Ack<Entered>>;
  /** Absent if the room lasts as long as the connection. */
  readonly leave?: (socket: LiveSocket, id: Id) => void;
  /** Refetches everything that belongs to the topic. */
  readonly refetch?: (cache: QueryClient, id: Id) => void;
  /** Reports who is present in the room of a topic, whenever the server sends it. */
  readonly onPresence?: (socket: LiveSocket, report: (id: Id, users: readonly PersonView[]) => void) => void;
}

export const TOPIC_KINDS: Readonly<Record<TopicKind, TopicKindRules>> = { project: projectTopics, user: userTopics };
