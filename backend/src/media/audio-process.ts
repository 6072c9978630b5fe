import { join } from 'node:path';
import type { ChildFiles } from '../platform/children/child-permissions.js';
import type { LimitedChild, StartChild } from '../platform/children/limited-child.js';
import type { AudioReply, AudioRequest } from './audio-messages.js';

/** Its program. */
export const AUDIO_PROGRAM = new URL('./analysis-child.js', import.meta.url);

/** The one file, and the folder for its peaks and its copy. */
const filesOf = (request: AudioRequest): ChildFiles => ({
  reads: [request.path],
  ...(request.kind === 'probe' ? {} : { writes: [join(request.outFolder, '*')] }),
});

/** Starts a process for one request, which can touch nothing else: what a file did to its parser meets no other file. */
export const startAudioProcess = (start: StartChild, request: AudioRequest, memoryBytes: number): LimitedChild<AudioRequest, AudioReply> =>
  start({ program: AUDIO_PROGRAM, memoryBytes, files: filesOf(request), isBackground: request.kind !== 'probe' });
