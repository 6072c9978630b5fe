import type { CommentView } from '../comments/comment.view.js';
import type { ProjectView } from '../projects/project.view.js';
import type { GoneView } from '../shared/gone.js';
import type { TodoView } from '../todos/todo.view.js';
import type { RegionView } from './region.view.js';

/** The parts of the answers to /api/taggedRegions. Each call returns some of them. */
export interface TagAnswer {
  /** The child that the call created, if any. */
  readonly newRegion: RegionView | GoneView | null;
  /** The region of the call; if it created a child, the parent. */
  readonly updatedRegion: RegionView | GoneView;
  /** The post. */
  readonly newContent: CommentView | TodoView | GoneView;
  readonly updatedProject: ProjectView;
}
