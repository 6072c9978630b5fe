import type { AudioFile } from '../versions/version.events.js';

/** The folder of the audio that all tutorials share, in the blob store. It belongs to no user and no project, so nothing that is removed takes it along. */
export const TUTORIAL_FOLDER = 'tutorial';

/** Whether a version's file is shared by all tutorials. */
export const isTutorialFile = ({ key }: Pick<AudioFile, 'key'>): boolean => key.startsWith(`${TUTORIAL_FOLDER}/`);
