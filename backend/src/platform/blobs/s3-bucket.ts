import {
  type CORSRule,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ServiceUnavailable } from '../store-errors.js';
import { CALL_MS } from './s3-client.js';
import { callWithTimeout, ignoreMissing, statusOf } from './s3-errors.js';

/** The bucket cannot be used as configured; the message names the variable or the fix. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable';
}

/** A bucket and its server. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
}

/** Begins with a dot, so it cannot collide with a key. */
const PROBE = '.roughmix-probe';

/** The error codes of different servers for a bad access key. */
const WRONG_KEY = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'XAdminUserNotFound', 'AuthorizationHeaderMalformed', 'RequestTimeTooSkewed']);

const NO_KEY =
  'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or let the environment, a file or the role of this machine provide a key (AWS credentials chain)';

/** Tries to list, write and remove in the bucket. @throws BucketUnusable, or ServiceUnavailable when the server does not answer */
export async function checkBucket(client: S3Client, target: S3Bucket): Promise<void> {
  const Bucket = target.bucket;
  await allowed(target, 'list', (options) => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), options));
  await allowed(target, 'write to', (options) => client.send(new PutObjectCommand({ Bucket, Key: PROBE, Body: Buffer.alloc(0) }), options));
  // Other processes starting at the same time may have removed it.
  await allowed(target, 'remove from', (options) => ignoreMissing(client.send(new DeleteObjectCommand({ Bucket, Key: PROBE }), options)));
}

async function allowed(target: S3Bucket, action: string, call: (options: { readonly abortSignal: AbortSignal }) => Promise<unknown>): Promise<void> {
  try {
    await callWithTimeout(CALL_MS, call);
  } catch (error) {
    const cause = error instanceof ServiceUnavailable ? error.cause : error;
    if (cause instanceof Error && cause.name === 'CredentialsProviderError') throw new BucketUnusable(NO_KEY, { cause });
    throw cause instanceof S3ServiceException ? new BucketUnusable(sentenceOf(target, action, cause), { cause }) : unreachable(target, error);
  }
}

const unreachable = ({ endpoint }: S3Bucket, error: unknown): ServiceUnavailable =>
  new ServiceUnavailable(`S3_ENDPOINT: the S3 server at ${endpoint} does not answer`, { cause: error });

function sentenceOf({ endpoint, bucket }: S3Bucket, action: string, error: S3ServiceException): string {
  if (error.name === 'NoSuchBucket') return `S3_BUCKET: there is no bucket ${bucket} at ${endpoint}; create it first`;
  if (error.name === 'RequestTimeTooSkewed') return `S3_ENDPOINT: the clocks of this machine and of ${endpoint} are too far apart`;
  if (WRONG_KEY.has(error.name)) return `S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION: ${endpoint} rejects this key (${error.name})`;
  return `S3_BUCKET: the key is not allowed to ${action} the bucket ${bucket} at ${endpoint} (${statusOf(error) ?? 'no status'} ${error.name})`;
}

/** The CORS rule for pages of one origin: put with the signed headers, read, and see Content-Range. */
const corsRuleFor = (pageOrigin: string): CORSRule => ({
  AllowedOrigins: [pageOrigin],
  AllowedMethods: ['PUT', 'GET', 'HEAD'],
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Accept-Ranges'],
  MaxAgeSeconds: 3_600,
});

const holds = (list: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  wanted.every((each) => list?.includes(each) === true || list?.includes('*') === true);

/** Whether a rule allows everything ours does. */
function suffices(rule: CORSRule, ours: CORSRule): boolean {
  const has = (name: 'AllowedOrigins' | 'AllowedMethods' | 'AllowedHeaders'): boolean => holds(rule[name], ours[name] ?? []);
  return has('AllowedOrigins') && has('AllowedMethods') && has('AllowedHeaders') && holds(rule.ExposeHeaders, ours.ExposeHeaders ?? []);
}

/** Adds the CORS rule for pages, keeping existing rules. @returns what the operator has to configure if the server refuses, else null */
export async function openToPages(client: S3Client, bucket: string, pageOrigin: string): Promise<string | null> {
  const Bucket = bucket;
  const ours = corsRuleFor(pageOrigin);
  try {
    const rules = await rulesOf(client, bucket);
    if (rules.some((rule) => suffices(rule, ours))) return null;
    const CORSRules = [...rules, ours];
    await callWithTimeout(CALL_MS, (options) => client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }), options));
    return null;
  } catch (error) {
    const cause = error instanceof ServiceUnavailable ? error.cause : error;
    const why = cause instanceof Error ? cause.name : String(cause);
    return `the CORS rule of the bucket ${bucket} could not be set (${why}); unless the server allows every origin anyway, set it yourself: ${JSON.stringify(ours)}`;
  }
}

async function rulesOf(client: S3Client, Bucket: string): Promise<readonly CORSRule[]> {
  try {
    return (await callWithTimeout(CALL_MS, (options) => client.send(new GetBucketCorsCommand({ Bucket }), options))).CORSRules ?? [];
  } catch (error) {
    if (error instanceof ServiceUnavailable && error.cause instanceof Error && error.cause.name === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}
