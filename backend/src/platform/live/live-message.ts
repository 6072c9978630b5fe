import { projectTopic, publicTopic, type Push, type PushChannel, type Topic } from '@roughmix/contracts/live.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { idInStream } from '../../kernel/stream-name.js';

/** The fields that an event gives to all its pushes; those about a project have its id as well. */
export type PushFacts = Pick<Push, 'actorUid' | 'commandId' | 'position'>;
export type ProjectPushFacts = PushFacts & { readonly projectId: Id };

export const factsOf = ({ meta, position }: StoredEvent): PushFacts => ({ actorUid: meta.actorUid, commandId: meta.commandId, position });
/** The facts of an event in a project's stream. */
export const projectFactsOf = (event: StoredEvent): ProjectPushFacts => ({ ...factsOf(event), projectId: idInStream(event) });

/**
 * Pushes for the rooms of some topics, built only when a socket of this process is in one of them. Each person gets them only if their access to the
 * topic, and to `subject`, still holds when they are sent.
 */
export interface Emission {
  readonly kind: 'emit';
  /** All of them get the same pushes. */
  readonly topics: readonly Topic[];
  readonly channel: PushChannel;
  /** Reads the views as they are now. [] when there is nothing to push. */
  readonly build: () => Promise<readonly Push[]>;
  /** The topic that the pushes show something of, when it is not the room's own: a project, in a `user:` room. */
  readonly subject?: Topic;
  /** The pushes only name what is gone. Everyone in the room gets them, even those who have just lost access. */
  readonly tellsOfLoss?: true;
}

/** People who lost access leave the room at once, before the steps that follow. */
export interface Eviction {
  readonly kind: 'evict';
  readonly topic: Topic;
  readonly uids: readonly Uid[] | 'everybody';
}

/** People whose access grew change rooms: visitors who became members. */
export interface Promotion {
  readonly kind: 'promote';
  readonly from: Topic;
  readonly to: Topic;
  readonly uids: readonly Uid[];
}

export type LiveStep = Emission | Eviction | Promotion;

/** Sources of one lane push in the order of the log. A lane that lags does not delay the others. */
export interface LaneName {
  readonly name: string;
  /** The topic kinds that its sources push to. */
  readonly kinds: readonly string[];
}

/** What a slice pushes to browsers. */
export interface PushSource {
  /** Sources without one share the lane 'main', which feeds every kind. */
  readonly lane?: LaneName;
  /** The steps of an event, in order. Names topics from the event's data and leaves reading views to `build`; reads only what it needs to name a topic. */
  steps(event: StoredEvent): readonly LiveStep[] | Promise<readonly LiveStep[]>;
}

/** An emission to the members and the visitors of a project. */
export const toProject = (projectId: Id, channel: PushChannel, build: Emission['build']): Emission => ({
  kind: 'emit',
  topics: [projectTopic(projectId), publicTopic(projectId)],
  channel,
  build,
});

/** A build without anything to read. */
export const built =
  <P extends Push>(...pushes: readonly P[]): (() => Promise<readonly P[]>) =>
  () =>
    Promise.resolve(pushes);

/** What is pushed for an item: its view, or its removal if it no longer exists. */
export interface ItemPushes<View, P> {
  readonly shown: (view: View) => P;
  readonly removed: (id: Id) => P;
  /** Whether the read model has parked the project: then a missing item may exist, and nothing is pushed for it. */
  readonly isParked: () => Promise<boolean>;
}

/** The pushes of items as they are now, in the order of their ids. `views` are those that were found. */
export async function currentPushes<View extends { readonly _id: Id }, P extends Push>(
  ids: readonly Id[],
  views: readonly View[],
  { shown, removed, isParked }: ItemPushes<View, P>,
): Promise<readonly P[]> {
  const found = new Map(views.map((view) => [view._id, view]));
  const mayExist = found.size < ids.length && (await isParked());
  return ids.flatMap((id): readonly P[] => {
    const view = found.get(id);
    if (view !== undefined) return [shown(view)];
    return mayExist ? [] : [removed(id)];
  });
}

export const PUSH_SOURCES = Symbol('PushSources');
export const PEOPLE_HERE = Symbol('PeopleHere');
