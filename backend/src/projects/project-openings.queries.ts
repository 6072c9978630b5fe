import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Logger } from '../platform/logger.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import { DiskFull } from '../platform/store-errors.js';
import { LOG, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { ProjectAccessQueries, type SeenProject } from './project-access.queries.js';

/** The vault's collection of who has opened which project. */
const OPENINGS = 'project-openings';

/** A member opened a project. */
type Opening = {
  readonly uid: Uid;
  readonly projectId: Id;
  /** The event that had added the member: once they are removed and added again, they have not opened it yet. */
  readonly addedBy: Id;
};

const idOf = (projectId: Id, uid: Uid): string => `${projectId}/${uid}`;

/** Who has opened a project since being added to it; e-mails about it are for them only (ADR 62). */
@Injectable()
export class ProjectOpenings implements OnModuleInit {
  constructor(
    private readonly access: ProjectAccessQueries,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.vault.declare({ name: OPENINGS, indexes: ['uid'] });
  }

  /** A user opens a project. Nothing is stored for its owner, for visitors, and for members who had opened it before. */
  async note(projectId: Id, uid: Uid): Promise<void> {
    const addedBy = additionOf(await this.access.seenBy(projectId, uid));
    if (addedBy === null) return;
    try {
      const id = idOf(projectId, uid);
      if ((await this.vault.get<Opening>(OPENINGS, id))?.body.addedBy !== addedBy) {
        await this.vault.put(OPENINGS, id, { uid, projectId, addedBy } satisfies Opening);
      }
    } catch (error) {
      // Pages stay readable without the vault; the next opening is noted.
      if (!isTransient(error) && !(error instanceof DiskFull)) throw error;
      this.log.error({ err: error }, 'could not note that a project was opened');
    }
  }

  /** Whether a user owns a project, or is a member who has opened it since being added. */
  async hasOpened(projectId: Id, uid: Uid): Promise<boolean> {
    const seen = await this.access.seenBy(projectId, uid);
    if (seen?.project.ownerUid === uid) return true;
    const addedBy = additionOf(seen);
    return addedBy !== null && (await this.vault.get<Opening>(OPENINGS, idOf(projectId, uid)))?.body.addedBy === addedBy;
  }

  /** For an erasure. */
  async forget(uid: Uid): Promise<void> {
    await this.vault.removeWhere(OPENINGS, 'uid', uid);
  }
}

/** The event that added a member; null for the owner and visitors. */
function additionOf(seen: SeenProject | null): Id | null {
  return seen === null || !isMember(seen.who) ? null : (seen.project.addedBy[seen.who.uid] ?? null);
}
