import type { PhotoAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp from 'sharp';
import type { Person } from './app.js';
import { upload } from './project-over-http.js';
import { bodyOf } from './test-client.js';

/** Gives a person a profile photo, which the welcome form asks for. */
export async function withPhoto(who: Person): Promise<Person> {
  const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(who, bytes, { purpose: 'profile-photo' });
  bodyOf(await who.put<PhotoAnswer>(`/api/users/${who.uid}/photo`, { uploadId }));
  return who;
}
