import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { ChangePasswordBody, EditUserBody, UserImageBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SelfView, UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { api } from '../../shared/api/client';
import { uploadFile } from '../../shared/api/upload';
import type { ChosenPicture } from './use-picture';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Share of the picture that was sent, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}
export type PictureKind = 'photo' | 'cover';

const PURPOSES = { photo: 'profile-photo', cover: 'cover-photo' } as const;

/** Changes a profile; with a new password, accepts the welcome form. */
export async function editProfile(uid: Uid, body: EditUserBody, { signal }: CallOptions = {}): Promise<SelfView> {
  return (await api.send<UpdatedUserAnswer>('PUT', USER_PATHS.user(uid), body, { signal })).answer.updatedUser;
}

/** Uploads a picture and makes it the photo or the cover. */
export async function savePicture(uid: Uid, kind: PictureKind, { file, crop }: ChosenPicture, { signal, onProgress }: CallOptions = {}): Promise<SelfView> {
  const { uploadId } = await uploadFile(file, { purpose: PURPOSES[kind] }, { signal, onProgress: (sent) => onProgress?.(sent / file.size) });
  const body: UserImageBody = crop === null ? { uploadId } : { uploadId, crop };
  return (await api.send<UpdatedUserAnswer>('PUT', USER_PATHS[kind](uid), body, { signal })).answer.updatedUser;
}

/** Back to the generated face, or to no cover. */
export async function removePicture(uid: Uid, kind: PictureKind, { signal }: CallOptions = {}): Promise<SelfView> {
  return (await api.send<UpdatedUserAnswer>('DELETE', USER_PATHS[kind](uid), undefined, { signal })).answer.updatedUser;
}

/** Not retried: each wrong password counts. */
export async function changePassword(body: ChangePasswordBody, { signal }: CallOptions = {}): Promise<void> {
  await api.send('POST', USER_PATHS.password, body, { signal, retries: 0 });
}

/** Whether a photo was uploaded; without one `smallPhoto` is the generated face. */
export const hasOwnPhoto = ({ uid, smallPhoto }: Pick<SelfView, 'uid' | 'smallPhoto'>): boolean => smallPhoto !== USER_PATHS.photo(uid);
