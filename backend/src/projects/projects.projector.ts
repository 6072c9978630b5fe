import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents, ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import { withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, type Projections, projector, type Projector, put, remove, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { PROJECT_EVENT_TYPES } from './project-parts.decider.js';
import {
  MAX_LOSSES,
  MEMBERSHIP_LOSSES,
  type MembershipLosses,
  pieceAt,
  piecesUpTo,
  PROJECT_LISTS,
  type ProjectDocument,
  type ProjectListsPiece,
  PROJECTS,
} from './projects.documents.js';

type Change = (project: ProjectDocument) => Partial<ProjectDocument>;

/** The fields that every event updates: the position, and for a user's change the date that orders the list. */
function touched({ meta, revision, position }: StoredEvent): Partial<ProjectDocument> {
  const facts = { revision, position, noticed: position };
  return meta.actorUid === null ? facts : { ...facts, dateModified: meta.at };
}

/** Ratings do not change the project. Likes are for all to see; only the rater's own view of the project moves with a dislike. */
function rated({ data, meta, revision, position }: StoredEvent<string, CommentEvents['CommentRated']>): Change {
  const isSeen = data.from === 'likes' || data.to === 'likes';
  const uid = meta.actorUid ?? '';
  return ({ dislikes }) => ({ revision, noticed: position, ...(isSeen ? { position } : { dislikes: { ...dislikes, [uid]: position } }) });
}

const touchProject = (event: StoredEvent, change: Change = () => ({})): DocumentChange =>
  update<ProjectDocument>(PROJECTS, idInStream(event), (project) => ({ ...project, ...change(project), ...touched(event) }));

const changeProject = (event: StoredEvent, change: Change): readonly DocumentChange[] => [
  update<ProjectDocument>(PROJECTS, idInStream(event), (project) => listedAs({ ...project, ...change(project), ...touched(event) })),
];

/** How many of the removed comments are top-level. */
const threadsIn = ({ commentId, parentCommentId, gone }: CommentEvents['CommentRemoved']): number =>
  gone.filter((id) => parentCommentId === null || id !== commentId).length;

const NO_LISTS: ProjectListsPiece = { regionIds: [], commentIds: [], todoIds: [], completedTodos: [], gone: [] };

/** Changes the project's item lists as well as the project. */
const changeLists = (event: StoredEvent, change: (lists: ProjectListsPiece) => Partial<ProjectListsPiece>, ofProject?: Change): readonly DocumentChange[] => [
  touchProject(event, ofProject),
  {
    collection: PROJECT_LISTS,
    id: pieceAt(idInStream(event), event.revision),
    change: (old) => {
      const lists = (old ?? NO_LISTS) as ProjectListsPiece;
      return { ...lists, ...change(lists) };
    },
  },
];

/** Records for users that they lost a project. */
const noteLosses = ({ stream, position }: StoredEvent, uids: readonly string[]): readonly DocumentChange[] =>
  uids.map((uid) => ({
    collection: MEMBERSHIP_LOSSES,
    id: uid,
    change: (old) => {
      const known = old as MembershipLosses | null;
      const others = (known?.losses ?? []).filter((loss) => loss.position !== position);
      return { losses: [...others, { projectId: idInStream({ stream }), position }].slice(-MAX_LOSSES) };
    },
  }));

/** Derived fields. */
const listedAs = (project: ProjectDocument): ProjectDocument => ({
  ...project,
  memberUids: [project.ownerUid, ...Object.keys(project.members)],
  listed: !project.started ? 'unfinished' : project.visibility === 'public' ? 'public' : 'hidden',
});

const without = <Value>(members: Readonly<Record<string, Value>>, gone: readonly string[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(members).filter(([uid]) => !gone.includes(uid)));

const withoutMembers = ({ members, addedBy }: ProjectDocument, uids: readonly string[]): Pick<ProjectDocument, 'members' | 'addedBy'> => ({
  members: without(members, uids),
  addedBy: without(addedBy, uids),
});

/** Events that change more than the position; the compiler demands a handler for each of the project's own. */
const changes: Required<Projections<ProjectEvents>> & Projections<ProjectStreamEvents> = {
  ProjectCreated: ({ data, meta, revision, position, stream }) => {
    const { ownerUid, firstVersionId, projectName, description } = data;
    const facts = {
      ownerUid,
      firstVersionId,
      projectName,
      description,
      visibility: 'private',
      completed: false,
      initialLogin: false,
      started: false,
      members: {},
      addedBy: {},
    } as const;
    const lists = { memberUids: [ownerUid], listed: 'unfinished', versionIds: [], highestVersion: null, privateChange: null, dislikes: {} } as const;
    const counts = { commentCount: 0, todoCount: 0, completedTodoCount: 0 };
    const projectId = idInStream({ stream });
    return [
      put<ProjectDocument>(PROJECTS, projectId, {
        projectId,
        ...facts,
        ...lists,
        ...counts,
        dateAdded: meta.at,
        dateModified: meta.at,
        revision,
        position,
        noticed: position,
      }),
    ];
  },
  ProjectUsersInvited: (event) =>
    changeProject(event, ({ members, addedBy }) => ({
      members: { ...members, ...Object.fromEntries(event.data.invited.map(({ uid, access, write }) => [uid, { access, write }])) },
      addedBy: { ...addedBy, ...Object.fromEntries(event.data.invited.map(({ uid }) => [uid, event.id])) },
    })),
  ProjectPermissionsChanged: (event) => changeProject(event, ({ members }) => ({ members: { ...members, [event.data.uid]: event.data.to } })),
  ProjectTakenOver: (event) =>
    changeProject(event, (project) => ({ ...withoutMembers(project, [event.data.to]), ownerUid: event.data.to, privateChange: null })),
  ProjectUsersRemoved: (event) => [...changeProject(event, (project) => withoutMembers(project, event.data.uids)), ...noteLosses(event, event.data.uids)],
  ProjectLeft: (event) => [...changeProject(event, (project) => withoutMembers(project, [event.data.uid])), ...noteLosses(event, [event.data.uid])],
  ProjectRenamed: (event) => changeProject(event, () => ({ projectName: event.data.to })),
  ProjectDescriptionEdited: (event) => changeProject(event, () => ({ description: event.data.to })),
  ProjectVisibilityChanged: (event) => changeProject(event, () => ({ visibility: event.data.to })),
  ProjectCompletionChanged: (event) => changeProject(event, () => ({ completed: event.data.to })),
  ProjectRemoved: (event) => [
    remove(PROJECTS, idInStream(event)),
    ...piecesUpTo(idInStream(event), event.revision).map((piece) => remove(PROJECT_LISTS, piece)),
  ],
  ProjectPurged: () => [],

  PrivateNoteEdited: (event) => [
    update<ProjectDocument>(PROJECTS, idInStream(event), (project) => ({
      ...project,
      privateChange: { at: event.meta.at, position: event.position },
    })),
  ],

  VersionAdded: (event) =>
    changeProject(event, ({ versionIds }) => ({
      started: true,
      versionIds: [...versionIds, event.data.versionId],
      highestVersion: { majorUpdate: event.data.major, minorUpdate: event.data.minor },
    })),
  // Who listened is not for everybody, and changes nothing that they see.
  VersionPlayed: () => [],
  VersionRemoved: (event) => changeProject(event, ({ versionIds }) => ({ versionIds: withoutIds(versionIds, [event.data.versionId]) })),

  RegionAdded: (event) => changeLists(event, ({ regionIds }) => ({ regionIds: [...regionIds, event.data.regionId] })),
  ChildRegionAdded: (event) => changeLists(event, ({ regionIds }) => ({ regionIds: [...regionIds, event.data.regionId] })),
  'RegionRemoved.v2': (event) => changeLists(event, ({ gone }) => ({ gone: [...gone, event.data.regionId] })),

  CommentAdded: (event) =>
    changeLists(
      event,
      ({ commentIds }) => ({ commentIds: [...commentIds, event.data.commentId] }),
      ({ commentCount }) => ({ commentCount: commentCount + 1 }),
    ),
  CommentRated: (event) => [update<ProjectDocument>(PROJECTS, idInStream(event), (project) => ({ ...project, ...rated(event)(project) }))],
  CommentRemoved: (event) =>
    changeLists(
      event,
      ({ gone }) => ({ gone: [...gone, ...event.data.gone] }),
      ({ commentCount }) => ({ commentCount: commentCount - threadsIn(event.data) }),
    ),

  TutorialCreated: (event) => changeProject(event, () => ({ initialLogin: true })),

  TodoAdded: (event) =>
    changeLists(
      event,
      ({ todoIds }) => ({ todoIds: [...todoIds, event.data.todoId] }),
      ({ todoCount }) => ({ todoCount: todoCount + 1 }),
    ),
  TodoCompleted: (event) =>
    changeLists(
      event,
      ({ completedTodos }) => ({ completedTodos: [...completedTodos, event.data.todoId] }),
      ({ todoCount, completedTodoCount }) => ({ todoCount: todoCount - 1, completedTodoCount: completedTodoCount + 1 }),
    ),
  TodoRemoved: (event) =>
    changeLists(
      event,
      ({ gone }) => ({ gone: [...gone, event.data.todoId] }),
      ({ todoCount, completedTodoCount }) => (event.data.wasCompleted ? { completedTodoCount: completedTodoCount - 1 } : { todoCount: todoCount - 1 }),
    ),
};

const touching: Projections<ProjectStreamEvents> = Object.fromEntries(
  PROJECT_EVENT_TYPES.map((type) => [type, (event: StoredEvent): readonly DocumentChange[] => [touchProject(event)]]),
);

export const projectsProjector: Projector = projector(
  {
    name: 'projects',
    version: 11,
    collections: [
      {
        name: PROJECTS,
        indexes: [
          { field: 'memberUids', sort: 'dateModified' },
          { field: 'listed', sort: 'dateModified' },
        ],
      },
      { name: PROJECT_LISTS, indexes: [] },
      { name: MEMBERSHIP_LOSSES, indexes: [] },
    ],
  },
  { ...touching, ...changes },
);
