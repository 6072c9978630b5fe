import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { useState } from 'react';
import { BlockQuestion } from '../../shared/people/block-question';
import { useBlock } from '../../shared/people/use-block';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';

/** Block, which asks first, or Unblock; for accounts only. */
export function BlockButton({ person }: { readonly person: PersonView }) {
  const { user } = useSession();
  const { isBlocked, change, unblock } = useBlock(person);
  const [isAsking, setAsking] = useState(false);
  if (user === null || user.isGuest) return null;
  return (
    <>
      <Button variant={isBlocked ? 'outline' : 'quiet'} onPress={() => (isBlocked ? unblock() : setAsking(true))} isPending={change.isPending}>
        {isBlocked ? 'Unblock' : 'Block'}
        <span className="sr"> {fullName(person)}</span>
      </Button>
      <BlockQuestion person={person} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
