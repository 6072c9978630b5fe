import type { ProjectView as ProjectFacts } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import { mayAddTodo } from '@roughmix/contracts/todos/todo.access.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isReminded, reminderMessage } from '../../features/todos/reminder-message';
import { ExportMarkersMenu } from '../../features/markers/export-markers-menu';
import { MiniPlayer } from '../../features/player/mini-player';
import { InformationPanel } from '../../features/project/information-panel';
import { MiniHeader } from '../../features/project/mini-header';
import { ProjectBanner } from '../../features/project/project-banner';
import { ProjectMenu } from '../../features/project/project-menu';
import { TakeOver } from '../../features/project/take-over';
import { takeProject } from '../../features/project/project.queries';
import { viewerOfView } from '../../features/project/viewer';
import type { VersionAdded } from '../../features/versions/new-version-upload';
import { usePresence } from '../../shared/live/live-provider';
import { ProjectProvider } from '../../shared/project/project-context';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { Deferred } from '../../shared/ui/deferred';
import { useToast } from '../../shared/ui/toast-queue';
import { useCopyLink } from '../../shared/ui/use-copy-link';
import { paths } from '../paths';
import { addressOfMoment } from './project-page-address';
import type { PageParts, PageQuery } from './project-page-data';
import { ProjectPageDialogs, useProjectDialogs } from './project-page-dialogs';
import { useDroppedTags, useLeading, useProjectPageLive } from './project-page-live';
import { usePostKeys } from './project-page-post-keys';
import { ProjectSearch } from './project-page-search';
import { type ProjectPageState, useProjectPageState } from './project-page-state';
import { ProjectNotes } from './project-page-notes';
import { countOfActiveTodos, countOfComments, ProjectComments, ProjectTodos, useBoxInTab } from './project-page-posts';
import { ProjectView } from './project-page-view';
import { COMMENTS_TAB, NOTES_TAB, TODOS_TAB, type WorkTab } from './project-page-work';

interface WorkspaceProps {
  readonly parts: PageParts;
  readonly user: SelfView;
  readonly page: PageQuery;
}

/** Keeps the project up to date while the page is open, and announces versions that others add, and the user's reminders. */
function useLiveProject({ parts, user, page }: WorkspaceProps, { context: { goTo } }: ProjectPageState): void {
  const { project } = parts;
  const toaster = useToast();
  useDroppedTags(project._id);
  useProjectPageLive({
    projectId: project._id,
    uid: user.uid,
    projectName: project.projectName,
    loadedAt: project.position,
    onRights: () => void page.refetch(),
    onVersion: (version) =>
      toaster.show({
        message: `${isolated(fullName(version.uploader))} added version ${versionNumber(version)}`,
        face: { name: fullName(version.uploader), photo: version.uploader.smallPhoto },
        action: { label: 'Listen', onPress: () => goTo({ versionId: version._id }) },
      }),
    onReminder: (todo) => {
      if (isReminded(todo, user.uid)) toaster.show({ message: reminderMessage(todo), action: { label: 'Show', onPress: () => goTo({ todoId: todo._id }) } });
    },
  });
}

/** The tabs of the work area, and how the boxes in them are focused. */
function useWork({ parts: { comments, todos, notes } }: WorkspaceProps, state: ProjectPageState) {
  const { highlight, editor } = state;
  const { goTo, viewer } = state.context;
  const [commentBox, comment] = useBoxInTab(() => goTo({ tabId: COMMENTS_TAB }));
  const [todoBox, todo] = useBoxInTab(() => goTo({ tabId: TODOS_TAB }));
  const commentsPanel = <ProjectComments ref={commentBox} comments={comments} highlight={highlight} editor={editor} />;
  const todosPanel = <ProjectTodos ref={todoBox} todos={todos} highlight={highlight} editor={editor} />;
  const tabs: readonly WorkTab[] = [
    { id: TODOS_TAB, label: 'Todos', count: countOfActiveTodos(todos), panel: todosPanel },
    { id: COMMENTS_TAB, label: 'Comments', count: countOfComments(comments), panel: commentsPanel },
    { id: NOTES_TAB, label: 'Notes', panel: <ProjectNotes notes={notes} state={state} /> },
  ];
  // As the buttons of the selected region do, which show these keys.
  const withTag = editor.selected !== null;
  useShortcuts([
    ...(mayWriteComment(viewer) ? [{ keys: ['c'], label: 'Write a comment', run: () => comment(withTag) }] : []),
    ...(mayAddTodo(viewer) ? [{ keys: ['t'], label: 'Write a todo', run: () => todo(withTag) }] : []),
  ]);
  usePostKeys(goTo);
  return { tabs, comment, todo };
}

/** Says that the user is the owner now, and opens the project under the owner's address. */
function useTakenOver(user: SelfView): (project: ProjectFacts) => void {
  const toaster = useToast();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (project) => {
    toaster.show({ message: `You are now the owner of ${isolated(project.projectName)}.`, kind: 'done' });
    void navigate({ pathname: paths.project(project, user.uid), search }, { replace: true });
  };
}

/** A loaded project: the view of it, the live connection, and what changes it. */
export function ProjectWorkspace(props: WorkspaceProps) {
  const { parts, user, page } = props;
  const { project, versions, comments, todos } = parts;
  const { permissionLevel } = project;
  const viewer = useMemo(() => viewerOfView(permissionLevel, user.uid), [permissionLevel, user.uid]);
  const state = useProjectPageState({ parts, page, user, viewer });
  const { context, store, selectedVersion } = state;
  useLiveProject(props, state);
  const { dialog, close, ...dialogs } = useProjectDialogs(project);
  const here = usePresence(project._id);
  const toaster = useToast();
  const cache = useQueryClient();
  const lead = useLeading(project._id);
  const copyLink = useCopyLink();
  const { tabs, comment, todo } = useWork(props, state);
  const takenOver = useTakenOver(user);
  const onAdded = ({ version, updatedProject }: VersionAdded) => {
    takeProject(cache, updatedProject);
    context.goTo({ versionId: version._id });
    close();
    toaster.show({ message: `Version ${versionNumber(version)} was added.` });
  };
  const copyMoment = () => void copyLink(addressOfMoment(window.location.href, selectedVersion?._id ?? null, store.getSnapshot().position));
  const menu = (
    <>
      <ProjectSearch parts={parts} state={state} />
      <ExportMarkersMenu projectId={project._id} version={selectedVersion} viewer={viewer} />
      <ProjectMenu project={project} viewer={viewer} onCopyLink={copyMoment} onLeft={lead} />
    </>
  );
  return (
    <ProjectProvider project={context} selectedVersion={selectedVersion}>
      <Deferred>
        <MiniHeader here={here} hrefOfList={paths.projects}>
          <MiniPlayer store={store} version={selectedVersion} name={project.projectName} />
        </MiniHeader>
      </Deferred>
      <ProjectView
        state={state}
        comments={comments}
        todos={todos}
        banner={
          <>
            <ProjectBanner
              project={project}
              viewer={viewer}
              here={here}
              hrefOfList={paths.projects}
              onInvite={dialogs.invite}
              onUsers={dialogs.users}
              menu={menu}
            />
            <TakeOver project={project} viewer={viewer} onDone={takenOver} />
          </>
        }
        tabs={tabs}
        information={<InformationPanel project={project} viewer={viewer} here={here} />}
        editing={{ ...dialogs, comment, todo }}
      />
      <ProjectPageDialogs dialog={dialog} project={project} versions={versions} viewer={viewer} onClose={close} onAdded={onAdded} />
    </ProjectProvider>
  );
}
