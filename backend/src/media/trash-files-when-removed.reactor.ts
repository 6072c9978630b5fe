import { Injectable } from '@nestjs/common';
import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionEvents } from '@roughmix/contracts/versions/version.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { idInStream } from '../kernel/stream-name.js';
import { foldersOf, type ProjectState, ProjectStreams } from '../projects/project.streams.js';
import { Trash } from './trash.js';

const PROJECT = 'ProjectRemoved';

/** Moves the files of removed versions, comments and projects to the trash, which deletes them later. */
@Injectable()
export class TrashFilesWhenRemoved implements Reactor {
  readonly name = 'trash-files-when-removed';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['VersionRemoved', 'CommentRemoved', PROJECT]);

  constructor(
    private readonly streams: ProjectStreams,
    private readonly trash: Trash,
  ) {}

  async react(event: StoredEvent): Promise<void> {
    const project = await this.streams.state(idInStream(event));
    for (const prefix of filesOf(event, project, idInStream(event))) await this.trash.put(prefix, event.meta.at, event.position);
  }
}

/** The folders of the removed item. */
function filesOf(event: StoredEvent, project: Readonly<ProjectState>, projectId: Id): readonly string[] {
  if (event.type === PROJECT) return foldersOf(project, projectId);
  if (event.type === 'VersionRemoved') {
    const { versionId } = event.data as VersionEvents['VersionRemoved'];
    const version = project.versions[versionId];
    return version === undefined ? [] : [`${version.uploaderUid}/ProjectMediaFiles/${projectId}/${versionId}`];
  }
  const { commentId } = event.data as CommentEvents['CommentRemoved'];
  return event.meta.actorUid === null ? [] : [`${event.meta.actorUid}/ProjectMediaFiles/${projectId}/${commentId}`];
}
