import { UnsentPost } from '../../shared/posts/unsent-post';
import './comments.css';
import type { OutgoingComment } from './new-comment';
import { useCommentOutbox } from './use-comment-outbox';

interface UnsentCommentProps {
  readonly post: OutgoingComment;
  /** Puts the text back into the box where it was written. */
  readonly onTakeBack: (text: string) => void;
}

/** The user's own comment until the server has it. */
export function UnsentComment({ post, onTakeBack }: UnsentCommentProps) {
  const outbox = useCommentOutbox();
  const isImage = post.kind === 'image';
  return (
    <UnsentPost post={post} noun="Comment" outbox={outbox} onTakeBack={isImage ? null : onTakeBack}>
      {isImage && (
        <div className="comment-image is-coming" role="status">
          <span className="meta">{post.state === 'failed' ? post.content : 'Loading...'}</span>
        </div>
      )}
    </UnsentPost>
  );
}
