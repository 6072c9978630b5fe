import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { ChevronDown, ListChecks, type LucideIcon, MessageSquare, MessagesSquare } from 'lucide-react';
import { useMemo } from 'react';
import { byDate } from '../../shared/posts/threads';
import { type Destination, useProject } from '../../shared/project/project-context';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { Menu } from '../../shared/ui/menu';
import { textStart } from '@roughmix/contracts/shared/post-text.js';

interface RegionPostsProps {
  readonly regionId: Id;
  readonly comments: readonly CommentView[];
  readonly todos: readonly TodoView[];
}

/** A post that is tagged with the region, and where it is. */
interface RegionPost {
  readonly id: Id;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly destination: Destination;
}

const LABEL_LENGTH = 60;

function postsOn({ regionId, comments, todos }: RegionPostsProps): readonly RegionPost[] {
  const tagged = [...comments, ...todos].filter((post) => 'taggedRegions' in post && post.taggedRegions.some(({ _id }) => _id === regionId));
  return tagged.toSorted(byDate).map((post) => {
    const { _id, content } = post;
    const text = typeof content === 'string' ? textStart(content, LABEL_LENGTH) : 'an image';
    const label = `${post.user?.firstName ?? ''}: ${text}`;
    return 'parentTodoId' in post
      ? { id: _id, label, icon: ListChecks, destination: { todoId: _id } }
      : { id: _id, label, icon: MessageSquare, destination: { commentId: _id } };
  });
}

/** A menu that leads to the comments and todos on a region; nothing if there are none. */
export function RegionPosts({ regionId, comments, todos }: RegionPostsProps) {
  const { goTo } = useProject();
  const posts = useMemo(() => postsOn({ regionId, comments, todos }), [regionId, comments, todos]);
  if (posts.length === 0) return null;
  return (
    <Menu
      label="Posts on this region"
      placement="bottom start"
      entries={posts.map(({ destination, ...post }) => ({ ...post, onSelect: () => goTo(destination) }))}
      trigger={(trigger) => (
        <Button {...trigger} size="s" variant="quiet">
          <Icon of={MessagesSquare} size={14} />
          {posts.length === 1 ? '1 post' : `${posts.length} posts`}
          <Icon of={ChevronDown} size={12} />
        </Button>
      )}
    />
  );
}
