import { Refused } from '../../kernel/refusal.js';
import type { OpenedImage } from './decoding.js';
import type { ImageReply, ImageRequest } from './image-messages.js';

/** What the process that decodes one untrusted picture does with its requests. */
export function imageAnswers(): (request: ImageRequest) => Promise<ImageReply> {
  let opened: OpenedImage | undefined;
  const made = async (request: ImageRequest): Promise<ImageReply> => {
    const { clean, cut, open } = await import('./decoding.js');
    if (request.kind === 'open') {
      opened = await open(request.bytes, request.frames);
      return { kind: 'opened', size: opened.size };
    }
    if (opened === undefined) return { kind: 'failed', message: 'no image was opened' };
    return { kind: 'made', images: request.kind === 'clean' ? [await clean(opened)] : await cut(opened, request.area, request.boxes) };
  };
  return (request) => made(request).catch(refused);
}

/** Whatever the reason, an image that cannot be decoded cannot be shown. */
function refused(error: unknown): ImageReply {
  const { code, extras } = error instanceof Refused ? error : new Refused('upload.not-image');
  return { kind: 'refused', code, ...(extras?.detail === undefined ? {} : { detail: extras.detail }) };
}
