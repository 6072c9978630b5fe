import { mayReadPlays } from '@roughmix/contracts/plays/play.access.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { ReactNode } from 'react';
import { VersionPlays } from '../../features/plays/version-plays';
import { StampGrowthProvider } from '../../features/regions/stamp-growth-provider';
import { NoVersions } from '../../features/versions/no-versions';
import { VersionPanel } from '../../features/versions/version-panel';
import { RegionTaggingContext } from '../../shared/posts/region-tagging';
import { SelectedPostContext } from '../../shared/posts/selected-post';
import { useSelectedVersion, useProject } from '../../shared/project/project-context';
import { Deferred } from '../../shared/ui/deferred';
import { Panel } from '../../shared/ui/part';
import type { PageParts } from './project-page-data';
import { ProjectPlayer } from './project-page-player';
import type { ProjectPageState } from './project-page-state';
import { ProjectWork, type WorkTab } from './project-page-work';
import './project-page.css';

/** What the buttons that change the project do. They are hidden from viewers without the rights. */
export interface ProjectEditing {
  readonly addVersion: () => void;
  readonly replaceVersion: (version: VersionView) => void;
  readonly removeVersion: (version: VersionView) => void;
  /** Focuses the box for comments; `withTag` ticks the selected region. */
  readonly comment: (withTag: boolean) => void;
  /** The same for todos. */
  readonly todo: (withTag: boolean) => void;
}

const nothing = () => undefined;
/** For viewers without any rights, who see no such buttons. */
const NO_EDITING: ProjectEditing = { addVersion: nothing, replaceVersion: nothing, removeVersion: nothing, comment: nothing, todo: nothing };

interface ProjectViewProps {
  readonly comments: PageParts['comments'];
  readonly todos: PageParts['todos'];
  readonly state: ProjectPageState;
  readonly banner: ReactNode;
  readonly tabs: readonly WorkTab[];
  /** In the side column, above the version's details. */
  readonly information: ReactNode;
  /** Left out when the viewer has no rights. */
  readonly editing?: ProjectEditing;
}

function VersionFacts({ editing }: { readonly editing: ProjectEditing }) {
  const { versions, viewer } = useProject();
  const selectedVersion = useSelectedVersion();
  if (selectedVersion === null) return null;
  return (
    <VersionPanel version={selectedVersion} versions={versions} viewer={viewer} onReplace={editing.replaceVersion} onRemove={editing.removeVersion}>
      {mayReadPlays(viewer) && <VersionPlays versionId={selectedVersion._id} />}
    </VersionPanel>
  );
}

/** The project of the context to look at and listen to: player, regions, lists. It sends nothing to the server. */
export function ProjectView({ comments, todos, state, banner, tabs, information, editing = NO_EDITING }: ProjectViewProps) {
  const { viewer } = useProject();
  const { store, editor, selection, tabRequest, selectedVersion } = state;
  return (
    <main>
      <RegionTaggingContext value={editor.tagging}>
        <StampGrowthProvider editor={editor} version={selectedVersion}>
          <Deferred>{banner}</Deferred>
          {selectedVersion === null ? (
            <NoVersions viewer={viewer} onAdd={editing.addVersion} />
          ) : (
            <Panel>
              <ProjectPlayer store={store} editor={editor} comments={comments} todos={todos} selection={selection} editing={editing} />
            </Panel>
          )}
          <SelectedPostContext value={selection.post}>
            <Deferred>
              <div className="project-work">
                <ProjectWork tabs={tabs} request={tabRequest} />
                <aside aria-label="About this project">
                  <Panel>{information}</Panel>
                  <Panel>
                    <VersionFacts editing={editing} />
                  </Panel>
                </aside>
              </div>
            </Deferred>
          </SelectedPostContext>
        </StampGrowthProvider>
      </RegionTaggingContext>
    </main>
  );
}
