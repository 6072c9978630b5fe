import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { PersonView, SelfView } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { createContext, type ReactNode, useContext } from 'react';

/** The player as this project's page sees it, as far as features need it. */
export interface Playhead {
  /** The version that it plays, or would; null for none. */
  readonly versionId: () => Id | null;
  readonly isPlaying: () => boolean;
  /** Seconds. */
  readonly position: () => number;
  /** Plays on; a span that is played once, up to its end. */
  readonly resume: () => void;
  readonly pause: () => void;
  /** Calls `listener` at each change: once a frame during playback. @returns a function that ends it */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A part of a note, in UTF-16 units. */
export interface NotePlace {
  readonly note: NoteName;
  readonly at: number;
  readonly length: number;
}

/** A place in the project. What is left out, or null, stays as it is. */
export interface Destination {
  readonly versionId?: Id | null;
  /** Seconds; in the selected version when `versionId` is left out. */
  readonly at?: number | null;
  /** Seconds; selects the range from `at` to here. */
  readonly to?: number | null;
  /** Selects the region. */
  readonly regionId?: Id | null;
  /** Selects the comment or todo, whose range is then highlighted on the wave. */
  readonly postId?: Id | null;
  /** Selects the comment and scrolls to it. */
  readonly commentId?: Id | null;
  /** The same for a todo. */
  readonly todoId?: Id | null;
  /** Opens the tab of the work area; a comment or todo opens its own. */
  readonly tabId?: string | null;
  /** Opens the notes and selects this part. */
  readonly notePlace?: NotePlace | null;
}

/** The open project. The same object while selection, playhead and selected version change, so that long lists are not drawn again. */
export interface ProjectContextValue {
  readonly projectId: Id;
  readonly user: SelfView;
  /** The user's rights here. */
  readonly viewer: Viewer;
  /** The owner and all added users; for visitors the owner alone. */
  readonly members: readonly PersonView[];
  readonly versions: readonly VersionView[];
  /** The regions as they are now. What a comment says of its regions may be older. */
  readonly regions: ReadonlyMap<Id, RegionView>;
  readonly playhead: Playhead;
  readonly goTo: (destination: Destination) => void;
}

const ProjectContext = createContext<ProjectContextValue | null>(null);
const SelectedVersionContext = createContext<VersionView | null>(null);

interface ProjectProviderProps {
  /** Keep the object the same while nothing in it changes. */
  readonly project: ProjectContextValue;
  /** The version in the player; null when the project has none. */
  readonly selectedVersion: VersionView | null;
  readonly children: ReactNode;
}

/** Gives all features below it the open project. */
export const ProjectProvider = ({ project, selectedVersion, children }: ProjectProviderProps) => (
  <ProjectContext value={project}>
    <SelectedVersionContext value={selectedVersion}>{children}</SelectedVersionContext>
  </ProjectContext>
);

/** The open project. @throws when there is no {@link ProjectProvider} above */
export function useProject(): ProjectContextValue {
  const project = useContext(ProjectContext);
  if (project === null) throw new Error('no ProjectProvider above');
  return project;
}

/** The version in the player. Apart from the project, because only some components change with it. */
export const useSelectedVersion = (): VersionView | null => useContext(SelectedVersionContext);
