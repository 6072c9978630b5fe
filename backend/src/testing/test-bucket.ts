import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, DeleteBucketCommand, DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Key } from '../platform/blobs/s3-client.js';
import type { S3BlobStoreOptions } from '../platform/blobs/s3-blob-store.js';

const { S3_ENDPOINT = '', S3_REGION = 'us-east-1', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env;

/** Whether the environment names an S3 server for tests. */
export const hasS3 = S3_ENDPOINT !== '';

export const PAGE = 'http://mix.example';
/** The key of the environment's S3 server. */
export const KEY: S3Key = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };

/** One spec's own bucket. */
export interface TestBucket {
  readonly client: S3Client;
  readonly options: S3BlobStoreOptions;
  /** Deletes the bucket and everything in it. */
  remove(): Promise<void>;
}

/** Creates a bucket on the S3 server of the environment. */
export async function makeBucket(): Promise<TestBucket> {
  const Bucket = `specs-${randomUUID()}`;
  const client = new S3Client({ endpoint: S3_ENDPOINT, region: S3_REGION, credentials: KEY, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket }));
  const place = { endpoint: S3_ENDPOINT, publicEndpoint: S3_ENDPOINT, region: S3_REGION, bucket: Bucket, key: KEY };
  const remove = async (): Promise<void> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    await client.send(new DeleteBucketCommand({ Bucket }));
    client.destroy();
  };
  return { client, options: { ...place, pageOrigin: PAGE, clock: Date.now }, remove };
}
