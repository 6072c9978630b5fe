import { Injectable } from '@nestjs/common';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { type CommandContext, type Executed, type ExecuteOptions, Streams } from '../platform/streams/streams.js';
import { type ProjectCommand, projectDecider } from './project.decider.js';
import type { ProjectState } from './project.state.js';
import { PROJECTS } from './projects.documents.js';

export type { ProjectCommand, ProjectState };

/** Runs commands on a project's stream and waits until the project itself shows what they did: whatever else an answer reads waits for itself. */
@Injectable()
export class ProjectStreams {
  constructor(
    private readonly streams: Streams,
    private readonly readSide: ReadSide,
  ) {}

  /**
   * `command`: what is asked for, or what makes it; a repeat is answered before anything is made.
   * @throws Refused `stream.unreadable` before anything is written, when a person asks and the project's read model would not show it; `store.away` when
   * the read model takes too long
   */
  async run(
    context: CommandContext,
    projectId: Id,
    command: ProjectCommand | (() => Promise<ProjectCommand>),
    options?: ExecuteOptions<ProjectState, ProjectStreamEvent>,
  ): Promise<Executed<ProjectStreamEvent>> {
    const stream = projectStream(projectId);
    if (context.actor.uid !== null) this.readSide.requireReadable(stream, [PROJECTS]);
    const execute = (ready: ProjectCommand): Promise<Executed<ProjectStreamEvent>> => this.streams.execute(projectDecider, stream, ready, context, options);
    const done = await (typeof command === 'function' ? this.unlessRepeated(context, projectId, async () => execute(await command())) : execute(command));
    await this.readSide.wrote({ stream, position: done.position, uid: context.actor.uid }, [PROJECTS]);
    return done;
  }

  /** A command's answer from what it did and the payload that is read afterwards: each read waits until it shows what was done. */
  async answer<Body>(done: Executed<ProjectStreamEvent>, make: () => Promise<Body>): Promise<CommandAnswer<Body>> {
    const { position, events } = done;
    return answered(done, await this.readSide.answer({ stream: events[0]?.stream ?? '', position }, make));
  }

  /** As {@link run}, and waits until every read model holds it: for what must be gone everywhere. */
  async runEverywhere(context: CommandContext, projectId: Id, command: ProjectCommand): Promise<Executed<ProjectStreamEvent>> {
    const done = await this.run(context, projectId, command);
    await this.readSide.hold(done.position);
    return done;
  }

  /** For what the system found out: read models that lag do not undo it, and it need not be found out again. */
  async record(context: CommandContext, projectId: Id, command: ProjectCommand): Promise<void> {
    const { position } = await this.streams.execute(projectDecider, projectStream(projectId), command, context);
    await this.readSide.waitBestEffort(position, [PROJECTS]);
  }

  private async unlessRepeated(
    context: CommandContext,
    projectId: Id,
    work: () => Promise<Executed<ProjectStreamEvent>>,
  ): Promise<Executed<ProjectStreamEvent>> {
    const isLookedFor = this.streams.mayBeRepeated(projectDecider, projectStream(projectId), context);
    const before = isLookedFor ? await this.repeated(context, projectId) : null;
    if (before !== null) return before;
    try {
      return await work();
    } catch (error) {
      // Sent twice at the same time: the other one did it (and took the file) while this one was getting ready.
      // Who came too late for its turn would only wait for another.
      const isDecided = error instanceof Refused && error.code !== 'store.busy';
      const meanwhile = isDecided ? await this.repeated(context, projectId) : null;
      if (meanwhile === null) throw error;
      return meanwhile;
    }
  }

  /** What an earlier sending of the same command did, null when this is the first; nothing is decided. @throws Refused `project.not-found`, `command.key-reused` */
  private repeated(context: CommandContext, projectId: Id): Promise<Executed<ProjectStreamEvent> | null> {
    return this.streams.repeated(projectDecider, projectStream(projectId), context);
  }

  /** The folded project as of now, for what must not be stale. Read it, never change it. */
  state(projectId: Id): Promise<Readonly<ProjectState>> {
    return this.streams.state(projectDecider, projectStream(projectId));
  }
}

/** The folders that hold a project's files: one for each person who brought some. */
export function foldersOf(project: Readonly<ProjectState>, projectId: Id): readonly string[] {
  const uploaders = Object.values(project.versions).map((version) => version.uploaderUid);
  const authors = Object.values(project.comments).map((comment) => comment.authorUid);
  return [...new Set([project.ownerUid, ...uploaders, ...authors])].map((uid) => `${uid}/ProjectMediaFiles/${projectId}`);
}

/** The uid of a command that only people ask for. */
export function uidOf(context: CommandContext): Uid {
  if (context.actor.uid === null) throw new Refused('auth.required');
  return context.actor.uid;
}

/** What a command's answer shows of a thing that somebody removed since. */
export const goneView = (done: Executed<ProjectStreamEvent>, projectId: Id, _id: Id): GoneView => ({
  _id,
  projectId,
  removed: true,
  position: done.position ?? 0,
});

/** A command's answer from what it did and a payload that no read model is asked for. */
export const answered = <Body>(done: Executed<ProjectStreamEvent>, body: Body): CommandAnswer<Body> => new CommandAnswer(body, done.position, done.replayed);
