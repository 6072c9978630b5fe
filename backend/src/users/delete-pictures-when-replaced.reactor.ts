import { Inject, Injectable } from '@nestjs/common';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { BLOBS } from '../platform/tokens.js';
import { pictureKeysOf } from './user.streams.js';

type PictureEvents = Pick<UserEvents, 'UserPhotoChanged' | 'UserCoverChanged'>;

/** Deletes the files of pictures that were replaced or removed; they do not go to the trash. */
@Injectable()
export class DeletePicturesWhenReplaced implements Reactor {
  readonly name = 'delete-pictures-when-replaced';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set<keyof PictureEvents>(['UserPhotoChanged', 'UserCoverChanged']);

  constructor(@Inject(BLOBS) private readonly blobs: BlobStore) {}

  async react(event: StoredEvent): Promise<void> {
    for (const key of replacedBy(event)) await this.blobs.remove(key);
  }
}

function replacedBy({ type, data }: StoredEvent): readonly string[] {
  if (type === 'UserPhotoChanged') {
    const { uid, from } = data as PictureEvents['UserPhotoChanged'];
    return pictureKeysOf({ uid, photo: from, cover: null });
  }
  const { uid, from } = data as PictureEvents['UserCoverChanged'];
  return pictureKeysOf({ uid, photo: null, cover: from });
}
