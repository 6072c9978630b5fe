import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../kernel/decider.js';
import { idInStream } from '../kernel/stream-name.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { BLOBS, EVENT_STORE } from '../platform/tokens.js';
import { foldersOf, ProjectStreams } from './project.streams.js';

/** The projects of an erased user, by outcome. */
export interface ProjectErasureResult {
  readonly removed: readonly Id[];
  readonly kept: readonly Id[];
}

const PAGE = 500;

/** Removes erased users from projects, and permanently deletes projects of theirs without other members. Each step may be repeated. */
@Injectable()
export class ProjectErasure {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly streams: ProjectStreams,
    private readonly keys: DataKeys,
  ) {}

  async eraseUser(uid: Uid, at: Instant): Promise<ProjectErasureResult> {
    const found = { removed: new Set<Id>(), kept: new Set<Id>() };
    for (const projectId of await this.projectsThatName(uid)) {
      const before = await this.streams.state(projectId);
      const isOwner = before.ownerUid === uid;
      const wasMember = before.members[uid] !== undefined;
      await this.streams.runEverywhere(systemContext(`erase-${uid}`, at), projectId, { type: 'RemoveErasedUser', data: { uid } });
      if (isOwner && (await this.streams.state(projectId)).removed) {
        await this.purge(projectId, at);
        found.removed.add(projectId);
      } else if (isOwner || wasMember) found.kept.add(projectId);
    }
    return { removed: [...found.removed], kept: [...found.kept] };
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

  /** Every project whose plain event fields contain the uid. Reads the whole log, because no read model remembers removed projects. */
  private async projectsThatName(uid: Uid): Promise<ReadonlySet<Id>> {
    const named = new Set<Id>();
    for (let after = 0; ;) {
      const page = await this.store.readAll({ after, limit: PAGE });
      for (const event of page) {
        if (!event.stream.startsWith('project-') || named.has(idInStream(event))) continue;
        if (event.meta.actorUid === uid || JSON.stringify(event.data).includes(`"${uid}"`)) named.add(idInStream(event));
      }
      const last = page.at(-1);
      if (last === undefined) return named;
      after = last.position;
      await nextTurn();
    }
  }
}

const systemContext = (commandId: string, at: Instant): CommandContext => ({ actor: SYSTEM, at, commandId, correlationId: commandId, causationId: null });
