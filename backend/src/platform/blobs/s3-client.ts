import { S3Client } from '@aws-sdk/client-s3';

/** Where an S3 server is and who asks. `publicEndpoint`: where browsers reach it. */
export interface S3Place {
  readonly endpoint: string;
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How long a server may take for what is small, in milliseconds. */
export const CALL_MS = 5_000;
/** The same for what carries or copies a file, or a piece of one: shorter than the page waits for an answer. */
export const CONTENT_MS = 13_000;

const CONNECT_MS = 1_000;
/** Nothing heard for so long, in either direction, is an end. */
const SILENCE_MS = 4_000;
/** The same where a browser may hold us up. */
const PATIENT_SILENCE_MS = 30_000;
/** As many answers may be on their way at a time. Those that browsers hold up must not keep others from theirs: the client's own 50 would. */
const MOST_READS = 1_000;

/** The three ways to talk to a server. */
export interface S3Clients {
  /** For calls, and bodies that are taken as they come. */
  readonly calls: S3Client;
  /** For bodies that are taken at somebody else's pace. */
  readonly reads: S3Client;
  /** Never asked anything: it signs addresses of the endpoint that browsers reach. */
  readonly signer: S3Client;
  destroy(): void;
}

const patientFor = (socketTimeout: number, maxSockets = 50) => ({
  requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
});

export function s3Clients({ endpoint, publicEndpoint, region, accessKeyId, secretAccessKey }: S3Place): S3Clients {
  const common = { region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true, maxAttempts: 3 } as const;
  const calls = new S3Client({ ...common, endpoint, ...patientFor(SILENCE_MS) });
  const reads = new S3Client({ ...common, endpoint, ...patientFor(PATIENT_SILENCE_MS, MOST_READS) });
  // Else the checksum of an empty body would be signed into the address of every upload.
  const signer = new S3Client({ ...common, endpoint: publicEndpoint, requestChecksumCalculation: 'WHEN_REQUIRED' });
  const destroy = (): void => {
    for (const client of [calls, reads, signer]) client.destroy();
  };
  return { calls, reads, signer, destroy };
}
