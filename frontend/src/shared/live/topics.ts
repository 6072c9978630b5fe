import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';

/** What a push is about. `project` covers the server's `public:` rooms as well: the server admits members and visitors through the same message. */
export type TopicKind = 'project' | 'user';

export interface Topic {
  readonly kind: TopicKind;
  readonly id: Id;
}

export const projectTopic = (projectId: Id): Topic => ({ kind: 'project', id: projectId });
export const userTopic = (uid: Uid): Topic => ({ kind: 'user', id: uid });

/** A topic as a key of maps: `project:…`. */
export type TopicKey = `${TopicKind}:${Id}`;
export const topicKey = ({ kind, id }: Topic): TopicKey => `${kind}:${id}`;
