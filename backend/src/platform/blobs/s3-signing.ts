import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { attachment } from '../http/attachment.js';
import type { SignedGet, SignedPut, SignedPutRequest } from './blobs.js';
import type { S3Object } from './s3-writing.js';

/** The validity of a signed URL (milliseconds). */
interface Validity {
  readonly now: Instant;
  readonly expiresAt: Instant;
}

const validityOf = ({ now, expiresAt }: Validity) => ({ signingDate: new Date(now), expiresIn: Math.max(1, Math.ceil((expiresAt - now) / 1_000)) });

/** Signs the size, the type and that the key must be free, so the server refuses another size or type and a second put. */
export async function signedPut(signer: S3Client, object: S3Object, { now, ...options }: SignedPutRequest & { readonly now: Instant }): Promise<SignedPut> {
  const { size, contentType, expiresAt } = options;
  const command = new PutObjectCommand({ ...object, ContentLength: size, ContentType: contentType, IfNoneMatch: '*' });
  const signableHeaders = new Set(['host', 'content-length', 'content-type', 'if-none-match']);
  const url = await getSignedUrl(signer, command, { ...validityOf({ now, expiresAt }), signableHeaders });
  return { url, method: 'PUT', headers: { 'Content-Type': contentType, 'If-None-Match': '*' } };
}

/** Signs the response's content type and file name into the URL. */
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
  return getSignedUrl(signer, command, validityOf({ now, expiresAt }));
}
