import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CALL_MS, CONTENT_MS } from './s3-client.js';
import { callWithTimeout } from './s3-errors.js';

/** A bucket and key. */
export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** Above S3's minimum of 5 MiB for all parts but the last. All parts have the same size, as some servers require. Two are in memory at a time. */
export const PIECE_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPE = 'application/octet-stream';
/** The client's default for whole objects; multipart uploads have to name it in both calls. */
const ChecksumAlgorithm = 'CRC32';

/**
 * Writes an object that appears whole or not at all: in one call if it fits into one part, else as a multipart upload. Every call sends a buffer, so the
 * client can retry it and the server can compare its checksum. @throws ServiceUnavailable, DiskFull, and errors of the content
 */
export async function writeObject(client: S3Client, object: S3Object, content: AsyncIterable<Uint8Array | string> | Uint8Array): Promise<void> {
  const pieces = content instanceof Uint8Array ? whole(content) : piecesOf(content);
  const [first, second] = [await pieces.next(), await pieces.next()];
  if (first.done !== true && second.done !== true) return writeParts(client, object, [first.value, second.value, pieces]);
  const Body = first.done === true ? Buffer.alloc(0) : first.value;
  await callWithTimeout(CONTENT_MS, (options) => client.send(new PutObjectCommand({ ...object, Body, ContentType: CONTENT_TYPE }), options));
}

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield content;
}

/** Splits the content into pieces of exactly 8 MiB, except the last. */
async function* piecesOf(content: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    for (let rest: Uint8Array = Buffer.from(chunk); rest.length > 0;) {
      const taken = rest.subarray(0, PIECE_BYTES - size);
      held.push(taken);
      size += taken.length;
      rest = rest.subarray(taken.length);
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}

type Parts = readonly [first: Uint8Array, second: Uint8Array, rest: AsyncIterable<Uint8Array>];

async function* inOrder([first, second, rest]: Parts): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  yield* rest;
}

async function writeParts(client: S3Client, object: S3Object, pieces: Parts): Promise<void> {
  const { UploadId } = await callWithTimeout(CALL_MS, (options) =>
    client.send(new CreateMultipartUploadCommand({ ...object, ContentType: CONTENT_TYPE, ChecksumAlgorithm }), options),
  );
  const upload = { ...object, UploadId };
  try {
    const parts: { readonly PartNumber: number; readonly ETag: string | undefined; readonly ChecksumCRC32: string | undefined }[] = [];
    for await (const Body of inOrder(pieces)) {
      const PartNumber = parts.length + 1;
      const { ETag, ChecksumCRC32 } = await callWithTimeout(CONTENT_MS, (options) =>
        client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ChecksumAlgorithm }), options),
      );
      parts.push({ PartNumber, ETag, ChecksumCRC32 });
    }
    await callWithTimeout(CONTENT_MS, (options) => client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }), options));
  } catch (error) {
    await giveUp(client, upload);
    throw error;
  }
}

async function giveUp(client: S3Client, upload: S3Object & { readonly UploadId: string | undefined }): Promise<void> {
  try {
    await callWithTimeout(CALL_MS, (options) => client.send(new AbortMultipartUploadCommand(upload), options));
  } catch {
    // Invisible parts that remain are removed by the bucket's lifecycle rule, and the first error is the relevant one.
  }
}
