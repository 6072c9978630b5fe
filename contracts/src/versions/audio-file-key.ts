import type { AudioFile } from './version.events.js';

/** Replaces the name of the uploaded file in storage keys: they are readable in backups, and the name is sealed in the event. */
export const AUDIO_NAME = 'audio';

const AFTER_NUMBER = /(\/ProjectMediaFiles\/(?:[^/]+\/){2,3}\d+_\d+-)[^/]*$/;

/** The storage key of a file whose event was written when keys ended in the name of the file. Other keys stay as they are. */
export const namelessKey = (key: string): string => key.replace(AFTER_NUMBER, `$1${AUDIO_NAME}`);

/** A file as an event names it, with the key under which it is stored now. */
export const storedFile = (file: AudioFile): AudioFile => ({ ...file, key: namelessKey(file.key) });
