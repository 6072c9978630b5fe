import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { PlayerProvider } from '../../features/player/player-provider';
import { viewerOfView } from '../../features/project/viewer';
import { LiveProvider } from '../../shared/live/live-provider';
import { ProjectProvider } from '../../shared/project/project-context';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aComment } from '../../testing/comments';
import { idleLive } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { ProjectComments } from './project-page-posts';
import { useProjectPageState } from './project-page-state';
import { ProjectView } from './project-page-view';
import { COMMENTS_TAB, NOTES_TAB } from './project-page-work';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const parts = { project, versions: project.versions, regions: [], comments: [aComment('c1', { user: ana })], todos: [], notes: {} };
const page = { isFetchedAfterMount: true, dataUpdatedAt: 0, refetch: () => Promise.resolve({ isSuccess: true }) };
/** Without any rights, though the project is their own: so history will show it. */
const viewer = viewerOfView(undefined, ana.uid);
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({});
});
afterEach(() => server.close());

function ViewAlone() {
  const state = useProjectPageState({ parts, page, user: ana, viewer });
  const panel = <ProjectComments comments={parts.comments} highlight={state.highlight} editor={state.editor} />;
  return (
    <ProjectProvider project={state.context} selectedVersion={state.selectedVersion}>
      <ProjectView
        state={state}
        comments={parts.comments}
        todos={parts.todos}
        banner={null}
        information={null}
        tabs={[
          { id: COMMENTS_TAB, label: 'Comments', count: 1, panel },
          { id: NOTES_TAB, label: 'Notes', count: 0, panel: <p>Nothing noted</p> },
        ]}
      />
    </ProjectProvider>
  );
}

function openView() {
  const router = createMemoryRouter([{ path: '*', element: <ViewAlone /> }]);
  renderFor(
    ana,
    <LiveProvider live={idleLive(() => undefined)}>
      <PlayerProvider>
        <RouterProvider router={router} />
      </PlayerProvider>
    </LiveProvider>,
    { bringsRouter: true },
  );
  return router;
}

test('a project can be shown by itself: it plays and lists comments, offers no change, and sends nothing', async () => {
  openView();
  expect(await screen.findByText('words of c1')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Player' })).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Version 1.0' })).toBeInTheDocument();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  for (const name of ['New Version', 'Edit', 'Remove', 'Reply', 'New comment here']) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  expect((await server.settledRequests()).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the work area opens its first tab, another one that is chosen, and the comments for a link to one of them', async () => {
  const router = openView();
  expect(await screen.findByRole('tab', { name: 'Comments 1', selected: true })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('tab', { name: 'Notes 0' }));
  expect(screen.getByText('Nothing noted')).toBeInTheDocument();
  await act(() => router.navigate('/?comment=c1'));
  expect(await screen.findByRole('tab', { name: 'Comments 1', selected: true })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('article')).toHaveFocus());
  await userEvent.click(screen.getByRole('tab', { name: 'Notes 0' }));
  expect(screen.getByText('Nothing noted')).toBeInTheDocument();
});
