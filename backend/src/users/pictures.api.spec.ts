import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { CoverAnswer, PhotoAnswer, UserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { announce, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
});
afterAll(() => app.stop());

const RED = { r: 220, g: 20, b: 20 };
const picture = (width = 1_000, height = 800): Sharp => sharp({ create: { width, height, channels: 3, background: RED } });
const png = (width?: number, height?: number): Promise<Buffer> => picture(width, height).png({ compressionLevel: 1 }).toBuffer();

const put = async <Body>(who: Person, kind: 'photo' | 'cover', bytes: Uint8Array, crop?: object): Promise<Answer<Body>> => {
  const { uploadId } = await upload(who, bytes, { purpose: kind === 'photo' ? 'profile-photo' : 'cover-photo', filename: 'me.png' });
  return who.put<Body>(`/api/users/${who.uid}/${kind}`, { uploadId, ...(crop === undefined ? {} : { crop }) });
};
const putPhoto = (who: Person, bytes: Uint8Array, crop?: object): Promise<Answer<PhotoAnswer>> => put(who, 'photo', bytes, crop);
const putCover = (who: Person, bytes: Uint8Array, crop?: object): Promise<Answer<CoverAnswer>> => put(who, 'cover', bytes, crop);

async function served(path: string): Promise<Metadata & { readonly bytes: Buffer }> {
  const answer = await app.anonymous.raw('GET', path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { ...(await sharp(bytes).metadata()), bytes };
}
const sizeOf = async (path: string): Promise<readonly [number, number]> => {
  const { width, height } = await served(path);
  return [width, height];
};
const face = (who: Person): string => `/api/users/${who.uid}/photo`;
const picturesOf = async (who: Person): Promise<readonly string[]> => (await app.blobs()).filter((path) => path.includes(`${who.uid}/Images/`));

describe('a profile photo', () => {
  test('is stored in two sizes under the paths of the spec, and shown wherever the user is', async () => {
    const answer = await putPhoto(ana, await png());
    const { updatedUser, smallPhoto, largePhoto } = bodyOf(answer);
    expect([answer.headers.get('x-position'), updatedUser.smallPhoto, updatedUser.largePhoto, updatedUser.photoURL]).toEqual([
      String(updatedUser.position),
      smallPhoto,
      largePhoto,
      smallPhoto,
    ]);
    for (const path of [smallPhoto, largePhoto]) expect(path.startsWith(`/api/users/${ana.uid}/`)).toBe(true);
    expect([await sizeOf(smallPhoto), await sizeOf(largePhoto)]).toEqual([
      [170, 170],
      [680, 680],
    ]);
    const files = await picturesOf(ana);
    expect(files.map((path) => path.slice(0, path.lastIndexOf('/')))).toEqual(Array(2).fill(`${ana.uid}/Images/ProfilePictures`));
    expect(files.every((path) => !path.includes('me.png'))).toBe(true);
    expect((await app.blobs()).filter((path) => path.startsWith('uploads'))).toEqual([]);
    const [found] = bodyOf(await bob.get<UsersAnswer>('/api/users/search?q=ana')).users;
    expect(found).toMatchObject({ smallPhoto, largePhoto, photoURL: smallPhoto });
    const { newProject } = bodyOf(await ana.post<{ newProject: ProjectAnswer['project'] }>('/api/projects/newProject', { submission: { projectName: 'x' } }));
    expect(newProject.owner).toMatchObject({ smallPhoto });
  });

  test('is public, revalidated each time, and safe to show', async () => {
    const { smallPhoto } = bodyOf(await putPhoto(ana, await png()));
    const { status, headers } = await app.anonymous.raw('GET', smallPhoto);
    expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'private, no-cache',
      'nosniff',
    ]);
    const again = await app.anonymous.raw('GET', smallPhoto, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  test('gets a new address when it is replaced, and the old one is gone at once, with its files soon after', async () => {
    const before = bodyOf(await putPhoto(ana, await png()));
    const after = bodyOf(await putPhoto(ana, await png(300, 300)));
    expect(after.smallPhoto).not.toBe(before.smallPhoto);
    for (const path of [before.smallPhoto, before.largePhoto]) expectRefused(await app.anonymous.get(path), 'route.not-found');
    await app.reactorsIdle();
    expect(await picturesOf(ana)).toHaveLength(2);
    expect(await sizeOf(after.largePhoto)).toEqual([300, 300]);
  });

  test('is removed: the face is back', async () => {
    const { smallPhoto } = bodyOf(await putPhoto(bob, await png()));
    const removed = bodyOf(await bob.delete<PhotoAnswer>(face(bob)));
    expect(removed).toMatchObject({ smallPhoto: face(bob), largePhoto: face(bob), updatedUser: { photoURL: face(bob) } });
    expectRefused(await app.anonymous.get(smallPhoto), 'route.not-found');
    await app.reactorsIdle();
    expect(await picturesOf(bob)).toEqual([]);
    const again = await bob.delete<PhotoAnswer>(face(bob));
    expect([again.status, again.headers.get('x-position'), again.body]).toEqual([200, null, removed]);
  });
});

describe('the pixels of a photo', () => {
  test('are cut from the upright image, and come without metadata', async () => {
    // As a camera held sideways stores it: the green half is at the top once it is upright.
    const green = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer();
    const bytes = await picture(400, 200)
      .composite([{ input: green, left: 0, top: 0 }])
      .withExif({ IFD0: { Make: 'Secretcam' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    const { largePhoto } = bodyOf(await putPhoto(ana, bytes, { x: 0, y: 200, width: 200, height: 200 }));
    const made = await served(largePhoto);
    expect([made.format, made.width, made.height, made.orientation, made.bytes.includes('Secretcam')]).toEqual(['jpeg', 200, 200, undefined, false]);
    const { dominant } = await sharp(made.bytes).stats();
    expect([dominant.r > 180, dominant.g < 60]).toEqual([true, true]);
    expectRefused(await putPhoto(ana, bytes, { x: 200, y: 0, width: 200, height: 200 }), 'photo.crop', { field: 'crop' });
  });

  test('are not enlarged', async () => {
    const { smallPhoto, largePhoto } = bodyOf(await putPhoto(ana, await png(), { x: 10, y: 10, width: 90, height: 90 }));
    expect([await sizeOf(smallPhoto), await sizeOf(largePhoto)]).toEqual([
      [90, 90],
      [90, 90],
    ]);
  });

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('may come as %s', async (format) => {
    const { smallPhoto } = bodyOf(await putPhoto(ana, await picture(200, 200).toFormat(format).toBuffer()));
    expect(await sizeOf(smallPhoto)).toEqual([170, 170]);
  });
});

describe('a cover', () => {
  test('is cut to 3:1 without a crop', async () => {
    const { coverPhoto, updatedUser } = bodyOf(await putCover(ana, await png(2_400, 1_600)));
    expect([updatedUser.coverPhoto, await sizeOf(coverPhoto ?? '')]).toEqual([coverPhoto, [1_800, 600]]);
    expect(bodyOf(await ana.get<UserAnswer>(`/api/users/auth/${ana.uid}`)).user.coverPhoto).toBe(coverPhoto);
  });

  test.each([
    [{ x: 0, y: 0, width: 2_400, height: 1_600 }, [900, 600]],
    [{ x: 100, y: 0, width: 300, height: 600 }, [300, 600]],
    [{ x: 0, y: 0, width: 120, height: 40 }, [120, 40]],
  ])('%j fits uncut into 1800 by 600', async (crop, size) => {
    const { coverPhoto } = bodyOf(await putCover(ana, await png(2_400, 1_600), crop));
    expect(await sizeOf(coverPhoto ?? '')).toEqual(size);
  });

  test('is replaced and removed', async () => {
    const first = bodyOf(await putCover(bob, await png())).coverPhoto ?? '';
    const second = bodyOf(await putCover(bob, await png())).coverPhoto ?? '';
    expectRefused(await app.anonymous.get(first), 'route.not-found');
    expect(bodyOf(await bob.delete<CoverAnswer>(`/api/users/${bob.uid}/cover`))).toMatchObject({ coverPhoto: null, updatedUser: { coverPhoto: null } });
    expectRefused(await app.anonymous.get(second), 'route.not-found');
    await app.reactorsIdle();
    expect(await picturesOf(bob)).toEqual([]);
  });
});

describe('an upload for a picture', () => {
  const purpose = 'profile-photo';

  test.each<[what: string, bytes: () => Promise<Uint8Array>]>([
    ['text', () => Promise.resolve(Buffer.from('no picture'))],
    ['an SVG', () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))],
    ['a TIFF', () => picture(9, 9).tiff().toBuffer()],
    ['half a PNG', async () => (await picture(400, 300).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000)],
  ])('is refused and not kept if it is %s', async (_what, bytes) => {
    const before = await app.blobs();
    expectRefused(await putPhoto(ana, await bytes()), 'upload.not-image');
    expectRefused(await putCover(ana, await bytes()), 'upload.not-image');
    expect(await app.blobs()).toEqual(before);
  });

  test('is refused when it is empty, over 10 MB or over 50 megapixels', async () => {
    expectRefused(await announce(ana, { purpose, size: 0 }), 'upload.empty');
    expect((await announce(ana, { purpose, size: 10_000_000 })).status).toBe(201);
    expectRefused(await announce(ana, { purpose, size: 10_000_001 }), 'upload.image-too-large');
    expectRefused(await announce(ana, { purpose: 'cover-photo', size: 48_000_000 }), 'upload.image-too-large');
    const before = await app.blobs();
    const huge = await putPhoto(ana, await png(10_000, 5_001));
    expectRefused(huge, 'upload.image-too-large', { detail: 'Images can have at most 50 megapixels' });
    expect(await app.blobs()).toEqual(before);
  });

  test('fits its own use and user only, once', async () => {
    const { uploadId } = await upload(ana, await png(), { purpose });
    expectRefused(await bob.put(`/api/users/${bob.uid}/photo`, { uploadId }), 'upload.not-found');
    expectRefused(await ana.put(`/api/users/${ana.uid}/cover`, { uploadId }), 'upload.not-found');
    expectRefused(await bob.put(`/api/users/${ana.uid}/photo`, { uploadId }), 'actor.mismatch');
    const use = (key: string): Promise<Answer<PhotoAnswer>> => ana.put(`/api/users/${ana.uid}/photo`, { uploadId }, { 'Idempotency-Key': key });
    const answers = await Promise.all(Array.from({ length: 5 }, () => use('photo-once')));
    expect(new Set(answers.map((answer) => `${statusAndCode(answer)} ${answer.body.smallPhoto}`)).size).toBe(1);
    expectRefused(await use('photo-twice'), 'upload.not-found');
  });

  test('can be used with another crop after one that does not fit', async () => {
    const { uploadId } = await upload(ana, await png(), { purpose });
    const crop = (width: number): Promise<Answer<PhotoAnswer>> =>
      ana.put(`/api/users/${ana.uid}/photo`, { uploadId, crop: { x: 0, y: 0, width, height: 100 } });
    expectRefused(await crop(99), 'photo.crop', { field: 'crop' });
    expect(statusAndCode(await crop(100))).toBe('200');
  });

  test('is not for the guest', async () => {
    const guest = await app.guest();
    expectRefused(await announce(guest, { purpose }), 'guest.read-only');
    expectRefused(await guest.delete(`/api/users/${guest.uid}/photo`), 'guest.read-only');
  });
});

test('an erased user has no pictures', async () => {
  const zoe = await app.person('Zoe');
  const { smallPhoto } = bodyOf(await putPhoto(zoe, await png()));
  const { coverPhoto } = bodyOf(await putCover(zoe, await png()));
  const { uploadId } = await upload(zoe, await png(), { purpose: 'cover-photo' });
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: zoe.uid }));
  for (const path of [smallPhoto, coverPhoto ?? '']) expectRefused(await app.anonymous.get(path), 'route.not-found');
  expect((await app.blobs()).filter((path) => path.includes(zoe.uid) || path.includes(uploadId))).toEqual([]);
  expect((await app.anonymous.get(face(zoe))).status).toBe(200);
});
