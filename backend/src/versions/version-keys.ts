import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { AUDIO_NAME } from '@roughmix/contracts/versions/audio-file-key.js';

/** The storage key of a version's file, as in the spec but without its name. A replacement's key contains its upload id, so it never overwrites the previous file. */
export function audioKey(file: {
  readonly ownerUid: Uid;
  readonly projectId: Id;
  readonly versionId: Id;
  readonly number: { readonly major: number; readonly minor: number };
  readonly upload?: Id;
}): string {
  const folder = file.upload === undefined ? file.versionId : `${file.versionId}/${file.upload}`;
  return `${file.ownerUid}/ProjectMediaFiles/${file.projectId}/${folder}/${file.number.major}_${file.number.minor}-${AUDIO_NAME}`;
}
