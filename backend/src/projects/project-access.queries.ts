import { Injectable } from '@nestjs/common';
import { type Viewer, viewerOf } from '@roughmix/contracts/projects/project.access.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type ProjectDocument, PROJECTS } from './projects.documents.js';

/** Longer than a page of the log takes to be saved. */
const PARTS_MS = 500;

/** A project that somebody may see, and how they stand to it. */
export interface SeenProject {
  readonly project: ProjectDocument;
  readonly who: Viewer;
}

/** Who may see a project: asked by every query and every join before anything is shown. */
@Injectable()
export class ProjectAccessQueries {
  constructor(private readonly reads: ReadModels) {}

  async seenBy(projectId: Id, uid: Uid): Promise<SeenProject | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    const who = project === null ? null : viewerOf({ ...project, removed: false }, uid);
    return project === null || who === null ? null : { project, who };
  }

  /** How anybody stands to a project as it is now; null to whom it is not there. */
  async standings(projectId: Id): Promise<(uid: Uid) => Viewer | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    return (uid) => (project === null ? null : viewerOf({ ...project, removed: false }, uid));
  }

  /** @throws Refused `project.not-found` when it does not exist for them */
  async require(projectId: Id, uid: Uid): Promise<SeenProject> {
    const seen = await this.seenBy(projectId, uid);
    if (seen === null) throw new Refused('project.not-found');
    return seen;
  }

  /**
   * Makes an answer about a project's parts from read models that have passed the project's own position, because the page receives pushes from there on.
   * Those of a stalled projector are shown as they are.
   */
  withParts<Answer>({ project }: SeenProject, make: () => Promise<Answer>): Promise<Answer> {
    return this.reads.asOfWithin(project.position, PARTS_MS, make);
  }

  /** The owner's uid, empty when the project is gone. */
  async ownerOf(projectId: Id): Promise<Uid> {
    return (await this.reads.get<ProjectDocument>(PROJECTS, projectId))?.ownerUid ?? '';
  }

  /** Those of the projects that somebody may see. */
  async allSeenBy(projectIds: Iterable<Id>, uid: Uid): Promise<ReadonlyMap<Id, SeenProject>> {
    const projects = await this.reads.getMany<ProjectDocument>(PROJECTS, [...new Set(projectIds)]);
    const seen = projects.flatMap((project) => {
      const who = viewerOf({ ...project, removed: false }, uid);
      return who === null ? [] : [[project.projectId, { project, who }] as const];
    });
    return new Map(seen);
  }
}

/** At most 100 ids of a comma-separated list, doubles once. @throws Refused `ids.too-many` */
export function idsOf(list: string, most: number): readonly Id[] {
  const ids = [...new Set(list.split(',').filter(Boolean))];
  if (ids.length > most) throw new Refused('ids.too-many', { limit: most });
  return ids;
}
