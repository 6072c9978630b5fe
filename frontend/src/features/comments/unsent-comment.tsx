import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useProject } from '../../shared/project/project-context';
import { Avatar } from '../../shared/ui/avatar';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { Tag } from '../../shared/ui/tag';
import { toTyped } from '../../shared/writing/mention-text';
import { StampButton } from '../../shared/writing/stamp-chip';
import { TextWithMentions } from '../../shared/writing/text-with-mentions';
import './comments.css';
import type { OutgoingComment } from './new-comment';
import { useCommentOutbox } from './use-comment-outbox';

export interface UnsentCommentProps {
  readonly comment: OutgoingComment;
  /** Puts the text back into the box where it was written. */
  readonly onTakeBack: (text: string) => void;
}

function Failed({ comment, onTakeBack }: UnsentCommentProps) {
  const outbox = useCommentOutbox();
  const takeBack = () => {
    outbox.drop(comment.key);
    if (comment.kind === 'text') onTakeBack(toTyped(comment.content));
  };
  return (
    <>
      <FieldError>Not sent. It is kept here. {comment.failure}</FieldError>
      <div className="acts">
        <Button size="s" variant="quiet" onPress={() => outbox.retry(comment.key)}>
          Retry
        </Button>
        <Button size="s" variant="quiet" onPress={takeBack}>
          {comment.kind === 'text' ? 'Back to draft' : 'Discard'}
        </Button>
      </div>
    </>
  );
}

/** The user's own comment until the server has it. */
export function UnsentComment(props: UnsentCommentProps) {
  const { comment } = props;
  const { user } = useProject();
  const hasFailed = comment.state === 'failed';
  return (
    <article className="say is-pending" aria-label={`Comment by ${fullName(user)}, not sent yet`} aria-busy={!hasFailed}>
      <Avatar name={fullName(user)} photo={user.smallPhoto} size={comment.parentId === null ? 32 : 28} isDecorative />
      <div className="who">
        <b>{fullName(user)}</b>
        <span className="meta">{hasFailed ? 'not sent' : 'sending'}</span>
        {comment.stamp !== null && <StampButton stamp={comment.stamp} onPress={null} />}
        {comment.region !== null && <Tag category={comment.region.tag} span={comment.region} />}
      </div>
      <div>
        {comment.kind === 'text' ? (
          <TextWithMentions content={comment.content} />
        ) : (
          <div className="comment-image is-coming" role="status">
            <span className="meta">{hasFailed ? comment.content : 'Loading...'}</span>
          </div>
        )}
        {hasFailed && <Failed {...props} />}
      </div>
    </article>
  );
}
