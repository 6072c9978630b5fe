import type { Push, PushChannel } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { isPersonal } from './push-filter';
import { projectTopic, type Topic, userTopic } from './topics';

/** A socket.io event that carries pushes; a feature names the channels it needs when it subscribes. */
export interface LiveChannel {
  readonly name: PushChannel;
  /** The topic whose room received the push, followed by other topics whose subscribers it concerns. */
  readonly topicsOf: (push: Push, uid: Uid) => readonly [Topic, ...Topic[]];
}

/** A channel about the user rather than a project: pushes go to the user's room. */
export const ownChannel = (name: PushChannel): LiveChannel => ({ name, topicsOf: (_push, uid) => [userTopic(uid)] });

/** A channel about projects: pushes go to the project's room, or to one user's room if they contain what only that user may see. */
export const projectChannel = (name: PushChannel): LiveChannel => ({
  name,
  topicsOf: (push, uid) => {
    if (!('projectId' in push)) return [userTopic(uid)];
    const project = projectTopic(push.projectId);
    return isPersonal(push) ? [userTopic(uid), project] : [project];
  },
});
