import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Byline } from '../../shared/posts/byline';
import { Editable } from '../../shared/posts/editable';
import { PostArticle } from '../../shared/posts/post-article';
import { PostText } from '../../shared/posts/post-text';
import { TodoActs } from './todo-acts';
import { TodoEditor } from './todo-editor';
import { todoElementId } from './todo-element-id';

interface TodoReplyProps {
  readonly reply: TodoView;
  readonly highlightRequest: number;
  readonly isNew: boolean;
}

/** A reply to a todo. */
export function TodoReply({ reply, highlightRequest, isNew }: TodoReplyProps) {
  const { user, content } = reply;
  return (
    <PostArticle
      postId={reply._id}
      elementId={todoElementId(reply)}
      label={`Reply by ${fullName(user)}`}
      author={{ name: fullName(user), photo: user.smallPhoto }}
      isReply
      highlightRequest={highlightRequest}
      isNew={isNew}
    >
      <Byline post={reply} />
      <Editable postId={reply._id} editor={(onDone) => <TodoEditor todo={reply} onDone={onDone} />}>
        {(onEdit) => (
          <>
            <PostText content={content} />
            <TodoActs todo={reply} onEdit={onEdit} />
          </>
        )}
      </Editable>
    </PostArticle>
  );
}
