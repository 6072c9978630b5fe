import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { Check, Plus } from 'lucide-react';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import styles from './profiles.module.css';
import { useFollow } from './use-follow';

export interface FollowButtonProps {
  readonly person: PersonView;
  /** The one of the profile itself, as opposed to one in a list. */
  readonly isMain?: boolean;
}

/** Follow, or Following, which unfollows; not for oneself. */
export function FollowButton({ person, isMain = false }: FollowButtonProps) {
  const { user } = useSession();
  const { isFollowing, toggle } = useFollow(person);
  if (user?.uid === person.uid) return null;
  const look = isMain ? { icon: isFollowing ? Check : Plus } : { size: 's' as const, className: styles.follow, ...(isFollowing ? { icon: Check } : {}) };
  const variant = isFollowing ? 'default' : isMain ? 'primary' : 'outline';
  return (
    <Button {...look} variant={variant} title={isFollowing ? 'Unfollow' : undefined} onPress={toggle}>
      {isFollowing ? 'Following' : 'Follow'}
      <span className="sr"> {fullName(person)}</span>
    </Button>
  );
}
