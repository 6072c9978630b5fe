import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { changedNotes } from '@roughmix/contracts/notes/note.api.js';
import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { EditProjectBody } from '@roughmix/contracts/projects/project.api.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext, Executed } from '../platform/streams/streams.js';
import type { ProjectCommand } from './project.decider.js';
import { ProjectStreams } from './project.streams.js';
import { EditProject } from './projects.commands.js';
import { ProjectsQueries } from './projects.queries.js';

/** One append of the call; the first kind of change has no name, as in calls with a single append. */
interface Step {
  readonly part?: NoteName;
  readonly command: ProjectCommand;
}

/** The appends of a call: the project's own fields, then each note, so that a long note fits into one. Each step checks the notes that follow it. */
function stepsOf({ owner, ...details }: EditProjectBody['submission']): readonly Step[] {
  const notes = owner?.notes ?? {};
  const names = changedNotes(notes);
  const isAboutNotesOnly = names.length > 0 && Object.values(details).every((value) => value === undefined);
  const own: Step = { command: { type: 'EditProject', data: { ...details, notes } } };
  const ofNotes = names.map((note, at): Step => {
    const rest = { hash: notes.hash, ...Object.fromEntries(names.slice(at).map((name) => [name, notes[name]])) };
    return { part: note, command: { type: 'EditNote', data: { note, notes: rest } } };
  });
  return isAboutNotesOnly ? ofNotes : [own, ...ofNotes];
}

type Done = Executed<ProjectStreamEvent>;
const NOTHING: Done = { events: [], position: null, decidedAt: 0, replayed: false };

/** Replayed only when nothing was appended this time. */
function both(one: Done, other: Done): Done {
  const decidedAt = Math.max(one.decidedAt, other.decidedAt);
  if (other.position === null) return { ...one, decidedAt };
  if (one.position === null) return { ...other, decidedAt };
  const position = Math.max(one.position, other.position);
  return { events: [...one.events, ...other.events], position, decidedAt, replayed: one.replayed && other.replayed };
}

/** A refusal after earlier appends of the same call: those stay, so it carries their position. */
const after = (position: Position | null, error: unknown): unknown =>
  error instanceof Refused && position !== null ? new Refused(error.code, error.extras, position) : error;

@CommandHandler(EditProject)
export class EditProjectHandler implements ICommandHandler<EditProject> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly projects: ProjectsQueries,
  ) {}

  async execute({ context, projectId, body }: EditProject): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    const done = await this.runAll(context, projectId, stepsOf(body.submission));
    return this.streams.answer(done, () => this.projects.updated(context, projectId));
  }

  private async runAll(context: CommandContext, projectId: Id, steps: readonly Step[]): Promise<Done> {
    let done = NOTHING;
    for (const { part, command } of steps) {
      try {
        done = both(done, await this.streams.run(part === undefined ? context : { ...context, part }, projectId, command));
      } catch (error) {
        throw after(done.position, error);
      }
    }
    return done;
  }
}
