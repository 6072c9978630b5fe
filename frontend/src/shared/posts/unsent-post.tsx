import { fullName } from '@roughmix/contracts/users/user.view.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import type { ReactNode } from 'react';
import { useProject } from '../project/project-context';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { FieldError } from '../ui/field';
import { Tag } from '../ui/tag';
import type { Outbox } from '../writing/outbox';
import { StampButton } from '../writing/stamp-chip';
import { PostText } from './post-text';
import type { NewPost, OutgoingPost } from './new-post';
import './posts.css';

export interface UnsentPostProps {
  readonly post: OutgoingPost;
  /** What it is, such as 'Comment'. */
  readonly noun: string;
  readonly outbox: Pick<Outbox<NewPost>, 'retry' | 'drop'>;
  /** Puts the text back into the box where it was written; null for a post that is not text. */
  readonly onTakeBack: ((text: string) => void) | null;
  /** Shown instead of the text. */
  readonly children?: ReactNode;
}

function Failed({ post, outbox, onTakeBack }: UnsentPostProps) {
  const takeBack = () => {
    outbox.drop(post.key);
    onTakeBack?.(toTyped(post.content));
  };
  return (
    <>
      <FieldError>Not sent. It is kept here. {post.failure}</FieldError>
      <div className="acts">
        <Button size="s" variant="quiet" onPress={() => outbox.retry(post.key)}>
          Retry
        </Button>
        <Button size="s" variant="quiet" onPress={takeBack}>
          {onTakeBack === null ? 'Discard' : 'Back to draft'}
        </Button>
      </div>
    </>
  );
}

/** The user's own post until the server has it. */
export function UnsentPost(props: UnsentPostProps) {
  const { post, noun, children } = props;
  const { user } = useProject();
  const hasFailed = post.state === 'failed';
  return (
    <article className="say is-pending" aria-label={`${noun} by ${fullName(user)}, not sent yet`} aria-busy={!hasFailed}>
      <Avatar name={fullName(user)} photo={user.smallPhoto} size={post.parentId === null ? 32 : 28} isDecorative />
      <div className="who">
        <b>{fullName(user)}</b>
        <span className="meta">{hasFailed ? 'not sent' : 'sending'}</span>
        {post.stamp !== null && <StampButton stamp={post.stamp} onPress={null} />}
        {post.region !== null && <Tag category={post.region.tag} span={post.region} />}
      </div>
      <div>
        {children || <PostText content={post.content} />}
        {hasFailed && <Failed {...props} />}
      </div>
    </article>
  );
}
