import type { ActiveComment, CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { ReactNode } from 'react';
import { Byline } from '../../shared/posts/byline';
import { Editable } from '../../shared/posts/editable';
import { PostArticle } from '../../shared/posts/post-article';
import { PostEditor } from '../../shared/posts/post-editor';
import { PostText } from '../../shared/posts/post-text';
import { CommentActs } from './comment-acts';
import { CommentImage } from './comment-image';
import { useEditComment } from './comments.queries';
import { COMMENT_LIMIT } from './use-comment-place';

export interface CommentArticleProps {
  readonly comment: CommentView;
  readonly hasReplies: boolean;
  /** The last request to highlight this comment; 0 for none. */
  readonly highlightRequest: number;
  readonly isNew: boolean;
  readonly children?: ReactNode;
}

interface EditorProps {
  readonly comment: ActiveComment;
  readonly content: string;
  readonly onDone: () => void;
}

function CommentEditor({ comment, content, onDone }: EditorProps) {
  return <PostEditor label="Edit comment" post={{ ...comment, content }} limit={COMMENT_LIMIT} edit={useEditComment(comment)} onDone={onDone} />;
}

function Content({ comment, hasReplies, children }: Pick<CommentArticleProps, 'hasReplies' | 'children'> & { readonly comment: ActiveComment }) {
  const { content } = comment;
  return (
    <Editable
      postId={comment._id}
      editor={typeof content === 'string' ? (onDone) => <CommentEditor comment={comment} content={content} onDone={onDone} /> : null}
    >
      {(onEdit) => (
        <>
          {typeof content === 'string' ? <PostText content={content} /> : <CommentImage content={content} />}
          <CommentActs comment={comment} hasReplies={hasReplies} onEdit={onEdit}>
            {children}
          </CommentActs>
        </>
      )}
    </Editable>
  );
}

/** One comment or reply. */
export function CommentArticle({ comment, hasReplies, highlightRequest, isNew, children }: CommentArticleProps) {
  const name = comment.removed ? '' : fullName(comment.user);
  return (
    <PostArticle
      postId={comment._id}
      elementId={`comment-${comment._id}`}
      label={comment.removed ? 'Removed comment' : `Comment by ${name}`}
      author={{ name, photo: comment.removed ? undefined : comment.user.smallPhoto }}
      isReply={!comment.removed && comment.isReply}
      highlightRequest={highlightRequest}
      isNew={isNew}
    >
      {comment.removed ? (
        <div>
          <p className="text soft">content removed...</p>
          <div className="acts">{children}</div>
        </div>
      ) : (
        <>
          <Byline post={comment} isEdited={comment.edited !== null && comment.type === 'text'} />
          <Content comment={comment} hasReplies={hasReplies}>
            {children}
          </Content>
        </>
      )}
    </PostArticle>
  );
}
