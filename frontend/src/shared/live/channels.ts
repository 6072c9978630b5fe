import type { Push, PushChannel } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { isPersonal } from './push-filter';
import { projectTopic, type Topic, userTopic } from './topics';

/** A socket.io event that carries pushes; a feature names the channels it needs when it subscribes. */
export interface LiveChannel {
  readonly name: PushChannel;
  /** The topic of the room that a push was sent to, then other topics whose subscribers it concerns. */
  readonly topicsOf: (push: Push, uid: Uid) => readonly [Topic, ...Topic[]];
}

/** A channel of the user's own things, about no project: pushes go to their own room. */
export const ownChannel = (name: PushChannel): LiveChannel => ({ name, topicsOf: (_push, uid) => [userTopic(uid)] });

/** A channel about projects: pushes go to the project's room, or to the room of one user with what only they may know. */
export const projectChannel = (name: PushChannel): LiveChannel => ({
  name,
  topicsOf: (push, uid) => {
    if (!('projectId' in push)) return [userTopic(uid)];
    const project = projectTopic(push.projectId);
    return isPersonal(push) ? [userTopic(uid), project] : [project];
  },
});
