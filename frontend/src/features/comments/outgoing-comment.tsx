import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Avatar } from '../../shared/ui/avatar';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { Tag } from '../../shared/ui/tag';
import { CommentText } from './comment-text';
import { toTyped } from './comment-words';
import { outboxOf, type Outgoing } from './outbox';
import { StampButton } from './stamp-chip';
import { usePlace } from './surroundings';

export interface OutgoingCommentProps {
  readonly outgoing: Outgoing;
  /** Puts the words back where they were written. */
  readonly onTakeBack: (text: string) => void;
}

function Failed({ outgoing, onTakeBack }: OutgoingCommentProps) {
  const { user, projectId } = usePlace();
  const outbox = outboxOf(user.uid, projectId);
  const takeBack = () => {
    outbox.drop(outgoing.key);
    if (outgoing.kind === 'text') onTakeBack(toTyped(outgoing.content));
  };
  return (
    <>
      <FieldError>Not sent. It is kept here. {outgoing.failure}</FieldError>
      <div className="acts">
        <Button size="s" variant="quiet" onPress={() => outbox.retry(outgoing.key)}>
          Retry
        </Button>
        <Button size="s" variant="quiet" onPress={takeBack}>
          {outgoing.kind === 'text' ? 'Back to the box' : 'Discard'}
        </Button>
      </div>
    </>
  );
}

/** One's own comment before the server has it. */
export function OutgoingComment(props: OutgoingCommentProps) {
  const { outgoing } = props;
  const { user } = usePlace();
  return (
    <article className="say is-pending" aria-label={`Comment by ${fullName(user)}, not sent yet`} aria-busy={outgoing.state !== 'failed'}>
      <Avatar name={fullName(user)} photo={user.smallPhoto} size={outgoing.parentId === null ? 32 : 28} isDecorative />
      <div className="who">
        <b>{fullName(user)}</b>
        <span className="meta">{outgoing.state === 'failed' ? 'not sent' : 'sending'}</span>
        {outgoing.stamp !== null && <StampButton stamp={outgoing.stamp} onPress={null} />}
        {outgoing.region !== null && <Tag category={outgoing.region.tag} span={outgoing.region} />}
      </div>
      <div>
        {outgoing.kind === 'text' ? (
          <CommentText content={outgoing.content} />
        ) : (
          <div className="comment-image is-coming" role="status">
            <span className="meta">{outgoing.state === 'failed' ? outgoing.content : 'Loading...'}</span>
          </div>
        )}
        {outgoing.state === 'failed' && <Failed {...props} />}
      </div>
    </article>
  );
}
