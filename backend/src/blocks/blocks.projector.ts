import { type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, remove } from '../kernel/projector.js';
import { BLOCKS, type BlocksDocument } from './blocks.documents.js';

/** Changes whom a user blocks, creating their document if it is missing. */
const changeBlocks = (uid: Uid, { position }: StoredEvent, change: (uids: readonly Uid[]) => readonly Uid[]): DocumentChange => ({
  collection: BLOCKS,
  id: uid,
  change: (old) => {
    const document: BlocksDocument = { uid, uids: change((old as BlocksDocument | null)?.uids ?? []), position };
    return { ...document };
  },
});

/** Who blocks whom. `uids` finds those who block someone. */
export const blocksProjector: Projector = projector<Pick<UserEvents, 'UserBlocked' | 'UserUnblocked' | 'UserErased'>>(
  { name: 'blocks', version: 1, collections: [{ name: BLOCKS, indexes: [{ field: 'uids', sort: 'uid' }] }] },
  {
    UserBlocked: (event) => {
      const { uid, otherUid } = event.data;
      return [changeBlocks(uid, event, (uids) => [...withoutIds(uids, [otherUid]), otherUid])];
    },
    UserUnblocked: (event) => [changeBlocks(event.data.uid, event, (uids) => withoutIds(uids, [event.data.otherUid]))],
    UserErased: {
      reads: ({ data }) => [{ collection: BLOCKS, where: { field: 'uids', value: data.uid } }],
      project: (event, [blockers = []]) => [
        remove(BLOCKS, event.data.uid),
        ...blockers.map(({ id }) => changeBlocks(id, event, (uids) => withoutIds(uids, [event.data.uid]))),
      ],
    },
  },
);
