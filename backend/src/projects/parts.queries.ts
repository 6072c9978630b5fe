import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type PartDocument, PARTS } from './parts.documents.js';
import { ProjectAccessQueries } from './project-access.queries.js';

/** A lookup of an item's project; `projectId` is the one in the request, if any. */
export interface PartLookup {
  readonly partId: Id;
  readonly projectId: Id | undefined;
  readonly uid: Uid;
  /** The problem code if the user may not see the item. */
  readonly missing: ProblemCode;
}

/** Finds the project of a version, comment or other item, even a removed one: its own rule decides whether that matters. */
@Injectable()
export class PartsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
  ) {}

  /** @throws Refused `missing` if the item never existed, is in another project, or the user may not see it */
  async projectOf({ partId, projectId, uid, missing }: PartLookup): Promise<Id> {
    // Another read model may already show the item.
    const part = (await this.reads.get<PartDocument>(PARTS, partId)) ?? (await this.reads.caughtUp(() => this.reads.get<PartDocument>(PARTS, partId)));
    if (part === null || (projectId !== undefined && part.projectId !== projectId)) throw new Refused(missing);
    if ((await this.access.seenBy(part.projectId, uid)) === null) throw new Refused(missing);
    return part.projectId;
  }
}
