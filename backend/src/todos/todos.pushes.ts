import { Injectable } from '@nestjs/common';
import type { TodoPush } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, currentPushes, type Emission, projectFactsOf, type ProjectPushFacts, type PushSource, toProject } from '../platform/live/live-message.js';
import { type RegionChange, RegionsQueries } from '../regions/regions.queries.js';
import { TodosQueries } from './todos.queries.js';

type Shown = 'TodoAdded' | 'TodoReplyAdded' | 'TodoEdited' | 'TodoCompleted';
type Removed = 'TodoRemoved' | 'TodoReplyRemoved';

/** Live pushes about todos, including those whose region changed. */
@Injectable()
export class TodosPushes implements PushSource {
  constructor(
    private readonly todos: TodosQueries,
    private readonly regions: RegionsQueries,
  ) {}

  steps(stored: StoredEvent): readonly Emission[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'TodoAdded':
      case 'TodoEdited':
      case 'TodoCompleted':
        return [this.shown(facts, event.type, event.data.todoId)];
      case 'TodoReminderFired':
      case 'TodoReminderSkipped':
        return [this.shown(facts, 'TodoEdited', event.data.todoId)];
      case 'TodoReplyAdded':
        return [this.shown(facts, 'TodoReplyAdded', event.data.todoId), this.shown(facts, 'TodoEdited', event.data.parentTodoId)];
      case 'TodoReplyRemoved':
        return [removed(facts, 'TodoReplyRemoved', [event.data.todoId]), this.shown(facts, 'TodoEdited', event.data.parentTodoId)];
      case 'TodoRemoved':
        return [removed(facts, 'TodoRemoved', [event.data.todoId, ...event.data.replyIds])];
      case 'RegionEdited':
      case 'RegionRemoved.v2':
        return [this.retagged(facts, event)];
      default:
        return [];
    }
  }

  private shown(facts: ProjectPushFacts, type: Shown, todoId: Id): Emission {
    return toProject(facts.projectId, 'todos', () => this.currentPushes(facts, type, [todoId]));
  }

  /** Todos whose tag changed because its region did. */
  private retagged(facts: ProjectPushFacts, event: RegionChange): Emission {
    const build = async () => this.currentPushes(facts, 'TodoEdited', await this.regions.retaggedBy(event, 'todoIds'));
    return toProject(facts.projectId, 'todos', build);
  }

  private async currentPushes(facts: ProjectPushFacts, type: Shown, todoIds: readonly Id[]): Promise<readonly TodoPush[]> {
    return currentPushes<TodoView, TodoPush>(todoIds, await this.todos.views(todoIds), {
      shown: (view) => ({ ...facts, type, view }),
      removed: (id) => ({ ...facts, type: 'TodoRemoved', ids: [id] }),
      isParked: () => this.todos.isParked(facts.projectId),
    });
  }
}

const removed = (facts: ProjectPushFacts, type: Removed, ids: readonly Id[]): Emission => toProject(facts.projectId, 'todos', built({ ...facts, type, ids }));
