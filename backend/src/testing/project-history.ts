import type { CommentEvents, Rating } from '@roughmix/contracts/comments/comment.events.js';
import type { AccessNumber, Grant, Visibility } from '@roughmix/contracts/projects/project.access.js';
import { type ProjectEvents, projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { SpanChange, Stamp, WantedTag } from '@roughmix/contracts/shared/marks.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { type Due, NOT_DUE, type Reminder } from '@roughmix/contracts/todos/todo.due.js';
import type { CompletedVersion, TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { AudioFile } from '@roughmix/contracts/versions/version.events.js';
import type { Stored } from '../kernel/decider.js';
import { storedEvent } from './stored-event.js';

type By = { readonly by?: Uid };

/** The default project of histories, and the id of the first version that its creation announces. */
export const PROJECT_ID: Id = 'p1';
const FIRST_VERSION: Id = 'v1';

/** A probed and stored audio file of 60 seconds. */
export const anAudioFile = (facts: Partial<AudioFile> = {}): AudioFile => ({
  key: 'ana/ProjectMediaFiles/p1/v1/1_0-low tide.wav',
  filename: 'low tide.wav',
  size: 1_000,
  contentType: 'audio/wav',
  codec: 'pcm_s16le',
  duration: 60,
  sampleRate: 44_100,
  channels: 2,
  ...facts,
});

/** A project's history as the events of its stream. Immutable: each method returns a longer history. */
export class ProjectHistory {
  private constructor(
    private readonly projectId: Id,
    readonly events: readonly Stored<ProjectStreamEvent>[],
    private readonly from: { readonly position: Position; readonly at: Instant },
  ) {}

  static of(projectId: Id): ProjectHistory {
    return new ProjectHistory(projectId, [], { position: 1, at: 1_700_000_000_000 });
  }

  /** Appends an event by the given user, or by the system if null. Positions and revisions count up, one second apart. */
  and(event: ProjectStreamEvent, by: Uid | null = this.owner, commandId?: string): ProjectHistory {
    const revision = this.events.length;
    const place = { stream: projectStream(this.projectId), revision, position: this.from.position + revision, at: this.from.at + revision * 1_000 };
    const stored = storedEvent(event, { ...place, actorUid: by, ...(commandId === undefined ? {} : { commandId }) }) as Stored<ProjectStreamEvent>;
    return new ProjectHistory(this.projectId, [...this.events, stored], this.from);
  }

  /** The same history with its first event at this position of the log. */
  beginningAt(position: Position): ProjectHistory {
    const events = this.events.map((event, at) => ({ ...event, position: position + at }));
    return new ProjectHistory(this.projectId, events, { ...this.from, position });
  }

  /** The next event happens this many milliseconds later than it would. */
  later(milliseconds: number): ProjectHistory {
    return new ProjectHistory(this.projectId, this.events, { ...this.from, at: this.from.at + milliseconds });
  }

  ownedBy(uid: Uid, facts: Partial<ProjectEvents['ProjectCreated']> = {}): ProjectHistory {
    const words = { projectName: 'Low tide', description: '', tinySummary: '', invited: [], message: '' };
    const data = { projectId: this.projectId, ownerUid: uid, firstVersionId: FIRST_VERSION, ...words, ...facts };
    return this.and({ type: 'ProjectCreated', data }, uid);
  }

  sharedWith(uid: Uid, { write = false, access = write ? 3 : 1 }: { readonly write?: boolean; readonly access?: AccessNumber } = {}): ProjectHistory {
    return this.and({ type: 'ProjectUsersInvited', data: { invited: [{ uid, access, write }], message: '' } });
  }

  withPermissions(uid: Uid, from: Grant, to: Grant): ProjectHistory {
    return this.and({ type: 'ProjectPermissionsChanged', data: { uid, from, to } });
  }

  without(...uids: Uid[]): ProjectHistory {
    return this.and({ type: 'ProjectUsersRemoved', data: { uids } });
  }

  made(to: Visibility): ProjectHistory {
    return this.and({ type: 'ProjectVisibilityChanged', data: { from: to === 'public' ? 'private' : 'public', to } });
  }

  /** Replaces the text `before` by another. */
  withNote(text: string, { by, before = '' }: By & { readonly before?: string } = {}): ProjectHistory {
    return this.and({ type: 'PublicNoteEdited', data: { at: 0, removed: before.length, inserted: text, hash: sha256(text) } }, by);
  }

  withPrivateNote(text: string, before = ''): ProjectHistory {
    const data = { ownerUid: this.owner, at: 0, removed: before.length, inserted: text, hash: sha256(text) };
    return this.and({ type: 'PrivateNoteEdited', data });
  }

  removed(): ProjectHistory {
    return this.and({ type: 'ProjectRemoved', data: { abandoned: false } });
  }

  withVersion(
    versionId: Id,
    { by, major, minor, duration, uploadId }: By & { major?: number; minor?: number; duration?: number; uploadId?: Id } = {},
  ): ProjectHistory {
    const number = { major: major ?? 1, minor: minor ?? this.events.filter((event) => event.type === 'VersionAdded').length };
    const file = anAudioFile({
      // With the name of the file, as in events of earlier versions.
      key: `${by ?? this.owner}/ProjectMediaFiles/${this.projectId}/${versionId}/${number.major}_${number.minor}-a.wav`,
      ...(duration === undefined ? {} : { duration }),
    });
    const data = { versionId, ...number, tinySummary: 'Initial Version', taggedUsers: [], uploadId: uploadId ?? `upload-${versionId}`, file };
    return this.and({ type: 'VersionAdded', data }, by);
  }

  analysed(versionId: Id, uploadId: Id = `upload-${versionId}`, codec = 'pcm_s16le'): ProjectHistory {
    const analysis = { duration: 60, sampleRate: 44_100, channels: 2, codec, loudness: -14, truePeak: -1 };
    return this.and({ type: 'VersionAnalyzed', data: { versionId, uploadId, analysis, peaksKey: `peaks-${uploadId}`, peaksLevels: 3 } }, null);
  }

  /** With a copy of 500 bytes for browsers. */
  copied(versionId: Id, uploadId: Id = `upload-${versionId}`): ProjectHistory {
    const copy = { key: `playback-${uploadId}`, size: 500, contentType: 'audio/flac', codec: 'flac' };
    return this.and({ type: 'PlaybackCopied', data: { versionId, uploadId, copy } }, null);
  }

  rejected(versionId: Id, uploadId: Id = `upload-${versionId}`): ProjectHistory {
    return this.and({ type: 'VersionRejected', data: { versionId, uploadId, code: 'upload.damaged' } }, null);
  }

  replaced(versionId: Id, uploadId: Id, { by }: By = {}): ProjectHistory {
    return this.and({ type: 'VersionReplaced', data: { versionId, uploadId, file: anAudioFile() } }, by);
  }

  withoutVersion(versionId: Id): ProjectHistory {
    return this.and({ type: 'VersionRemoved', data: { versionId } });
  }

  /** Adds a region to the newest version, and adds a version if there is none. */
  withRegion(regionId: Id, { by, on, ...span }: By & { readonly on?: Id } & Partial<RegionSpan> = {}): ProjectHistory {
    const versionId = on ?? this.newestVersion;
    if (versionId === null) return this.withVersion(FIRST_VERSION).withRegion(regionId, { ...span, ...(by === undefined ? {} : { by }) });
    return this.and({ type: 'RegionAdded', data: { regionId, versionId, span: { start: 10, end: 20, tag: 'mix', label: null, ...span } } }, by);
  }

  /** Adds a child of a region of the newest version. */
  withChild(regionId: Id, { by, of, ...span }: By & { readonly of: Id } & Partial<RegionSpan>): ProjectHistory {
    const data = {
      regionId,
      parentRegionId: of,
      versionId: this.newestVersion ?? FIRST_VERSION,
      span: { start: 11, end: 20, tag: 'mix', label: null, ...span },
    } as const;
    return this.and({ type: 'ChildRegionAdded', data }, by);
  }

  withoutRegion(
    regionId: Id,
    options: By & { readonly untags?: readonly Id[]; readonly todoIds?: readonly Id[]; readonly childOf?: Id; readonly children?: readonly Id[] } = {},
  ): ProjectHistory {
    const { by, untags = [], todoIds = [], childOf = null, children = [] } = options;
    return this.and({ type: 'RegionRemoved.v2', data: { regionId, parentRegionId: childOf, childIds: children, commentIds: untags, todoIds } }, by);
  }

  withComment(commentId: Id, options: By & Partial<CommentEvents['CommentAdded']> & { tags?: readonly Id[]; stamp?: Stamp | null } = {}): ProjectHistory {
    const { by, tags = [], stamp = null, ...facts } = options;
    const marks = { taggedRegions: tags, stamp };
    const data = { commentId, kind: 'text', content: 'Louder here', versionId: this.newestVersion, taggedUsers: [], marks, ...facts } as const;
    return this.and({ type: 'CommentAdded', data }, by);
  }

  withImage(commentId: Id, { by = this.owner }: By = {}): ProjectHistory {
    const key = `${by}/ProjectMediaFiles/${this.projectId}/${commentId}/image.png`;
    return this.and(
      { type: 'CommentImageAdded.v2', data: { commentId, uploadId: `upload-${commentId}`, key, contentType: 'image/png', width: 4, height: 3, size: 70 } },
      by,
    );
  }

  withReply(commentId: Id, { by, to, tags = [] }: By & { readonly to: Id; readonly tags?: readonly Id[] }): ProjectHistory {
    const marks = { taggedRegions: tags, stamp: null };
    const data = { commentId, parentCommentId: to, content: 'Yes', versionId: this.newestVersion, taggedUsers: [], marks };
    return this.and({ type: 'CommentReplyAdded', data }, by);
  }

  withoutComment(commentId: Id, options: By & { readonly gone: readonly Id[]; readonly replyTo?: Id; readonly tags?: readonly Id[] }): ProjectHistory {
    const { by, gone, replyTo = null, tags = [] } = options;
    return this.and({ type: 'CommentRemoved', data: { commentId, parentCommentId: replyTo, taggedRegions: tags, gone } }, by);
  }

  rated(commentId: Id, { by, from = null, to }: By & { readonly from?: Rating | null; readonly to: Rating | null }): ProjectHistory {
    return this.and({ type: 'CommentRated', data: { commentId, from, to } }, by);
  }

  withTodo(todoId: Id, options: By & Partial<TodoEvents['TodoAdded']> & { tags?: readonly Id[]; stamp?: Stamp | null } = {}): ProjectHistory {
    const { by, tags = [], stamp = null, ...facts } = options;
    const marks = { taggedRegions: tags, stamp };
    return this.and(
      { type: 'TodoAdded', data: { todoId, content: 'Tune the snare', versionId: this.newestVersion, taggedUsers: [], marks, due: NOT_DUE, ...facts } },
      by,
    );
  }

  withTodoReply(todoId: Id, { by, to, tags = [], parentOwnerUid = this.owner }: By & { to: Id; tags?: readonly Id[]; parentOwnerUid?: Uid }): ProjectHistory {
    const marks = { taggedRegions: tags, stamp: null };
    const data = { todoId, parentTodoId: to, parentOwnerUid, content: 'On it', versionId: this.newestVersion, taggedUsers: [], marks };
    return this.and({ type: 'TodoReplyAdded', data }, by);
  }

  withTodoDue(todoId: Id, from: Due, to: Due, { by }: By = {}): ProjectHistory {
    return this.and({ type: 'TodoEdited', data: { todoId, text: null, due: { from, to } } }, by);
  }

  completing(todoId: Id, { by, version = null }: By & { readonly version?: CompletedVersion | null } = {}): ProjectHistory {
    return this.and({ type: 'TodoCompleted', data: { todoId, version } }, by);
  }

  withoutTodo(todoId: Id, { by, ...facts }: By & Partial<TodoEvents['TodoRemoved']> = {}): ProjectHistory {
    return this.and({ type: 'TodoRemoved', data: { todoId, replyIds: [], taggedRegions: [], wasCompleted: false, completedVersionId: null, ...facts } }, by);
  }

  withoutTodoReply(todoId: Id, { by, from, tags = [] }: By & { readonly from: Id; readonly tags?: readonly Id[] }): ProjectHistory {
    return this.and({ type: 'TodoReplyRemoved', data: { todoId, parentTodoId: from, taggedRegions: tags } }, by);
  }

  reminded(todoId: Id, reminder: Reminder): ProjectHistory {
    return this.and({ type: 'TodoReminderFired', data: { todoId, reminder } }, null);
  }

  private get owner(): Uid {
    return this.events.flatMap((event) => (event.type === 'ProjectCreated' ? event.data.ownerUid : []))[0] ?? '';
  }

  private get newestVersion(): Id | null {
    return this.events.flatMap((event) => (event.type === 'VersionAdded' ? event.data.versionId : [])).at(-1) ?? null;
  }
}

/** A command's wish to tag a post with a region; a changed region becomes the child 'x1'. */
export const tagWith = (regionId: Id, change: SpanChange = {}): WantedTag => ({ regionId, change, childId: 'x1' });

/** A project without events: `aProject().ownedBy(ana).withVersion('v1')`. */
export const aProject = (projectId: Id = PROJECT_ID): ProjectHistory => ProjectHistory.of(projectId);
