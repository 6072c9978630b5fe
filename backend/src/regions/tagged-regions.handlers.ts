import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PostOfTagBody } from '@roughmix/contracts/regions/tagged-region.api.js';
import type { TagAnswer } from '@roughmix/contracts/regions/tagged-region.view.js';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { childRegionId, goneView, type ProjectCommand, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { TodosQueries } from '../todos/todos.queries.js';
import { RegionsQueries } from './regions.queries.js';
import type { TagChange } from './tagged-region.decider.js';

/** The parts of an answer besides the project. */
type Part = Exclude<keyof TagAnswer, 'updatedProject'>;
type Answer<Shown extends Part> = Pick<TagAnswer, Shown | 'updatedProject'>;

/** Changes the tag of one post, by the rules for editing that post. */
export class ChangeTag<Shown extends Part = Part> extends Command<CommandAnswer<Answer<Shown>>> {
  constructor(
    readonly context: CommandContext,
    readonly post: PostOfTagBody,
    readonly change: TagChange,
    readonly shown: readonly Shown[],
  ) {
    super();
  }
}

@CommandHandler(ChangeTag)
export class ChangeTagHandler implements ICommandHandler<ChangeTag> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly projects: ProjectsQueries,
    private readonly regions: RegionsQueries,
    private readonly comments: CommentsQueries,
    private readonly todos: TodosQueries,
  ) {}

  async execute({ context, post, change, shown }: ChangeTag): Promise<CommandAnswer<Answer<Part>>> {
    const { postId, type } = post;
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: postId, projectId: post.projectId, uid, missing: `${type}.not-found` });
    const tag = { change, childId: childRegionId(context, projectId) };
    const command: ProjectCommand =
      type === 'todo' ? { type: 'TagTodo', data: { todoId: postId, ...tag } } : { type: 'TagComment', data: { commentId: postId, ...tag } };
    const done = await this.streams.run(context, projectId, command);
    const region = async (regionId: Id) => (await this.regions.views([regionId]))[0] ?? null;
    const child = done.events.find((event) => event.type === 'ChildRegionAdded');
    const reads: { readonly [Name in Part]: () => Promise<TagAnswer[Name]> } = {
      newRegion: async () => (child === undefined ? null : region(child.data.regionId)),
      updatedRegion: async () => {
        const view = await region(child?.data.parentRegionId ?? change.regionId);
        return view === null && change.to === 'nothing' ? goneView(done, projectId, change.regionId) : view;
      },
      newContent: () => (type === 'todo' ? this.todos.inProject(postId, projectId) : this.comments.inProject(postId, projectId, uid)),
    };
    return this.streams.answer(done, async () => {
      const read = await Promise.all(shown.map(async (name) => [name, await reads[name]()] as const));
      return { ...Object.fromEntries(read), ...(await this.projects.updated(context, projectId)) } as AsPreferred<Answer<Part>>;
    });
  }
}
