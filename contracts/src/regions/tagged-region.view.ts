import type { CommentView } from '../comments/comment.view.js';
import type { ProjectView } from '../projects/project.view.js';
import type { GoneView } from '../shared/gone.js';
import type { TodoView } from '../todos/todo.view.js';
import type { RegionView } from './region.view.js';

/** The parts of the answers to /api/taggedRegions. Each call returns some of them. In the answer to a repeated command, a view is null if its item is gone. */
export interface TagAnswer {
  /** The child that the call created; null if it created none. */
  readonly newRegion: RegionView | null;
  /** The region of the call; if it created a child, the parent. A child that was removed with its tag is marked as removed. */
  readonly updatedRegion: RegionView | GoneView | null;
  /** The post. */
  readonly newContent: CommentView | TodoView | null;
  readonly updatedProject: ProjectView;
}
