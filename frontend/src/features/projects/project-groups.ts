import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** A list of projects as its reader stands to them. */
export interface ProjectGroups {
  readonly own: readonly ListedProject[];
  readonly shared: readonly ListedProject[];
  /** What a visitor sees of others. */
  readonly open: readonly ListedProject[];
}

const isVisitors = ({ permissionLevel }: ListedProject) => permissionLevel?.role === 'Visitor';

/** Own, shared and open projects, each in the order of the list. */
export function groupProjects(projects: readonly ListedProject[], uid: Uid): ProjectGroups {
  const others = projects.filter(({ owner }) => owner.uid !== uid);
  return {
    own: projects.filter(({ owner }) => owner.uid === uid),
    shared: others.filter((project) => !isVisitors(project)),
    open: others.filter(isVisitors),
  };
}

/** A project whose first version never came. */
export const isUnfinished = ({ versionIds, firstVersionId }: ListedProject): boolean => versionIds.length === 0 && firstVersionId !== null;
