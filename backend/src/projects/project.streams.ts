import { Injectable } from '@nestjs/common';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { type CommandContext, type Executed, Streams } from '../platform/streams/streams.js';
import { type ProjectCommand, projectDecider } from './project.decider.js';
import type { ProjectState } from './project.state.js';
import { PROJECTS } from './projects.documents.js';

export type { ProjectCommand, ProjectState };

/** Runs commands on a project's stream and waits until the project itself shows their effect: other reads of an answer wait for their own collections. */
@Injectable()
export class ProjectStreams extends BoundStream<ProjectState, ProjectCommand, ProjectStreamEvent> {
  constructor(streams: Streams, readSide: ReadSide) {
    super({ decider: projectDecider, stream: projectStream, collections: [PROJECTS] }, streams, readSide);
  }
}

/** The folders of a project's files: one for each user who uploaded any. */
export function foldersOf(project: Readonly<ProjectState>, projectId: Id): readonly string[] {
  const uploaders = Object.values(project.versions).map((version) => version.uploaderUid);
  const authors = Object.values(project.comments).map((comment) => comment.authorUid);
  return [...new Set([project.ownerUid, ...uploaders, ...authors])].map((uid) => `${uid}/ProjectMediaFiles/${projectId}`);
}

/** The caller's uid, in a command that only users send. */
export function uidOf(context: Pick<CommandContext, 'actor'>): Uid {
  if (context.actor.uid === null) throw new Refused('auth.required');
  return context.actor.uid;
}

/** The id of the child region that a command creates if it changes the region that it tags a post with. */
export const childRegionId = (context: CommandContext, projectId: Id): Id => idFrom('child-region', projectId, uidOf(context), context.commandId);

/** The response to a repeated command whose item was removed since. */
export const goneView = (done: Executed<ProjectStreamEvent>, projectId: Id, _id: Id): GoneView => ({
  _id,
  projectId,
  removed: true,
  position: done.position ?? 0,
});

/** A command's response with a body that needs no reads. */
export const answered = <Body>(done: Executed<ProjectStreamEvent>, body: NoInfer<AsPreferred<Body>>): CommandAnswer<Body> =>
  new CommandAnswer(body, done.position, done.replayed);
