import type { CommandBus } from '@nestjs/cqrs';
import { NewCommentBody, RatingBody, ReplyBody } from '@roughmix/contracts/comments/comment.api.js';
import { NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import { EditProjectBody, InviteUsersBody, NewProjectBody } from '@roughmix/contracts/projects/project.api.js';
import { NewRegionBody } from '@roughmix/contracts/regions/region.api.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { CompleteTodosBody, NewTodoBody, TodoReplyBody } from '@roughmix/contracts/todos/todo.api.js';
import { REMINDER_OFFSETS } from '@roughmix/contracts/todos/todo.due.js';
import { InitialVersionBody, NewVersionBody } from '@roughmix/contracts/versions/version.api.js';
import { Refused } from '../kernel/refusal.js';
import { AddComment, RateComment, ReplyToComment } from '../comments/comments.commands.js';
import { AddFirstVersion, AddVersion } from '../media/media.commands.js';
import type { UploadRights } from '../media/upload-rights.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { parseBody } from '../platform/http/body.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { uploadKey, type Uploads } from '../platform/uploads/uploads.js';
import { CreateProject, EditProject, InviteUsers } from '../projects/projects.commands.js';
import { AddRegion } from '../regions/regions.handlers.js';
import { AddTodo, CompleteTodos, ReplyToTodo } from '../todos/todos.commands.js';
import type { DemoSong } from './music/demo-songs.js';
import type { Rendering } from './music/rendering.js';
import type { MixName } from './music/score/song.js';
import type { PersonName } from './story/people.js';
import {
  type Answers,
  type BringsVersion,
  type Completes,
  type DemoDue,
  type DrawsRegion,
  type StoryEvent,
  type InvitesOne,
  type Likes,
  millisecondsOf,
  type OpensToAll,
  type ProjectStory,
  type Says,
  type WritesNote,
  type WritesTodo,
} from './story/story.js';

/** The dependencies and data that all stories share. */
export interface StoryContext {
  readonly commands: CommandBus;
  readonly rights: UploadRights;
  readonly uploads: Uploads;
  readonly blobs: BlobStore;
  readonly music: Rendering;
  readonly uids: ReadonlyMap<PersonName, Uid>;
  readonly startedAt: Instant;
  /** Maximum length of every version. */
  readonly seconds: number;
  /** The existing versions, by the id of the command that added them. */
  readonly existingVersions: ReadonlyMap<string, Id>;
  readonly onVersion: () => void;
}

/** The id of the command that adds a version. */
export const versionCommandId = (song: string, mix: MixName): string => `demo-${song}-version-${mix.replace('.', '-')}`;

/** How often a demo may be interrupted between creating a project and its first version. */
const MAX_ATTEMPTS = 20;

const slug = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function found<Value>(things: ReadonlyMap<string, Value>, name: string): Value {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`the story names '${name}' before it exists`);
  return thing;
}

interface DrawnRegion {
  readonly _id: Id;
  readonly start: number;
  readonly end: number;
}

/** Plays one project's story by sending the commands that the page would send. Every command has a fixed id, so repeating it changes nothing. */
export class StoryRunner {
  #projectId: Id = '';
  readonly #versions = new Map<string, Id>();
  readonly #regions = new Map<string, DrawnRegion>();
  readonly #comments = new Map<string, Id>();
  readonly #todos = new Map<string, Id>();

  constructor(
    private readonly shared: StoryContext,
    private readonly story: ProjectStory,
    private readonly song: DemoSong,
  ) {}

  /** The versions added so far. */
  get versionIds(): readonly Id[] {
    return [...this.#versions.values()];
  }

  /** '' before the story begins. */
  get projectId(): Id {
    return this.#projectId;
  }

  /** Waits for the music first, because the sweeper removes an old project without a version. */
  async begin(): Promise<void> {
    const { owner, ago, description, viewers, welcome } = this.story;
    const [first] = this.song.mixes;
    if (first === undefined) throw new Error(`${this.song.title} has no versions`);
    if (!this.shared.existingVersions.has(versionCommandId(this.song.name, first.name)))
      await this.shared.music.rendered({ song: this.song.name, mix: first.name });
    const invitedUsers = viewers.map(({ who, access }) => `${this.uid(who)}-${access}`);
    const submission = { projectName: this.song.title, description, tinySummary: first.summary, invitedUsers, message: welcome };
    const body = parseBody(NewProjectBody, { submission });
    this.#projectId = await this.create((what) => new CreateProject(this.context(owner, ago, what), body));
  }

  /** If the project of an interrupted start was removed in the meantime, creates another one with another command id. */
  private async create(command: (what: string) => CreateProject): Promise<Id> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.shared.commands.execute(command(attempt === 1 ? 'begin' : `begin-${attempt}`))).body.newProject._id;
      } catch (error) {
        const isGone = error instanceof Refused && error.code === 'project.not-found';
        if (!isGone || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async run(event: StoryEvent): Promise<void> {
    if ('invites' in event) await this.invite(event);
    else if ('opens' in event) await this.open(event);
    else if ('brings' in event) await this.bring(event);
    else if ('draws' in event) await this.draw(event);
    else if ('answers' in event) await this.answer(event);
    else if ('likes' in event) await this.like(event);
    else if ('note' in event) await this.writeNote(event);
    else if ('todo' in event) await this.writeTodo(event);
    else if ('completes' in event) await this.complete(event);
    else await this.say(event);
  }

  private async invite({ ago, by, invites, message }: InvitesOne): Promise<void> {
    const body = parseBody(InviteUsersBody, { invitedUsers: [this.uid(invites)], message, writeAccess: true });
    await this.shared.commands.execute(new InviteUsers(this.context(by, ago, `invite-${invites}`), this.#projectId, body));
  }

  private async open({ ago, by, opens }: OpensToAll): Promise<void> {
    const body = parseBody(EditProjectBody, { submission: { visibility: opens } });
    await this.shared.commands.execute(new EditProject(this.context(by, ago, 'open'), this.#projectId, body));
  }

  private async bring(event: BringsVersion): Promise<void> {
    const { brings } = event;
    const there = this.shared.existingVersions.get(versionCommandId(this.song.name, brings));
    this.#versions.set(brings, there ?? (await this.addVersion(event)));
    this.shared.onVersion();
  }

  private async addVersion({ ago, by, brings }: BringsVersion): Promise<Id> {
    const projectId = this.#projectId;
    const uploadId = await this.upload(by, brings);
    const context: CommandContext = { ...this.context(by, ago, ''), commandId: versionCommandId(this.song.name, brings) };
    const tinySummary = this.song.mixes.find(({ name }) => name === brings)?.summary ?? '';
    if (this.#versions.size === 0) {
      const { initialVersion } = parseBody(InitialVersionBody, { initialVersion: { projectId, uploadId, tinySummary } });
      return (await this.shared.commands.execute(new AddFirstVersion(context, initialVersion))).body.version._id;
    }
    const updateType = brings.endsWith('.0') ? 'major' : 'minor';
    const { submission } = parseBody(NewVersionBody, { submission: { projectId, uploadId, tinySummary, updateType } });
    return (await this.shared.commands.execute(new AddVersion(context, submission))).body.versionId;
  }

  /** Announces the file and writes it where the signed URL would. */
  private async upload(by: PersonName, mix: MixName): Promise<Id> {
    const { rights, uploads, blobs, music } = this.shared;
    const file = await music.take({ song: this.song.name, mix });
    const [projectId, uid] = [this.#projectId, this.uid(by)];
    const filename = `${this.song.title} ${mix}.wav`;
    const body = parseBody(NewUploadBody, { purpose: 'version', filename, contentType: 'audio/wav', size: file.byteLength, projectId });
    const versionId = await rights.check(body, uid);
    const { uploadId } = await uploads.announce({ uid, purpose: body.purpose, projectId, versionId, commentId: null, filename, size: body.size });
    await blobs.write(uploadKey(uploadId), file);
    await uploads.mark(uploadId, 'filled');
    return uploadId;
  }

  private async draw({ ago, by, draws, on }: DrawsRegion): Promise<void> {
    const moment = this.song.moments.find(({ text }) => text === draws);
    if (moment === undefined) throw new Error(`${this.song.title} has no moment '${draws}'`);
    const [start, end] = [this.inFile(moment.start), this.inFile(moment.end)];
    const submission = { versionId: found(this.#versions, on), start, end, tag: moment.category, label: draws };
    const body = parseBody(NewRegionBody, { projectId: this.#projectId, submission });
    const answer = await this.shared.commands.execute(new AddRegion(this.context(by, ago, `region-${slug(draws)}`), body));
    this.#regions.set(draws, { _id: answer.body.newRegion._id, start, end });
  }

  private async say({ ago, by, says, as, about, half, at }: Says): Promise<void> {
    const versionId = [...this.#versions.values()].at(-1);
    const submission = {
      content: says,
      ...this.tagged(about, half),
      ...(at === undefined || versionId === undefined ? {} : { stamp: { versionId, at: this.inFile(at) } }),
    };
    const body = parseBody(NewCommentBody, { projectId: this.#projectId, submission });
    const answer = await this.shared.commands.execute(new AddComment(this.context(by, ago, `comment-${as}`), body));
    this.#comments.set(as, answer.body.newComment._id);
  }

  private async answer({ ago, by, answers, says, as }: Answers): Promise<void> {
    const todoId = this.#todos.get(answers);
    if (todoId !== undefined) return this.answerTodo(todoId, { ago, by, says, as });
    const body = parseBody(ReplyBody, { projectId: this.#projectId, submission: { content: says } });
    const command = new ReplyToComment(this.context(by, ago, `comment-${as}`), found(this.#comments, answers), body);
    this.#comments.set(as, (await this.shared.commands.execute(command)).body.newComment._id);
  }

  private async answerTodo(todoId: Id, { ago, by, says, as }: Omit<Answers, 'answers'>): Promise<void> {
    const body = parseBody(TodoReplyBody, { projectId: this.#projectId, submission: { content: says } });
    await this.shared.commands.execute(new ReplyToTodo(this.context(by, ago, `todo-${as}`), todoId, body));
  }

  private async writeTodo({ ago, by, todo, as, about, due }: WritesTodo): Promise<void> {
    const submission = { content: todo, ...this.tagged(about), ...(due === undefined ? {} : this.due(due)) };
    const body = parseBody(NewTodoBody, { projectId: this.#projectId, submission });
    const answer = await this.shared.commands.execute(new AddTodo(this.context(by, ago, `todo-${as}`), body));
    const { newTodo } = answer.body;
    if (newTodo === null) throw new Error(`the todo '${as}' was removed`);
    this.#todos.set(as, newTodo._id);
  }

  private due({ inDays, hour, reminder }: DemoDue): Pick<NewTodoBody['submission'], 'dueDate' | 'reminder'> {
    const day = new Date(this.shared.startedAt);
    const dueDate = new Date(day.getFullYear(), day.getMonth(), day.getDate() + inDays, hour).getTime();
    return { dueDate, ...(reminder === undefined ? {} : { reminder: { [reminder]: dueDate - REMINDER_OFFSETS[reminder] } }) };
  }

  private async complete({ ago, by, completes }: Completes): Promise<void> {
    const todoIds = completes.map((name) => found(this.#todos, name));
    const body = parseBody(CompleteTodosBody, { projectId: this.#projectId });
    await this.shared.commands.execute(new CompleteTodos(this.context(by, ago, `complete-${completes.join('-')}`), todoIds, body));
  }

  /** The tag of a post. With a half, the post gets a child region. */
  private tagged(about: string | undefined, half?: Says['half']): { readonly taggedRegions?: readonly (Partial<DrawnRegion> & { readonly _id: Id })[] } {
    if (about === undefined) return {};
    const { _id, start, end } = found(this.#regions, about);
    const middle = (start + end) / 2;
    return { taggedRegions: [{ _id, ...(half === 'first' ? { end: middle } : {}), ...(half === 'second' ? { start: middle } : {}) }] };
  }

  private async like({ ago, by, likes }: Likes): Promise<void> {
    const body = parseBody(RatingBody, { projectId: this.#projectId, type: 'likes', on: true });
    await this.shared.commands.execute(new RateComment(this.context(by, ago, `like-${likes}-${by}`), found(this.#comments, likes), body));
  }

  private async writeNote({ ago, by, note, text }: WritesNote): Promise<void> {
    const body = parseBody(EditProjectBody, { submission: { owner: { notes: { [note]: text } } } });
    await this.shared.commands.execute(new EditProject(this.context(by, ago, `note-${ago}`), this.#projectId, body));
  }

  private context(by: PersonName, ago: string, what: string): CommandContext {
    const commandId = `demo-${this.song.name}-${what}`;
    return { actor: { uid: this.uid(by) }, at: this.shared.startedAt - millisecondsOf(ago), commandId, correlationId: 'demo', causationId: null };
  }

  private uid(name: PersonName): Uid {
    return found(this.shared.uids, name);
  }

  /** Maps a time of the song to the file; in an excerpt all times are scaled down. */
  private inFile(seconds: number): number {
    return seconds * Math.min(1, this.shared.seconds / this.song.duration);
  }
}
