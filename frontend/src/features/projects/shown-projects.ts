import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { useQuery } from '@tanstack/react-query';
import { AudioLines, Folder, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Completion, groupProjects, type ProjectGroups, shownGroups, type ShownView } from './project-groups';
import { projectsOf } from './projects-queries';
import type { ListView, ViewsProps } from './views-nav';

/** The user's collections, as the page knows them. */
export interface BoardCollections {
  /** Undefined until they are loaded. */
  readonly list: readonly CollectionView[] | undefined;
  /** Null unless they failed to load. */
  readonly retry: (() => void) | null;
  readonly add: () => void;
  readonly rename: (collection: CollectionView) => void;
  readonly remove: (collection: CollectionView) => void;
  /** The buttons for selected projects. `shown`: the collection in view. */
  readonly actions: (selected: readonly Id[], shown: CollectionView | undefined) => ReactNode;
}

export interface ShownOptions {
  readonly uid: Uid;
  /** 'all', 'shared' or the id of a collection. */
  readonly view: string;
  readonly hrefOfView: (view: string) => string;
  readonly collections: BoardCollections;
}

/** All projects, and those shared with the user if there are any. */
function viewsOf(groups: ProjectGroups | null, hrefOf: ShownOptions['hrefOfView']): readonly [ListView, ...ListView[]] {
  const all = (groups?.own.length ?? 0) + (groups?.shared.length ?? 0) + (groups?.open.length ?? 0) || undefined;
  const first: ListView = { id: 'all', label: 'All Projects', icon: AudioLines, count: all, href: hrefOf('all') };
  if (groups === null || groups.shared.length === 0) return [first];
  return [first, { id: 'shared', label: 'Projects shared with you', icon: UsersRound, count: groups.shared.length, href: hrefOf('shared') }];
}

/** The user's collections as views; in edit mode they can be renamed and removed. */
function collectionViews({ collections, hrefOfView }: ShownOptions, groups: ProjectGroups | null, isEditing: boolean): readonly ListView[] {
  return (collections.list ?? []).map((collection) => ({
    id: collection._id,
    label: collection.title,
    icon: Folder,
    count: groups === null ? collection.projects.length : shownGroups(groups, collection, 'all').own.length,
    href: hrefOfView(collection._id),
    editing: isEditing ? { rename: () => collections.rename(collection), remove: () => collections.remove(collection) } : undefined,
  }));
}

/** The view that the page names, if it exists, and the projects in it. */
export function useShownProjects({ uid, view: viewId, collections }: ShownOptions) {
  const query = useQuery(projectsOf(uid));
  const groups = query.data === undefined ? null : groupProjects(query.data, uid);
  const [completion, setCompletion] = useState<Completion>('all');
  const collection = collections.list?.find(({ _id }) => _id === viewId);
  const view: ShownView = collection ?? (viewId === 'shared' && groups?.shared.length !== 0 ? 'shared' : 'all');
  const isWaiting = query.isPending || (!['all', 'shared'].includes(viewId) && collections.list === undefined && collections.retry === null);
  const shown = groups === null || isWaiting ? null : shownGroups(groups, view, completion);
  return { query, groups, collection, view, isWaiting, shown, completion, setCompletion };
}

/** The views to choose from. */
export function navOf(options: ShownOptions, { groups, collection, view }: ReturnType<typeof useShownProjects>, isEditing: boolean): ViewsProps {
  const { hrefOfView, collections } = options;
  const views = viewsOf(groups, hrefOfView);
  const ofCollections = collectionViews(options, groups, isEditing);
  const current = [...views, ...ofCollections].find(({ id }) => id === (collection?._id ?? view)) ?? views[0];
  return { views, collections: ofCollections, current, onNewCollection: collections.add, onRetry: collections.retry };
}
