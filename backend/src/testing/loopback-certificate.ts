import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A new certificate of 127.0.0.1. A program trusts it that starts with `NODE_EXTRA_CA_CERTS` set to its file. */
export interface LoopbackCertificate {
  readonly key: string;
  readonly cert: string;
  readonly file: string;
  /** Deletes the file. */
  remove(): Promise<void>;
}

export async function loopbackCertificate(): Promise<LoopbackCertificate> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }];
  const made = await generate([{ name: 'commonName', value: '127.0.0.1' }], { keyType: 'ec', algorithm: 'sha256', extensions });
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-certificate-'));
  const file = join(folder, 'certificate.pem');
  await writeFile(file, made.cert);
  return { key: made.private, cert: made.cert, file, remove: () => rm(folder, { recursive: true }) };
}
