import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** Projects by the user's relation to them. */
export interface ProjectGroups {
  readonly own: readonly ListedProject[];
  readonly shared: readonly ListedProject[];
  /** Public projects of others, which the user may only visit. */
  readonly open: readonly ListedProject[];
}

const isVisited = ({ permissionLevel }: ListedProject) => permissionLevel?.role === 'Visitor';

/** Groups projects, keeping the list's order. */
export function groupProjects(projects: readonly ListedProject[], uid: Uid): ProjectGroups {
  const others = projects.filter(({ owner }) => owner.uid !== uid);
  return {
    own: projects.filter(({ owner }) => owner.uid === uid),
    shared: others.filter((project) => !isVisited(project)),
    open: others.filter(isVisited),
  };
}

/** True if the project never got its first version. */
export const isUnfinished = ({ versionIds, firstVersionId }: ListedProject): boolean => versionIds.length === 0 && firstVersionId !== null;
