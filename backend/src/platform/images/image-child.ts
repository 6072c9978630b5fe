import { Refused } from '../../kernel/refusal.js';
import { clean, cut, open, type OpenedImage } from './decoding.js';
import type { ImageReply, ImageRequest } from './image-messages.js';

/** The process that decodes one untrusted picture. Its bytes come in a message: the process may read no file but its program. */
let opened: OpenedImage | undefined;

async function made(request: ImageRequest): Promise<ImageReply> {
  if (request.kind === 'open') {
    opened = await open(request.bytes, request.frames);
    return { kind: 'opened', size: opened.size };
  }
  if (opened === undefined) return { kind: 'failed', message: 'no image was opened' };
  return { kind: 'made', images: request.kind === 'clean' ? [await clean(opened)] : await cut(opened, request.area, request.boxes) };
}

/** Whatever the reason, an image that cannot be decoded cannot be shown. */
function refused(error: unknown): ImageReply {
  const { code, extras } = error instanceof Refused ? error : new Refused('upload.not-image');
  return { kind: 'refused', code, ...(extras?.detail === undefined ? {} : { detail: extras.detail }) };
}

const send = (reply: ImageReply): void => {
  process.send?.(reply);
};

process.on('message', (request: ImageRequest) => void made(request).catch(refused).then(send));
process.on('disconnect', () => process.exit(0));
send({ kind: 'ready' });
