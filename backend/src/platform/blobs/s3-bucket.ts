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
import { StoreAway } from '../store-errors.js';
import { CALL_MS } from './s3-client.js';
import { asked, gone, statusOf } from './s3-errors.js';

/** The bucket cannot be used as it is set up; the message says which variable, or what has to be done. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable';
}

/** A bucket on a server, and the key that asks, for sentences about them. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
}

/** No key of a file begins with a dot. */
const PROBE = '.roughmix-probe';

/** Servers answer an unknown key in different ways. */
const WRONG_KEY = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'XAdminUserNotFound', 'AuthorizationHeaderMalformed', 'RequestTimeTooSkewed']);

/** Lists, writes and removes in the bucket. @throws BucketUnusable, or StoreAway when the server does not answer */
export async function checkBucket(client: S3Client, place: S3Bucket): Promise<void> {
  const Bucket = place.bucket;
  await allowed(place, 'list', (options) => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), options));
  await allowed(place, 'write to', (options) => client.send(new PutObjectCommand({ Bucket, Key: PROBE, Body: Buffer.alloc(0) }), options));
  // Other processes that start at the same time remove it too.
  await allowed(place, 'remove from', (options) => gone(client.send(new DeleteObjectCommand({ Bucket, Key: PROBE }), options)));
}

async function allowed(place: S3Bucket, what: string, ask: (options: { readonly abortSignal: AbortSignal }) => Promise<unknown>): Promise<void> {
  try {
    await asked(CALL_MS, ask);
  } catch (error) {
    const cause = error instanceof StoreAway ? error.cause : error;
    throw cause instanceof S3ServiceException ? new BucketUnusable(sentenceOf(place, what, cause), { cause }) : unreachable(place, error);
  }
}

const unreachable = ({ endpoint }: S3Bucket, error: unknown): StoreAway =>
  new StoreAway(`S3_ENDPOINT: the S3 server at ${endpoint} does not answer`, { cause: error });

function sentenceOf({ endpoint, bucket }: S3Bucket, what: string, error: S3ServiceException): string {
  if (error.name === 'NoSuchBucket') return `S3_BUCKET: there is no bucket ${bucket} at ${endpoint}; make it first`;
  if (error.name === 'RequestTimeTooSkewed') return `S3_ENDPOINT: the clocks of this machine and of ${endpoint} are too far apart`;
  if (WRONG_KEY.has(error.name)) return `S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION: ${endpoint} does not know this key (${error.name})`;
  return `S3_BUCKET: the key may not ${what} the bucket ${bucket} at ${endpoint} (${statusOf(error) ?? 'no status'} ${error.name})`;
}

/** What pages of one origin need: to put with the signed headers, to read, and to see which part they got. */
const corsRuleFor = (pageOrigin: string): CORSRule => ({
  AllowedOrigins: [pageOrigin],
  AllowedMethods: ['PUT', 'GET', 'HEAD'],
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Accept-Ranges'],
  MaxAgeSeconds: 3_600,
});

const holds = (list: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  wanted.every((each) => list?.includes(each) === true || list?.includes('*') === true);

/** Whether a rule lets pages do all that ours would. */
function suffices(rule: CORSRule, ours: CORSRule): boolean {
  const has = (name: 'AllowedOrigins' | 'AllowedMethods' | 'AllowedHeaders'): boolean => holds(rule[name], ours[name] ?? []);
  return has('AllowedOrigins') && has('AllowedMethods') && has('AllowedHeaders') && holds(rule.ExposeHeaders, ours.ExposeHeaders ?? []);
}

/** Adds the rule that lets pages reach the bucket, beside those it has. Gives what the operator has to set when the server does not let us; null when it stands. */
export async function openToPages(client: S3Client, bucket: string, pageOrigin: string): Promise<string | null> {
  const Bucket = bucket;
  const ours = corsRuleFor(pageOrigin);
  try {
    const rules = await rulesOf(client, bucket);
    if (rules.some((rule) => suffices(rule, ours))) return null;
    const CORSRules = [...rules, ours];
    await asked(CALL_MS, (options) => client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }), options));
    return null;
  } catch (error) {
    const cause = error instanceof StoreAway ? error.cause : error;
    const why = cause instanceof Error ? cause.name : String(cause);
    return `the CORS rule of the bucket ${bucket} could not be set (${why}); unless the server allows every page anyway, set it: ${JSON.stringify(ours)}`;
  }
}

async function rulesOf(client: S3Client, Bucket: string): Promise<readonly CORSRule[]> {
  try {
    return (await asked(CALL_MS, (options) => client.send(new GetBucketCorsCommand({ Bucket }), options))).CORSRules ?? [];
  } catch (error) {
    if (error instanceof StoreAway && error.cause instanceof Error && error.cause.name === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}
