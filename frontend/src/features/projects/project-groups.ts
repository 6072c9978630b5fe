import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
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

/** Which projects the list shows: all, or by whether they are completed. */
export type Completion = 'all' | 'open' | 'completed';

/** What the list shows: everything, the projects shared with the user, or one of their collections. */
export type ShownView = 'all' | 'shared' | CollectionView;

/** The groups as far as they are in a view and match the filter. */
export function shownGroups({ own, shared, open }: ProjectGroups, view: ShownView, completion: Completion): ProjectGroups {
  const fits = ({ completed }: ListedProject): boolean => completion === 'all' || completed === (completion === 'completed');
  const isIn = typeof view === 'string' ? () => view === 'all' : ({ _id }: ListedProject) => view.projects.includes(_id);
  return {
    own: own.filter((project) => isIn(project) && fits(project)),
    shared: typeof view === 'string' ? shared.filter(fits) : [],
    open: view === 'all' ? open.filter(fits) : [],
  };
}
