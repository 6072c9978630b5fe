import type { Grant, Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const PROJECTS = 'projects';
export const PROJECT_LISTS = 'project-lists';

/** A project as its queries need it. */
export interface ProjectDocument {
  readonly projectId: Id;
  readonly ownerUid: Uid;
  readonly firstVersionId: Id;
  readonly projectName: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly completed: boolean;
  readonly started: boolean;
  /** In the order invited. */
  readonly members: Readonly<Record<Uid, Grant>>;
  /** The owner and the members: whose lists it is in. */
  readonly memberUids: readonly Uid[];
  /** 'public' once everybody may find it, 'unfinished' until its first version stands, else 'hidden'. */
  readonly listed: 'public' | 'hidden' | 'unfinished';
  readonly versionIds: readonly Id[];
  readonly dateAdded: Instant;
  readonly dateModified: Instant;
  readonly position: Position;
}

/** What lies in a project, apart from it: these lists grow with every comment, and most of what is asked about a project does not need them. */
export interface ProjectLists {
  readonly projectId: Id;
  readonly regionIds: readonly Id[];
  readonly commentIds: readonly Id[];
}
