import { S3Client } from '@aws-sdk/client-s3';

/** An access key that does not change. */
export interface S3Key {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * An S3 server. `publicEndpoint`: the address for browsers. Without a key the client finds one by itself, and renews it: in the environment (AWS_…), in its files, or
 * from the role of the container or machine.
 */
export interface S3Endpoint {
  readonly endpoint: string;
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly key: S3Key | null;
}

/** Timeout of small calls, in milliseconds. */
export const CALL_MS = 5_000;
/** Timeout of calls that transfer or copy a file or a part of one; shorter than the page's own timeout. */
export const CONTENT_MS = 13_000;

const CONNECT_MS = 1_000;
/** Idle timeout of a connection. */
const IDLE_MS = 4_000;
/** The same where a browser sets the pace. */
const SLOW_READER_IDLE_MS = 30_000;
/** Concurrent reads. The client's default of 50 would let stalled browsers block all others. */
const MAX_READS = 1_000;

/** The clients for one server. */
export interface S3Clients {
  /** For calls, and bodies read at full speed. */
  readonly calls: S3Client;
  /** For bodies read at a browser's pace. */
  readonly reads: S3Client;
  /** Makes no calls; signs URLs of the public endpoint. */
  readonly signer: S3Client;
  destroy(): void;
}

const handlerOptions = (socketTimeout: number, maxSockets = 50) => ({
  requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
});

export function s3Clients({ endpoint, publicEndpoint, region, key }: S3Endpoint): S3Clients {
  const common = { region, ...(key === null ? {} : { credentials: key }), forcePathStyle: true, maxAttempts: 3 } as const;
  const calls = new S3Client({ ...common, endpoint, ...handlerOptions(IDLE_MS) });
  const reads = new S3Client({ ...common, endpoint, ...handlerOptions(SLOW_READER_IDLE_MS, MAX_READS) });
  // Otherwise the checksum of an empty body would be signed into every upload URL.
  const signer = new S3Client({ ...common, endpoint: publicEndpoint, requestChecksumCalculation: 'WHEN_REQUIRED' });
  const destroy = (): void => {
    for (const client of [calls, reads, signer]) client.destroy();
  };
  return { calls, reads, signer, destroy };
}
