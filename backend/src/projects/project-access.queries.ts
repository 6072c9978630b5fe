import { Injectable } from '@nestjs/common';
import { isMember, type Viewer, viewerOf } from '@roughmix/contracts/projects/project.access.js';
import { distinctIds, type Id, type Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { lastChange, lastNotice, type ProjectDocument, PROJECTS } from './projects.documents.js';

/** Longer than saving a page of the log takes. */
const PARTS_MS = 500;

/** The most projects that a list shows. */
const LONGEST_LIST = 1_000;

/** A project that a user may see, with their role and rights. */
export interface SeenProject {
  readonly project: ProjectDocument;
  readonly who: Viewer;
}

/** A project as a profile page shows it. */
export interface ProfileEntry extends SeenProject, Pick<ProjectDocument, 'dateModified' | 'position'> {}

/** Decides who may see a project; every query and every join asks it first. */
@Injectable()
export class ProjectAccessQueries {
  constructor(private readonly reads: ReadModels) {}

  async seenBy(projectId: Id, uid: Uid): Promise<SeenProject | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    const who = project === null ? null : viewerOf({ ...project, removed: false }, uid);
    return project === null || who === null ? null : { project, who };
  }

  /** A lookup of any user's role in a project; null for a user who may not see it. */
  async viewerLookup(projectId: Id): Promise<(uid: Uid) => Viewer | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    return (uid) => (project === null ? null : viewerOf({ ...project, removed: false }, uid));
  }

  /** @throws Refused `project.not-found` if the user may not see it */
  async require(projectId: Id, uid: Uid): Promise<SeenProject> {
    const seen = await this.seenBy(projectId, uid);
    if (seen === null) throw new Refused('project.not-found');
    return seen;
  }

  /**
   * Builds a response from read models that have reached the project's own position, because a page follows live pushes from there. A stalled
   * projector's documents are shown as they are.
   */
  withParts<Answer>({ project, who }: SeenProject, make: () => Promise<Answer>): Promise<Answer> {
    return this.reads.asOfWithin(lastNotice(project, who.uid), PARTS_MS, make);
  }

  /** The owner's uid, empty if the project is gone. */
  async ownerOf(projectId: Id): Promise<Uid> {
    return (await this.reads.get<ProjectDocument>(PROJECTS, projectId))?.ownerUid ?? '';
  }

  /** The projects whose owner or member a user is, the most recently changed first. */
  projectsOfMember(uid: Uid): Promise<readonly ProjectDocument[]> {
    return this.reads.find<ProjectDocument>(PROJECTS, { where: { field: 'memberUids', value: uid }, sort: 'descending', limit: LONGEST_LIST });
  }

  /** What a user's profile shows to a viewer (null without a session), newest change first: public projects the user owns, and those both are members of. */
  async onProfile(uid: Uid, viewerUid: Uid | null): Promise<readonly ProfileEntry[]> {
    const entries = (await this.projectsOfMember(uid)).flatMap((project) => {
      const who = viewerOf({ ...project, removed: false }, viewerUid ?? '');
      const isTheirPublic = project.listed === 'public' && project.ownerUid === uid;
      return who !== null && (isTheirPublic || isMember(who)) ? [{ project, who, ...lastChange(project, viewerUid) }] : [];
    });
    return entries.toSorted((one, other) => other.dateModified - one.dateModified);
  }

  /** How many projects a user owns, without the tutorial, which is never counted. */
  async countOwnedBy(uid: Uid): Promise<number> {
    return (await this.projectsOfMember(uid)).filter(({ ownerUid, initialLogin }) => ownerUid === uid && !initialLogin).length;
  }

  /** The projects of these that the user may see. */
  async allSeenBy(projectIds: Iterable<Id>, uid: Uid): Promise<ReadonlyMap<Id, SeenProject>> {
    const projects = await this.reads.getMany<ProjectDocument>(PROJECTS, [...new Set(projectIds)]);
    const seen = projects.flatMap((project) => {
      const who = viewerOf({ ...project, removed: false }, uid);
      return who === null ? [] : [[project.projectId, { project, who }] as const];
    });
    return new Map(seen);
  }

  /** A lookup of how any user sees any of these projects; null for a user who may not see it. */
  async lookup(projectIds: Iterable<Id>): Promise<(projectId: Id, uid: Uid) => SeenProject | null> {
    const projects = await this.reads.getManyById<ProjectDocument>(PROJECTS, [...projectIds]);
    return (projectId, uid) => {
      const project = projects.get(projectId);
      const who = project === undefined ? null : viewerOf({ ...project, removed: false }, uid);
      return project === undefined || who === null ? null : { project, who };
    };
  }
}

/** Splits a comma-separated list of at most `most` distinct ids. @throws Refused `ids.too-many` */
export function idsOf(list: string, most: number): readonly Id[] {
  const ids = distinctIds(list.split(',').filter(Boolean));
  if (ids.length > most) throw new Refused('ids.too-many', { limit: most });
  return ids;
}
