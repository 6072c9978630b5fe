import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type PartDocument, PARTS } from './parts.documents.js';
import { ProjectAccessQueries } from './project-access.queries.js';

/** What is asked about a part of a project; `projectId` is what the caller said, if anything. */
export interface AskedPart {
  readonly partId: Id;
  readonly projectId: Id | undefined;
  readonly uid: Uid;
  /** How the part is missing when it is not theirs to see. */
  readonly missing: ProblemCode;
}

/** Finds the project around a comment or a region, one that is gone by now too: whether the part still stands is for its rule to say. */
@Injectable()
export class PartsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
  ) {}

  /** @throws Refused `missing` when it never was, not in that project, or not for them */
  async projectOf({ partId, projectId, uid, missing }: AskedPart): Promise<Id> {
    // Another read model may have shown the part before this one knows of it.
    const part = (await this.reads.get<PartDocument>(PARTS, partId)) ?? (await this.reads.caughtUp(() => this.reads.get<PartDocument>(PARTS, partId)));
    if (part === null || (projectId !== undefined && part.projectId !== projectId)) throw new Refused(missing);
    if ((await this.access.seenBy(part.projectId, uid)) === null) throw new Refused(missing);
    return part.projectId;
  }
}
