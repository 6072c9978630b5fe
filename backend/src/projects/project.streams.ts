import { Injectable } from '@nestjs/common';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { ProjectionRunner } from '../platform/projection-runner.js';
import { type CommandContext, type Executed, type ExecuteOptions, Streams } from '../platform/streams.js';
import { type ProjectCommand, projectDecider } from './project.decider.js';
import type { ProjectState } from './project.state.js';

export type { ProjectCommand, ProjectState };

/** Runs commands on a project's stream and waits until the read models hold what they did. */
@Injectable()
export class ProjectStreams {
  constructor(
    private readonly streams: Streams,
    private readonly projections: ProjectionRunner,
  ) {}

  async run(
    context: CommandContext,
    projectId: Id,
    command: ProjectCommand,
    options?: ExecuteOptions<ProjectState, ProjectStreamEvent>,
  ): Promise<Executed<ProjectStreamEvent>> {
    const done = await this.streams.execute(projectDecider, projectStream(projectId), command, context, options);
    await this.projections.hold(done.position);
    return done;
  }

  /** What an earlier sending of the same command did, null when this is the first; nothing is decided. @throws Refused `project.not-found`, `command.key-reused` */
  repeated(context: CommandContext, projectId: Id): Promise<Executed<ProjectStreamEvent> | null> {
    return this.streams.repeated(projectDecider, projectStream(projectId), context);
  }

  /** The folded project as of now, for what must not be stale. Read it, never change it. */
  state(projectId: Id): Promise<Readonly<ProjectState>> {
    return this.streams.state(projectDecider, projectStream(projectId));
  }
}

/** The uid of a command that only people ask for. */
export function uidOf(context: CommandContext): Uid {
  if (context.actor.uid === null) throw new Refused('auth.required');
  return context.actor.uid;
}

/** A command's answer from what it did and the payload that was read afterwards. */
export const answered = <Body>(done: Executed<ProjectStreamEvent>, body: Body): CommandAnswer<Body> => new CommandAnswer(body, done.position, done.replayed);
