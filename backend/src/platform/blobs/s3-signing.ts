import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { attachment } from '../http/attachment.js';
import type { SignedGet, SignedPut, SignedPutAsked } from './blobs.js';
import type { S3Object } from './s3-writing.js';

/** When an address begins to hold, and until when (milliseconds). */
interface Life {
  readonly now: Instant;
  readonly expiresAt: Instant;
}

const lifeOf = ({ now, expiresAt }: Life) => ({ signingDate: new Date(now), expiresIn: Math.max(1, Math.ceil((expiresAt - now) / 1_000)) });

/** Signs the size and type of what is put, and that nothing may be there yet: another size or type, or a second put, is refused by the server. */
export async function signedPut(signer: S3Client, object: S3Object, { now, ...asked }: SignedPutAsked & { readonly now: Instant }): Promise<SignedPut> {
  const { size, contentType, expiresAt } = asked;
  const command = new PutObjectCommand({ ...object, ContentLength: size, ContentType: contentType, IfNoneMatch: '*' });
  const signableHeaders = new Set(['host', 'content-length', 'content-type', 'if-none-match']);
  const url = await getSignedUrl(signer, command, { ...lifeOf({ now, expiresAt }), signableHeaders });
  return { url, method: 'PUT', headers: { 'Content-Type': contentType, 'If-None-Match': '*' } };
}

/** Signs with the address what the answer says of itself: its type, and a name to save it under. */
export function signedGet(
  signer: S3Client,
  object: S3Object,
  { now, expiresAt, filename, contentType }: SignedGet & { readonly now: Instant },
): Promise<string> {
  const command = new GetObjectCommand({
    ...object,
    ResponseCacheControl: 'private, no-cache',
    ...(contentType !== undefined && { ResponseContentType: contentType }),
    ...(filename !== undefined && { ResponseContentDisposition: attachment(filename) }),
  });
  return getSignedUrl(signer, command, lifeOf({ now, expiresAt }));
}
