import type { Destination } from '../../shared/project/project-context';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';

/** Ids of the posts of the open list, from their articles. */
const POSTS = '.posts article[id]';

function destinationOf({ id }: HTMLElement): Destination {
  const postId = id.slice(id.indexOf('-') + 1);
  return id.startsWith('todo-') ? { todoId: postId } : { commentId: postId };
}

/** The post `by` places after the focused one, or else after the selected one; the first if there is neither. */
function postAway(by: 1 | -1): HTMLElement | undefined {
  const posts = [...document.querySelectorAll<HTMLElement>(POSTS)];
  const focused = posts.findIndex((post) => post.contains(document.activeElement));
  const from = focused === -1 ? posts.findIndex((post) => post.hasAttribute('aria-current')) : focused;
  return posts[from === -1 ? 0 : from + by];
}

/** J and K select the next and the previous comment or todo of the open list. */
export function usePostKeys(goTo: (destination: Destination) => void): void {
  const step = (by: 1 | -1) => () => {
    const post = postAway(by);
    if (post !== undefined) goTo(destinationOf(post));
  };
  useShortcuts([
    { keys: ['j'], label: 'Select the next comment or todo', run: step(1) },
    { keys: ['k'], label: 'Select the previous comment or todo', run: step(-1) },
  ]);
}
