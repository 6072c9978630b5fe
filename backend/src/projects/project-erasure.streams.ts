import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../kernel/decider.js';
import { idInStream } from '../kernel/stream-name.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Logger } from '../platform/logger.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { BLOBS, EVENT_STORE, LOG } from '../platform/tokens.js';
import { ProjectOpenings } from './project-openings.queries.js';
import { foldersOf, ProjectStreams } from './project.streams.js';

/** The projects of an erased user, by outcome. */
export interface ProjectErasureResult {
  readonly removed: readonly Id[];
  readonly kept: readonly Id[];
  /** Those that could not be done, for example because an event cannot be read. */
  readonly failed: readonly FailedProject[];
}

/** A project from which a user could not be removed, and why. */
export interface FailedProject {
  readonly projectId: Id;
  readonly error: Error;
}

const PAGE = 500;

/** Removes erased users from projects, forgets what they opened, and permanently deletes projects of theirs without other members. Each step may be repeated. */
@Injectable()
export class ProjectErasure {
  @Inject(LOG)
  private readonly log: Logger;
  @Inject()
  private readonly openings: ProjectOpenings;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly streams: ProjectStreams,
    private readonly keys: DataKeys,
  ) {}

  /**
   * Removes the user from these projects; without a list, from every project that ever named them.
   * @throws errors that pass by themselves, such as of a store that is away. Any other keeps only its own project from being done, and is logged
   */
  async eraseUser(uid: Uid, at: Instant, projectIds?: Iterable<Id>): Promise<ProjectErasureResult> {
    const found: { readonly removed: Id[]; readonly kept: Id[]; readonly failed: FailedProject[] } = { removed: [], kept: [], failed: [] };
    for (const projectId of projectIds ?? (await this.projectsThatName([uid])).get(uid) ?? []) {
      try {
        const outcome = await this.eraseFrom(projectId, uid, at);
        if (outcome !== null) found[outcome].push(projectId);
      } catch (error) {
        if (isTransient(error)) throw error;
        this.log.error({ err: error, uid, projectId }, 'an erased user could not be removed from a project, it will be tried again');
        found.failed.push({ projectId, error: error instanceof Error ? error : new Error('erasure failed', { cause: error }) });
      }
    }
    await this.openings.forget(uid);
    return found;
  }

  /** The projects whose plain event fields contain each uid. Reads the whole log, because no read model remembers removed projects. */
  async projectsThatName(uids: readonly Uid[]): Promise<ReadonlyMap<Uid, ReadonlySet<Id>>> {
    const named = new Map(uids.map((uid) => [uid, new Set<Id>()]));
    if (named.size === 0) return named;
    for (let after = 0; ;) {
      const page = await this.store.readAll({ after, limit: PAGE });
      for (const event of page) {
        if (!event.stream.startsWith('project-')) continue;
        for (const text of [event.meta.actorUid ?? '', ...textsIn(event.data)]) named.get(text)?.add(idInStream(event));
      }
      const last = page.at(-1);
      if (last === undefined) return named;
      after = last.position;
      await nextTurn();
    }
  }

  /** What became of one project; null if it is removed already and was not theirs, or never had them as a member. */
  private async eraseFrom(projectId: Id, uid: Uid, at: Instant): Promise<'removed' | 'kept' | null> {
    const before = await this.streams.state(projectId);
    const isOwner = before.ownerUid === uid;
    const wasMember = before.members[uid] !== undefined;
    await this.streams.runEverywhere(systemContext(`erase-${uid}`, at), projectId, { type: 'RemoveErasedUser', data: { uid } });
    if (!isOwner || !(await this.streams.state(projectId)).removed) return isOwner || wasMember ? 'kept' : null;
    await this.purge(projectId, at);
    return 'removed';
  }

  /** Deletes files, then the read models' documents, then the stream's key: each step leaves what a retry needs to find the earlier ones. */
  private async purge(projectId: Id, at: Instant): Promise<void> {
    for (const folder of foldersOf(await this.streams.state(projectId), projectId)) await this.blobs.removePrefix(folder);
    for (;;) {
      // The key is destroyed, and files are scrubbed, once no read model holds any of its texts.
      const done = await this.streams.runEverywhere(systemContext(randomUUID(), at), projectId, { type: 'PurgeProject', data: {} });
      if (done.position === null) break;
    }
    await this.keys.destroy(projectStream(projectId));
  }
}

/** Every text in a value: the keys of objects too, because a uid may be one. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]);
}

const systemContext = (commandId: string, at: Instant): CommandContext => ({ actor: SYSTEM, at, commandId, correlationId: commandId, causationId: null });
